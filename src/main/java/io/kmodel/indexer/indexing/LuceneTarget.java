package io.kmodel.indexer.indexing;

import io.kmodel.indexer.export.lucene.IndexCheck;
import io.kmodel.indexer.export.lucene.segment.ExportCodec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** A Lucene index that is made directly from the runs. */
sealed interface LuceneTarget extends Target permits LuceneSegments, LucenePerRun {
  /** The number of segments, or {@link #SEGMENT_PER_RUN}. */
  int segments();

  /** What CheckIndex checks before the index gets its name. */
  IndexCheck check();

  /** How stored fields are compressed. */
  ExportCodec codec();

  @Override
  default String kind() {
    return "a Lucene index";
  }

  @Override
  default Map<String, String> form() {
    return Map.of("segments", Integer.toString(segments()), "codec", codec().toString());
  }

  @Override
  default boolean mergesRuns() {
    return segments() != SEGMENT_PER_RUN;
  }

  @Override
  default boolean isIndex(Path directory) throws IOException {
    return Target.isLuceneIndex(directory);
  }

  @Override
  default void check(Path index, int threads) throws IOException {
    LuceneAssembly.check(check(), index, threads);
  }
}
