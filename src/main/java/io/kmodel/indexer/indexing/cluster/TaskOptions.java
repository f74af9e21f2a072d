package io.kmodel.indexer.indexing.cluster;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.options.Duplicates;
import io.kmodel.indexer.indexing.options.MemoryPlan;
import io.kmodel.indexer.indexing.options.RecordedOptions;
import io.kmodel.indexer.parse.html.HtmlMode;
import io.kmodel.indexer.source.SourceOptions;
import io.kmodel.indexer.store.disk.DiskSpace;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The options of a build as plain values, for other processes.
 *
 * @param content see {@link BuildOptions#content}
 * @param fields see {@link RecordedOptions#fields}
 * @param memoryBytes for a task, unless its process has less
 * @param space whether disks must have room
 */
record TaskOptions(
    Map<String, String> content,
    List<String> fields,
    boolean hasImpacts,
    Duplicates duplicates,
    int maxDocumentBytes,
    int maxExpansion,
    int maxNesting,
    HtmlMode html,
    long memoryBytes,
    DiskSpace space) {
  static TaskOptions of(BuildOptions options) {
    return new TaskOptions(
        options.content(),
        RecordedOptions.fields(options.schema()),
        options.schema().hasImpacts(),
        options.duplicates(),
        options.source().maxDocumentBytes(),
        options.source().maxExpansion(),
        options.source().maxNesting(),
        options.html(),
        options.resources().memoryBytes(),
        options.resources().space());
  }

  /**
   * A build with these options by one thread.
   *
   * @param slots how many tasks share the memory of this process
   */
  BuildOptions build(Path output, int slots) {
    RecordedOptions recorded = RecordedOptions.of(content, fields, hasImpacts);
    SourceOptions usual = SourceOptions.DEFAULT;
    SourceOptions limits =
        new SourceOptions(
            usual.format(),
            usual.docno(),
            usual.json(),
            maxDocumentBytes,
            maxExpansion,
            maxNesting);
    long share = Math.min(memoryBytes, MemoryPlan.largestEmbedded() / slots);
    return new BuildOptions(
        ImmutableList.of(),
        recorded.source(limits),
        duplicates,
        output,
        false,
        html,
        recorded.text(),
        new BuildOptions.Resources(1, Math.max(BuildOptions.Resources.MIN_MEMORY_BYTES, share))
            .withSpace(space));
  }
}
