package io.kmodel.indexer.index;

import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.postings.BlockPostingList;
import io.kmodel.indexer.index.postings.PostingList;
import io.kmodel.indexer.index.terms.DictionaryReader;
import io.kmodel.indexer.index.terms.IndexContent;
import io.kmodel.indexer.index.terms.TermDictionaryWriter;
import io.kmodel.indexer.index.terms.TermEntry;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The terms of one field of an index; see {@link TermCursor}. A seek finds the term's block in the
 * mapped index and scans at most one block. Memory: 4 KiB and the longest term. Not thread-safe.
 */
final class IndexTermCursor implements TermCursor {
  private static final int BUFFER_BYTES = 4096;

  private enum State {
    UNPOSITIONED,
    POSITIONED,
    EXHAUSTED
  }

  private final IndexContent content;
  private final DictionaryReader reader;
  private final TermEntry entry;
  private final TermEntry wanted = new TermEntry();
  private final int field;

  /** Ordinal of the field's first term, and the ordinal after its last. */
  private final long first;

  private final long end;
  private State state = State.UNPOSITIONED;

  IndexTermCursor(IndexContent content, int field, long first, long terms) throws IOException {
    this.content = content;
    this.reader = new DictionaryReader(content, BUFFER_BYTES);
    this.entry = reader.entry();
    this.field = field;
    this.first = first;
    this.end = first + terms;
  }

  @Override
  public Seek seek(byte[] term, int offset, int length) throws IOException {
    wanted.setTerm(field, term, offset, length);
    if (first == end) {
      return end();
    }
    long block =
        Math.max(
            content.termIndex().find(wanted.key, wanted.keyLength),
            first / TermDictionaryWriter.BLOCK_TERMS);
    if (state == State.POSITIONED && reader.block() == block) {
      int order = entry.compareKey(wanted.key, wanted.keyLength);
      if (order == 0) {
        return Seek.FOUND;
      }
      if (order > 0) {
        reader.seekBlock(block);
      }
    } else {
      reader.seekBlock(block);
    }
    return scan();
  }

  private Seek scan() throws IOException {
    while (reader.next()) {
      if (reader.ordinal() >= end) {
        return end();
      }
      int order = reader.ordinal() < first ? -1 : entry.compareKey(wanted.key, wanted.keyLength);
      if (order >= 0) {
        checkField();
        state = State.POSITIONED;
        return order == 0 ? Seek.FOUND : Seek.NOT_FOUND;
      }
    }
    return end();
  }

  private Seek end() {
    state = State.UNPOSITIONED;
    return Seek.END;
  }

  @Override
  public boolean next() throws IOException {
    if (state == State.EXHAUSTED || first == end) {
      return false;
    }
    if (state == State.UNPOSITIONED) {
      reader.seekBlock(first / TermDictionaryWriter.BLOCK_TERMS);
      while (reader.ordinal() + 1 < first) {
        reader.next();
      }
    }
    if (reader.ordinal() + 1 >= end || !reader.next()) {
      state = State.EXHAUSTED;
      return false;
    }
    checkField();
    state = State.POSITIONED;
    return true;
  }

  @Override
  public boolean seek(long ordinal) throws IOException {
    if (ordinal < 0 || ordinal >= end - first) {
      state = State.UNPOSITIONED;
      return false;
    }
    reader.seekBlock((first + ordinal) / TermDictionaryWriter.BLOCK_TERMS);
    while (reader.ordinal() < first + ordinal) {
      if (!reader.next()) {
        throw content.dictionary().corrupt("no term %d".formatted(first + ordinal));
      }
    }
    checkField();
    state = State.POSITIONED;
    return true;
  }

  @Override
  public long ordinal() {
    return reader.ordinal() - first;
  }

  /** Detects a disagreement between metadata and dictionary about the field's range of terms. */
  private void checkField() throws IOException {
    if (entry.field() != field) {
      throw content
          .dictionary()
          .corrupt(
              "term %d belongs to field %d, expected %d"
                  .formatted(reader.ordinal(), entry.field(), field));
    }
  }

  @Override
  public byte[] term() {
    return entry.key;
  }

  @Override
  public int termOffset() {
    return 1;
  }

  @Override
  public int termLength() {
    return entry.keyLength - 1;
  }

  @Override
  public int docFreq() {
    return entry.docFreq;
  }

  @Override
  public long totalTermFreq() {
    return entry.totalTermFreq;
  }

  @Override
  public PostingList postings(@Nullable PostingList reuse, Detail detail) throws IOException {
    if (state != State.POSITIONED) {
      throw new IllegalStateException("the cursor is not on a term");
    }
    BlockPostingList list =
        reuse instanceof BlockPostingList old && old.reads(content)
            ? old
            : new BlockPostingList(content);
    list.reset(entry, detail);
    return list;
  }
}
