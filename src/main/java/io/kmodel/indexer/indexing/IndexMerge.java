package io.kmodel.indexer.indexing;

import com.google.common.collect.MapDifference;
import com.google.common.collect.Maps;
import com.google.common.io.Closer;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.InvertedIndexWriter;
import io.kmodel.indexer.index.model.FormatLimitException;
import io.kmodel.indexer.index.model.IndexFiles;
import io.kmodel.indexer.index.model.ProgressListener;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.indexing.journal.OutputPlace;
import io.kmodel.indexer.indexing.journal.WorkDirectory;
import io.kmodel.indexer.indexing.merge.IndexLists;
import io.kmodel.indexer.indexing.options.BuildException;
import io.kmodel.indexer.store.disk.DiskSpace;
import io.kmodel.indexer.store.disk.FreeFiles;
import io.kmodel.indexer.store.disk.StagedOutput.Replaceable;
import io.kmodel.indexer.task.Workers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Merges indexes into one, with their documents in the order of the indexes: the same bytes as an
 * index that is built of the same documents at once. All have the same fields, analysis and other
 * options.
 *
 * <p>Memory on the heap: for each index and thread the buffers of its readers, some 300 KiB, and
 * {@value #HELD_BYTES} bytes for merged postings. Open files: some ten for each index. The index
 * appears under its name when it is complete; after a failure nothing is left.
 */
public final class IndexMerge {
  private static final long HELD_BYTES = 32 << 20;

  private static final int FILES_OF_AN_INDEX = 10;

  /** Documents whose lengths are appended at a time. */
  private static final int PIECE = 4096;

  /**
   * The merged index.
   *
   * @param sharedIds documents whose id an earlier index or document has
   */
  public record Result(int indexes, int documents, long terms, long sharedIds) {}

  private final List<Path> indexes;
  private final Path output;
  private final boolean overwrite;
  private final int threads;
  private final ProgressListener progress;

  /**
   * Prepares a merge.
   *
   * @param indexes in the order of their documents
   * @param overwrite whether an existing index may be replaced
   * @param threads how many merge
   * @param progress gets the number of merged ranges of terms
   */
  public IndexMerge(
      List<Path> indexes, Path output, boolean overwrite, int threads, ProgressListener progress) {
    this.indexes = List.copyOf(indexes);
    this.output = output;
    this.overwrite = overwrite;
    this.threads = threads;
    this.progress = progress;
  }

  /**
   * Merges.
   *
   * @throws BuildException if the output cannot be written, indexes differ in what an index
   *     records, or a document is in two indexes that were built without duplicates
   * @throws FormatLimitException if there are more documents than an index holds
   * @throws io.kmodel.indexer.store.CorruptIndexException if an index is damaged
   */
  public Result run() throws IOException, InterruptedException {
    @Nullable Replaceable replaceable = overwrite ? Target.ownIndex()::isIndex : null;
    OutputPlace.requireApart(indexes, output, replaceable);
    int most = FreeFiles.count() / FILES_OF_AN_INDEX - 1;
    if (indexes.size() > most) {
      throw new BuildException(
          "%d indexes cannot be merged at a time with the files that may be open (ulimit -n), only %d"
              .formatted(indexes.size(), Math.max(0, most)));
    }
    List<InvertedIndex> open = new ArrayList<>();
    try (Closer closer = Closer.create()) {
      for (Path index : indexes) {
        InvertedIndex opened = InvertedIndex.open(index);
        closer.register(opened::close);
        open.add(opened);
      }
      return merge(open, replaceable);
    }
  }

  private Result merge(List<InvertedIndex> open, @Nullable Replaceable replaceable)
      throws IOException, InterruptedException {
    InvertedIndex first = open.getFirst();
    open.forEach(index -> requireSame(first, index));
    long documents = open.stream().mapToLong(InvertedIndex::documentCount).sum();
    if (documents >= Integer.MAX_VALUE) {
      throw new FormatLimitException(
          "the indexes have %d documents together; an index holds at most %d"
              .formatted(documents, Integer.MAX_VALUE - 1));
    }
    String duplicates = first.metadata().options().getOrDefault("duplicates", "keep");
    IndexLists lists = new IndexLists(open, duplicates.equals("keep"), progress);
    long bytes = open.stream().mapToLong(index -> index.metadata().bytes()).sum();
    try (WorkDirectory directory = WorkDirectory.create(output, replaceable)) {
      DiskSpace.require(
          directory.root(), bytes, "the merge (of indexes of %,d bytes)".formatted(bytes));
      for (InvertedIndex index : open) {
        index.verifyChecksums();
      }
      try (InvertedIndexWriter index =
          new InvertedIndexWriter(directory.index(), first.schema()).holdParts(HELD_BYTES)) {
        try (Workers workers = Workers.givingWay("merge", threads)) {
          lists.merge(index, workers, threads);
        }
        copyLengths(open, index);
        if (IndexFiles.hasStoredFields(first.schema())) {
          for (InvertedIndex from : open) {
            index.appendDocuments(from);
          }
        }
        index.finish((int) documents, first.metadata().options());
      }
      directory.publish();
    }
    return new Result(open.size(), (int) documents, lists.terms(), lists.sharedIds());
  }

  private static void requireSame(InvertedIndex first, InvertedIndex other) {
    if (!first.schema().equals(other.schema())) {
      throw new BuildException(
          "%s and %s have different fields: %s and %s"
              .formatted(first.directory(), other.directory(), first.schema(), other.schema()));
    }
    MapDifference<String, String> options =
        Maps.difference(first.metadata().options(), other.metadata().options());
    if (!options.areEqual()) {
      Map<String, MapDifference.ValueDifference<String>> differing = options.entriesDiffering();
      throw new BuildException(
          "%s and %s were built with different options: %s"
              .formatted(
                  first.directory(),
                  other.directory(),
                  differing.isEmpty()
                      ? "only one has "
                          + Maps.asMap(options.entriesOnlyOnLeft().keySet(), key -> "").keySet()
                          + options.entriesOnlyOnRight().keySet()
                      : differing));
    }
  }

  private static void copyLengths(List<InvertedIndex> open, InvertedIndexWriter to)
      throws IOException {
    Schema schema = to.schema();
    int[] piece = new int[PIECE];
    for (int field = 0; field < schema.size(); field++) {
      if (!schema.field(field).tokenized()) {
        continue;
      }
      for (InvertedIndex index : open) {
        for (int doc = 0; doc < index.documentCount(); doc += PIECE) {
          int count = Math.min(PIECE, index.documentCount() - doc);
          for (int i = 0; i < count; i++) {
            piece[i] = index.length(field, doc + i);
          }
          to.appendLengths(field, piece, count);
        }
      }
    }
  }
}
