package io.kmodel.indexer.browse;

import io.kmodel.indexer.index.TermCursor;
import java.io.IOException;
import java.util.Arrays;
import org.apache.lucene.util.BytesRef;

/** The terms of a field in byte order, by number from 0. Not thread-safe. */
interface TermList {
  long size();

  /** The number of terms that are smaller than a text. */
  long below(BytesRef text) throws IOException;

  /** Moves to a term; returns false if there are fewer. */
  boolean seek(long ordinal) throws IOException;

  /** Moves to the next term; returns false at the end. */
  boolean next() throws IOException;

  /** The current term, valid until the next move. */
  BytesRef term() throws IOException;

  int docFreq() throws IOException;

  long totalTermFreq() throws IOException;

  /** The number of the first term that is larger than all terms with a prefix. */
  default long end(BytesRef prefix) throws IOException {
    byte[] bytes = Arrays.copyOfRange(prefix.bytes, prefix.offset, prefix.offset + prefix.length);
    int last = bytes.length - 1;
    while (last >= 0 && bytes[last] == (byte) 0xFF) {
      last--;
    }
    if (last < 0) {
      return size();
    }
    bytes[last]++;
    return below(new BytesRef(bytes, 0, last + 1));
  }

  /** The terms of one of this program's indexes, which counts them in blocks. */
  static TermList of(TermCursor cursor, long size) {
    return new TermList() {
      private final BytesRef term = new BytesRef();

      @Override
      public long size() {
        return size;
      }

      @Override
      public long below(BytesRef text) throws IOException {
        return cursor.seek(text.bytes, text.offset, text.length) == TermCursor.Seek.END
            ? size
            : cursor.ordinal();
      }

      @Override
      public boolean seek(long ordinal) throws IOException {
        return cursor.seek(ordinal);
      }

      @Override
      public boolean next() throws IOException {
        return cursor.next();
      }

      @Override
      public BytesRef term() {
        term.bytes = cursor.term();
        term.offset = cursor.termOffset();
        term.length = cursor.termLength();
        return term;
      }

      @Override
      public int docFreq() {
        return cursor.docFreq();
      }

      @Override
      public long totalTermFreq() {
        return cursor.totalTermFreq();
      }
    };
  }
}
