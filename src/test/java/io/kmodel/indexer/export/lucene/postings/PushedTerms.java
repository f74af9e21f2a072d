package io.kmodel.indexer.export.lucene.postings;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.primitives.ImmutableIntArray;
import com.google.common.util.concurrent.Futures;
import io.kmodel.indexer.export.lucene.ListedFields;
import io.kmodel.indexer.export.lucene.LuceneSegment;
import io.kmodel.indexer.export.lucene.postings.BlocksCursor.Posting;
import io.kmodel.indexer.export.lucene.postings.BlocksCursor.Term;
import io.kmodel.indexer.export.lucene.schema.DocumentLengths;
import io.kmodel.indexer.export.lucene.schema.DocumentRange;
import io.kmodel.indexer.export.lucene.schema.SegmentNorms;
import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.Field;
import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.index.model.Schema;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SortedSet;
import java.util.concurrent.FutureTask;
import org.apache.lucene.codecs.FieldsConsumer;
import org.apache.lucene.codecs.lucene104.Lucene104PostingsFormat;
import org.apache.lucene.index.SegmentWriteState;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;

/** Writes terms with random postings by our writers and by Lucene's, and compares the files. */
final class PushedTerms {
  static final int DOCUMENTS = 3000;
  static final int KEYWORD = 0;

  /** In order of their names, as Lucene wants fields. */
  static final Schema SCHEMA =
      Schema.of(
          List.of(
              new Field("a", Detail.DOCUMENTS, false, false),
              new Field("b", Detail.FREQUENCIES, true, false),
              new Field("c", Detail.OFFSETS, true, false),
              new Field("d", Detail.POSITIONS, true, false)));

  private PushedTerms() {}

  /**
   * How terms come, of which documents.
   *
   * @param ranges of terms; every third is too large to be encoded ahead
   */
  record Pieces(int ranges, DocumentRange documents) {
    static final Pieces ALL = new Pieces(1, new DocumentRange(0, DOCUMENTS));

    PostingsRanges ranges(List<Term> terms) {
      return new PostingsRanges() {
        @Override
        public int count() {
          return ranges;
        }

        @Override
        public long bytes(int range) {
          return range % 3 == 2 ? Long.MAX_VALUE / 4 : 1 << 10;
        }

        @Override
        public PostingsCursor open(int range) {
          DocumentRange part = DocumentRange.part(range, ranges, terms.size());
          return cursor(terms.subList(part.from(), part.to()));
        }
      };
    }
  }

  static List<Term> terms(SortedSet<String> bytes, int field, Random random) {
    List<Term> terms = new ArrayList<>();
    int next = 0;
    for (String term : bytes) {
      List<Posting> postings = new ArrayList<>();
      if (field == KEYWORD) {
        // Every document has one; where there are more terms, the last documents have several.
        int last = bytes.size() - 1 == terms.size() ? DOCUMENTS : Math.min(next + 1, DOCUMENTS);
        for (int docId = Math.min(next, DOCUMENTS - 1); docId < last; docId++) {
          postings.add(posting(docId, 1, random));
        }
        next = last;
      } else {
        int docId = random.nextInt(DOCUMENTS);
        int docFreq = random.nextInt(50) == 0 ? 600 : 1 + random.nextInt(2);
        for (int i = 0; i < docFreq && docId < DOCUMENTS; i++) {
          postings.add(posting(docId, 1 + random.nextInt(1 + random.nextInt(3)), random));
          docId += 1 + random.nextInt(4);
        }
      }
      terms.add(new Term(field, term, postings));
    }
    return terms;
  }

  static Posting posting(int docId, int freq, Random random) {
    int[] values = new int[freq];
    for (int i = 0; i < freq; i++) {
      values[i] = random.nextInt(90);
    }
    ImmutableIntArray gaps = ImmutableIntArray.copyOf(values);
    return new Posting(docId, gaps, gaps, gaps);
  }

  /** A string of random characters. */
  static String random(Random random, int first, int end, int length) {
    StringBuilder term = new StringBuilder();
    for (int i = 0; i < length; i++) {
      term.append((char) (first + random.nextInt(end - first)));
    }
    return term.toString();
  }

  /** Writes the terms to each field alone, then to all of them, in one range and in several. */
  static void assertSame(SortedSet<String> bytes) throws IOException {
    Random random = new Random(bytes.size());
    List<Term> all = new ArrayList<>();
    for (int field = 0; field < SCHEMA.size(); field++) {
      List<Term> terms = terms(bytes, field, random);
      assertSameFiles(terms, Pieces.ALL);
      all.addAll(terms);
    }
    assertSameFiles(all, new Pieces(4, Pieces.ALL.documents()));
    assertSameFiles(all, new Pieces(1 + random.nextInt(3), new DocumentRange(700, 1600)));
  }

  static void assertSameFiles(List<Term> terms, Pieces pieces) throws IOException {
    Directory actual = new ByteBuffersDirectory();
    write(terms, pieces, actual);
    LuceneSegment.assertSameFiles(actual, writtenByLucene(terms, pieces));
  }

  static Directory writtenByLucene(List<Term> terms, Pieces pieces) throws IOException {
    Directory directory = new ByteBuffersDirectory();
    try (FieldsConsumer lucenes =
        new Lucene104PostingsFormat().fieldsConsumer(state(directory, pieces))) {
      lucenes.write(
          new ListedFields(SCHEMA, terms, pieces.documents), norms(terms, pieces.documents));
    }
    return directory;
  }

  /** Writes our files, with another thread's help if there are several ranges. */
  static void write(List<Term> terms, Pieces pieces, Directory directory) throws IOException {
    SegmentNorms norms = norms(terms, pieces.documents);
    SegmentWriteState state = state(directory, pieces);
    PostingsChunks chunks =
        new PostingsChunks(
            pieces.ranges(terms),
            pieces.documents.size() == DOCUMENTS ? null : pieces.documents,
            norms,
            state,
            1 << 20);
    FutureTask<Boolean> help =
        new FutureTask<>(
            () -> {
              chunks.help();
              return true;
            });
    if (pieces.ranges > 1) {
      Thread.ofPlatform().start(help);
    } else {
      help.cancel(false);
    }
    try {
      write(chunks, norms, state);
    } finally {
      if (!help.isCancelled()) {
        assertThat(Futures.getUnchecked(help)).isTrue();
      }
    }
  }

  /** Writes our files in this thread. Closes the consumer twice, as Lucene does after a failure. */
  static void write(SegmentTerms terms, SegmentNorms norms, SegmentWriteState state)
      throws IOException {
    try (terms;
        FieldsConsumer ours = new PushPostingsFormat(terms, norms).fieldsConsumer(state);
        Closeable twice = ours) {
      assertThat(twice).isNotNull();
      ours.write(new StreamedFields(SCHEMA, terms, norms), norms);
    }
  }

  static SegmentWriteState state(Directory directory, Pieces pieces) {
    return LuceneSegment.state(directory, SCHEMA, pieces.documents.size());
  }

  static BlocksCursor cursor(List<Term> terms) {
    return new BlocksCursor(terms, new Random(terms.size()));
  }

  /** Lengths are what the postings add up to. */
  static SegmentNorms norms(List<Term> terms, DocumentRange documents) {
    int[][] lengths = new int[SCHEMA.size()][DOCUMENTS];
    for (Term term : terms) {
      for (Posting posting : term.postings()) {
        lengths[term.field()][posting.docId()] += posting.freq();
      }
    }
    return new SegmentNorms(
        SCHEMA,
        new DocumentLengths() {
          @Override
          public int count() {
            return documents.size();
          }

          @Override
          public int length(int field, int docId) {
            return lengths[field][documents.from() + docId];
          }
        });
  }
}
