package io.kmodel.indexer.indexing;

import io.kmodel.indexer.export.lucene.IndexCheck;
import io.kmodel.indexer.export.lucene.LuceneContent;
import io.kmodel.indexer.export.lucene.segment.ExportCodec;
import io.kmodel.indexer.index.model.FormatLimitException;
import io.kmodel.indexer.indexing.report.BuildReport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the runs of a build are made into: an index of this program's format, which may be exported
 * afterwards, or a Lucene index, made directly from the runs.
 */
public sealed interface Target permits OwnIndex, LuceneTarget {
  /** Instead of a number of segments: a segment for each run, so nothing is merged. */
  int SEGMENT_PER_RUN = 0;

  /** What follows when the index has its name, such as an export. */
  @FunctionalInterface
  interface Sequel {
    /**
     * Runs it.
     *
     * @throws FormatLimitException if it cannot be made of this index
     */
    void run(BuildReport report) throws IOException, InterruptedException;
  }

  /** An index of this program's format. */
  static Target ownIndex() {
    return new OwnIndex(null, List.of(), false);
  }

  /**
   * The same, followed by something that is made of it. A build that is interrupted there continues
   * there.
   *
   * @param places where the sequel writes; the crawl does not include them
   * @param copiesTexts whether the sequel holds several copies of a stored text, as Lucene does
   */
  static Target ownIndexThen(Sequel sequel, List<Path> places, boolean copiesTexts) {
    return new OwnIndex(sequel, places, copiesTexts);
  }

  /**
   * A Lucene index, as IndexWriter makes it of the same documents in the same order.
   *
   * @param segments the most that it may have, or {@link #SEGMENT_PER_RUN}
   * @param check what CheckIndex checks before the index gets its name
   * @param codec how stored fields are compressed
   */
  static Target lucene(int segments, IndexCheck check, ExportCodec codec) {
    return segments == SEGMENT_PER_RUN
        ? new LucenePerRun(check, codec)
        : new LuceneSegments(segments, check, codec);
  }

  /** The same with Lucene's default compression. */
  static Target lucene(int segments, IndexCheck check) {
    return lucene(segments, check, ExportCodec.BEST_SPEED);
  }

  /** Whether a directory holds a Lucene index and nothing else, so that it may be replaced. */
  static boolean isLuceneIndex(Path directory) throws IOException {
    return LuceneContent.isIndex(directory, BuildReport.FILE_NAMES);
  }

  /** Names the kind of index: a build continues only one of the same kind. */
  String kind();

  /** The options of the target that its files depend on, besides the runs. */
  Map<String, String> form();

  /** Whether runs are kept until they are merged; if not, a build cannot be resumed. */
  boolean mergesRuns();

  /** Whether a directory holds such an index and nothing else, so that a build may replace it. */
  boolean isIndex(Path directory) throws IOException;

  /**
   * Checks an index that an interrupted build has completed.
   *
   * @throws IOException if it is damaged
   */
  void check(Path index, int threads) throws IOException;

  /** Starts the index of a build, in the build's work directory. */
  Assembly assemble(Job job) throws IOException;

  /** What follows when the index has its name; null for nothing. */
  default @Nullable Sequel sequel() {
    return null;
  }

  /** Where the sequel writes. */
  default List<Path> places() {
    return List.of();
  }
}
