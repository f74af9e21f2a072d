package io.kmodel.indexer.merge;

import io.kmodel.indexer.index.PostingsSource;
import java.io.IOException;
import java.util.List;

/** Merges runs all of which can push, so that no list goes through blocks on its way. */
final class MergingSource extends MergingCursor implements PostingsSource {
  /** Of inputs whose cursors are {@link PostingsSource}s. */
  MergingSource(List<Input> inputs) {
    super(inputs);
  }

  @Override
  public void push(Sink sink, int docBase) throws IOException {
    for (; current < groupSize; current++) {
      Input input = inputs.get(group[current]);
      ((PostingsSource) input.cursor()).push(sink, docBase + input.docBase());
    }
  }
}
