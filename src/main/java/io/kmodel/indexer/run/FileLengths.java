package io.kmodel.indexer.run;

import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.index.postings.IntBlock;
import io.kmodel.indexer.store.ByteReader;
import java.io.IOException;

/** Reads the lengths of a field from a run file. Valid while the file's reader is open. */
final class FileLengths implements LengthsReader {
  private final ByteReader in;
  private final IntBlock block = new IntBlock();
  private int left;

  FileLengths(ByteReader in, int documents) {
    this.in = in;
    this.left = documents;
  }

  @Override
  public int next(int[] lengths) throws IOException {
    int n = Math.min(left, PostingsCursor.BLOCK);
    if (n == PostingsCursor.BLOCK) {
      block.read(in, lengths);
    } else {
      for (int i = 0; i < n; i++) {
        lengths[i] = in.readVInt();
      }
    }
    for (int i = 0; i < n; i++) {
      if (lengths[i] < 0) {
        throw in.corrupt("length %d before offset %d".formatted(lengths[i], in.position()));
      }
    }
    left -= n;
    if (left == 0 && in.remaining() != 0) {
      throw in.corrupt("%d bytes after the last length".formatted(in.remaining()));
    }
    return n;
  }
}
