package io.kmodel.indexer.indexing.merge;

import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.run.LengthsReader;
import io.kmodel.indexer.run.SortedRun;
import java.io.IOException;
import java.util.List;

/** Copies document lengths from runs to their merge. */
final class Lengths {
  private static final int PIECE = 4096;

  private Lengths() {}

  /** Takes the lengths of some documents of a field; calls come in document order by field. */
  @FunctionalInterface
  interface Consumer {
    void accept(int field, int[] lengths, int count) throws IOException;
  }

  static void copy(List<SortedRun> runs, Schema schema, Consumer to) throws IOException {
    int[] piece = new int[PIECE];
    for (int field = 0; field < schema.size(); field++) {
      if (schema.field(field).tokenized()) {
        for (SortedRun run : runs) {
          LengthsReader lengths = run.lengths(field);
          for (int n = lengths.next(piece); n > 0; n = lengths.next(piece)) {
            to.accept(field, piece, n);
          }
        }
      }
    }
  }
}
