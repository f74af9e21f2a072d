package io.kmodel.indexer.index;

import com.google.common.hash.HashCode;
import com.google.common.hash.Hasher;
import com.google.common.hash.Hashing;
import io.kmodel.indexer.index.documents.StoredTexts;
import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.index.postings.PostingList;
import io.kmodel.indexer.index.terms.TermBlocks;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/**
 * Every way into an index. What all of what is read through one of them comes to is one hash, so
 * that answers can be compared however long they are.
 */
enum Door {
  /** The numbers that stand in the metadata. */
  STATISTICS {
    @Override
    void read(InvertedIndex index, List<byte[]> keys, Hasher answer) {
      answer.putUnencodedChars(index.metadata().toString());
    }
  },

  /** Front to back, all of it. */
  CURSOR {
    @Override
    void read(InvertedIndex index, List<byte[]> keys, Hasher answer) throws IOException {
      try (PostingsCursor cursor = index.cursor()) {
        walk(cursor, index.schema(), answer);
      }
    }
  },

  /** In ranges of terms, from a document on. */
  RANGES {
    @Override
    void read(InvertedIndex index, List<byte[]> keys, Hasher answer) throws IOException {
      for (TermBlocks range : index.cutTerms(1 << 10)) {
        answer.putLong(range.bytes());
        try (PostingsCursor cursor = index.cursor(range, index.documentCount() / 2)) {
          walk(cursor, index.schema(), answer);
        }
      }
    }
  },

  /** One term of a field after the other, and their documents one by one. */
  NEXT {
    @Override
    void read(InvertedIndex index, List<byte[]> keys, Hasher answer) throws IOException {
      for (int field = 0; field < index.schema().size(); field++) {
        TermCursor terms = index.terms(field);
        PostingList list = null;
        while (terms.next()) {
          term(terms, answer);
          list = terms.postings(list, Detail.OFFSETS);
          while (list.nextDoc() != PostingList.END) {
            document(index, field, list, answer);
          }
        }
      }
    }
  },

  /** Every term by a seek, and its documents by skipping. */
  SEEK_AND_ADVANCE {
    @Override
    void read(InvertedIndex index, List<byte[]> keys, Hasher answer) throws IOException {
      for (int i = 0; i < keys.size(); i++) {
        byte[] key = keys.get((int) (i * 7919L % keys.size()));
        TermCursor terms = index.terms(key[0]);
        answer.putUnencodedChars(terms.seek(key, 1, key.length - 1).name());
        term(terms, answer);
        PostingList list = terms.postings(null, Detail.OFFSETS);
        for (int step = 1; list.advance(list.docId() + step) != PostingList.END; step += 97) {
          document(index, key[0], list, answer);
        }
      }
    }
  },

  /** Lengths of all documents. */
  LENGTHS {
    @Override
    void read(InvertedIndex index, List<byte[]> keys, Hasher answer) throws IOException {
      for (int field = 0; field < index.schema().size(); field++) {
        for (int doc = 0; doc < index.documentCount(); doc++) {
          answer.putInt(index.schema().field(field).tokenized() ? index.length(field, doc) : 0);
        }
      }
    }
  },

  /** Stored texts of all documents. */
  STORED {
    @Override
    void read(InvertedIndex index, List<byte[]> keys, Hasher answer) throws IOException {
      try (StoredTexts texts = index.documents()) {
        for (int doc = 0; doc < index.documentCount(); doc++) {
          answer.putUnencodedChars(texts.text(doc, IndexModel.ID));
          answer.putUnencodedChars(texts.text(doc, IndexModel.TITLE));
        }
      }
    }
  };

  /** Reads all that can be read this way. */
  abstract void read(InvertedIndex index, List<byte[]> keys, Hasher answer) throws IOException;

  /**
   * What the index says.
   *
   * @param keys the terms that it should have
   */
  HashCode answer(InvertedIndex index, List<byte[]> keys) throws IOException {
    Hasher answer = Hashing.murmur3_128().newHasher();
    read(index, keys, answer);
    return answer.hash();
  }

  private static void walk(PostingsCursor cursor, Schema schema, Hasher answer) throws IOException {
    int[] docs = new int[PostingsCursor.BLOCK];
    int[] freqs = new int[PostingsCursor.BLOCK];
    int[] deltas = new int[PostingsCursor.COLUMNS];
    while (cursor.nextTerm()) {
      answer.putBytes(cursor.term(), 0, cursor.termLength());
      boolean offsets = schema.field(cursor.term()[0] & 0xFF).detail().hasOffsets();
      answer.putInt(cursor.docFreq()).putLong(cursor.totalTermFreq());
      for (int n; (n = cursor.nextDocs(docs, freqs)) > 0; ) {
        Arrays.stream(docs, 0, n).forEach(answer::putInt);
        Arrays.stream(freqs, 0, n).forEach(answer::putInt);
        for (int p; (p = cursor.nextPositions(deltas)) > 0; ) {
          Arrays.stream(deltas, 0, p).forEach(answer::putInt);
          if (offsets) {
            Arrays.stream(deltas, PostingsCursor.STARTS, PostingsCursor.STARTS + p)
                .forEach(answer::putInt);
            Arrays.stream(deltas, PostingsCursor.LENGTHS, PostingsCursor.LENGTHS + p)
                .forEach(answer::putInt);
          }
        }
      }
    }
  }

  private static void term(TermCursor terms, Hasher answer) {
    answer.putBytes(terms.term(), terms.termOffset(), terms.termLength());
    answer.putInt(terms.docFreq()).putLong(terms.totalTermFreq());
  }

  private static void document(InvertedIndex index, int field, PostingList list, Hasher answer)
      throws IOException {
    answer.putInt(list.docId()).putInt(list.freq());
    if (index.schema().field(field).detail().hasPositions()) {
      for (int i = 0; i < list.freq(); i++) {
        answer.putInt(list.nextPosition()).putInt(list.startOffset()).putInt(list.endOffset());
      }
    }
  }
}
