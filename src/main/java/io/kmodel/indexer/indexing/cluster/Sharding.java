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
    String name = Workspace.attempt(task.number());
    Path directory = Files.createDirectory(work.begin(Workspace.SHARDS, name));
    Path merged = directory.resolve(MERGED);
    boolean isSealed = false;
    try {
      for (SealedSplit split : task.splits()) {
        work.open(split).close();
      }
      List<Path> splits = task.splits().stream().map(split -> work.splitDirectory(split)).toList();
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
      isSealed = true;
      return new SealedShard(task.number(), name, documents);
    } finally {
      if (!isSealed) {
        Directories.deleteTree(directory);
      }
    }
  }
}
