package io.kmodel.indexer.indexing.cluster;

import io.kmodel.indexer.export.lucene.ExportOptions;
import io.kmodel.indexer.export.lucene.LuceneExporter;
import io.kmodel.indexer.export.lucene.version.LuceneVersion;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.model.ProgressListener;
import io.kmodel.indexer.indexing.IndexMerge;
import io.kmodel.indexer.store.disk.Directories;
import io.kmodel.indexer.store.disk.DiskSpace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Makes a shard: merges its splits to an index, which it exports and deletes. Memory on the heap:
 * that of {@link IndexMerge} and {@link LuceneExporter} with one thread.
 */
final class Sharding {
  /** Below an attempt's directory. */
  static final String LUCENE = "lucene";

  private static final String MERGED = "merged";

  private Sharding() {}

  /**
   * Runs the task.
   *
   * @param scratch a directory on this machine's own disk
   */
  static SealedShard run(ShardTask task, Path scratch) throws IOException, InterruptedException {
    Workspace work = Workspace.of(task.workspace(), scratch);
    return work.attempt(
        Workspace.SHARDS,
        task.number(),
        (directory, name) -> make(task, work, Files.createDirectory(directory), name));
  }

  private static SealedShard make(ShardTask task, Workspace work, Path directory, String name)
      throws IOException, InterruptedException {
    for (SealedSplit split : task.splits()) {
      // Compares it with what its task has sealed.
      work.open(split).close();
    }
    Path merged = directory.resolve(MERGED);
    List<Path> splits = task.splits().stream().map(work::splitDirectory).toList();
    new IndexMerge(
            new IndexMerge.Options(splits, merged, false, null, 1, DiskSpace.CHECKED),
            ProgressListener.NONE)
        .run();
    int documents;
    try (InvertedIndex index = InvertedIndex.open(merged)) {
      documents = index.documentCount();
      LuceneExporter.export(
          index,
          directory.resolve(LUCENE),
          new ExportOptions(
              1, 1, task.options().check(), task.options().codec(), LuceneVersion.NEWEST));
    }
    Directories.deleteTree(merged);
    return new SealedShard(task.number(), name, documents);
  }
}
