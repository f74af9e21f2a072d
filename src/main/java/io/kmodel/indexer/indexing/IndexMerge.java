package io.kmodel.indexer.indexing;

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
import io.kmodel.indexer.indexing.report.BuildReport;
import io.kmodel.indexer.store.disk.DiskSpace;
import io.kmodel.indexer.store.disk.FreeFiles;
import io.kmodel.indexer.store.disk.Places;
import io.kmodel.indexer.store.disk.StagedOutput.Replaceable;
import io.kmodel.indexer.task.Workers;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Merges indexes into one, with their documents in the order of the indexes: the same bytes as an
 * index that is built of the same documents at once. All have the same fields, analysis and other
 * options.
 *
 * <p>Memory on the heap: for each index and thread the buffers of its readers, some 300 KiB, and
 * {@value #HELD_BYTES} bytes for merged postings. Open files: those of all indexes. The index
 * appears under its name when it is complete; after a failure nothing is left.
 */
public final class IndexMerge {
  private static final long HELD_BYTES = 32 << 20;

  /** Open files of a few parts of the merged index, and of its other files. */
  private static final int FILES_OF_PARTS = 40;

  /** Heap for a cursor over an index. */
  private static final int CURSOR_BYTES = 300 << 10;

  /** The option for the format of documents, which does not decide what an index records. */
  private static final String FORMAT = "format";

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
    requireDifferent();
    List<InvertedIndex> open = new ArrayList<>();
    try (Closer closer = Closer.create()) {
      for (Path index : indexes) {
        requireFiles(open);
        InvertedIndex opened = InvertedIndex.open(index);
        closer.register(opened::close);
        open.add(opened);
      }
      return merge(open, replaceable);
    }
  }

  /** Requires that another index can be opened, with as many files as those before, and parts. */
  private void requireFiles(List<InvertedIndex> open) {
    int files = open.stream().mapToInt(index -> index.metadata().files().size()).max().orElse(0);
    if (FreeFiles.count() < files + FILES_OF_PARTS) {
      throw new BuildException(
          "only %d of %d indexes can be merged at a time with the files that may be open: raise ulimit -n"
              .formatted(open.size(), indexes.size()));
    }
  }

  /** As many threads as there is heap for their cursors. */
  private int threads(int inputs) {
    long room = Runtime.getRuntime().maxMemory() / 2 - HELD_BYTES;
    long most = room / ((long) CURSOR_BYTES * inputs);
    if (most < 1) {
      throw new BuildException(
          "%d indexes are too many to be merged at a time with a heap of %d MiB; raise INDEXER_JAVA_OPTIONS=-Xmx"
              .formatted(inputs, Runtime.getRuntime().maxMemory() >> 20));
    }
    return (int) Math.min(most, threads);
  }

  private void requireDifferent() throws IOException {
    Set<Path> known = new HashSet<>();
    for (Path index : indexes) {
      if (!known.add(Places.real(index))) {
        throw new BuildException(index + " is given twice");
      }
      if (Places.meet(index, output)) {
        throw new BuildException(
            "the index %s and the output %s must not contain each other".formatted(index, output));
      }
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
        int merging = threads(open.size());
        try (Workers workers = Workers.givingWay("merge", merging)) {
          lists.merge(index, workers, merging);
        }
        copyLengths(open, index);
        if (IndexFiles.hasStoredFields(first.schema())) {
          for (InvertedIndex from : open) {
            index.appendDocuments(from);
          }
        }
        index.finish((int) documents, options(open));
      }
      copySkipped(open, directory.index());
      directory.publish();
    }
    return new Result(open.size(), (int) documents, lists.terms(), lists.sharedIds());
  }

  private static void requireSame(InvertedIndex first, InvertedIndex other) {
    List<String> fields = fields(first);
    List<String> others = fields(other);
    if (!fields.equals(others)) {
      throw new BuildException(
          "%s and %s have different fields: %s; %s"
              .formatted(
                  first.directory(),
                  other.directory(),
                  without(fields, others),
                  without(others, fields)));
    }
    Map<String, String> here = new TreeMap<>(first.metadata().options());
    Map<String, String> there = new TreeMap<>(other.metadata().options());
    here.remove(FORMAT);
    there.remove(FORMAT);
    if (!here.equals(there)) {
      throw new BuildException(
          "%s and %s were built with different options: %s; %s"
              .formatted(
                  first.directory(),
                  other.directory(),
                  without(options(here), options(there)),
                  without(options(there), options(here))));
    }
  }

  private static List<String> fields(InvertedIndex index) {
    return index.schema().fields().stream()
        .map(
            field ->
                "%s (%s%s%s)"
                    .formatted(
                        field.name(),
                        field.detail().name().toLowerCase(Locale.ROOT),
                        field.tokenized() ? "" : ", one term",
                        field.stored() ? ", stored" : ""))
        .toList();
  }

  private static List<String> options(Map<String, String> options) {
    return options.entrySet().stream()
        .map(option -> option.getKey() + " " + option.getValue())
        .toList();
  }

  /** The words that another list does not have. */
  private static String without(List<String> all, List<String> others) {
    List<String> rest = all.stream().filter(word -> !others.contains(word)).toList();
    return rest.isEmpty() ? "nothing" : String.join(", ", rest);
  }

  /** The options of the result; a format that only some indexes were limited to is left open. */
  private static Map<String, String> options(List<InvertedIndex> open) {
    Map<String, String> options = new TreeMap<>(open.getFirst().metadata().options());
    Set<String> formats =
        open.stream()
            .map(index -> index.metadata().options().getOrDefault(FORMAT, ""))
            .collect(Collectors.toSet());
    if (formats.size() > 1) {
      options.put(FORMAT, "auto");
    }
    return options;
  }

  /** Joins the lists of documents that were skipped when the indexes were built. */
  private static void copySkipped(List<InvertedIndex> open, Path directory) throws IOException {
    Path target = directory.resolve(BuildReport.SKIPPED_FILE_NAME);
    for (InvertedIndex index : open) {
      Path skipped = index.directory().resolve(BuildReport.SKIPPED_FILE_NAME);
      if (Files.exists(skipped)) {
        try (OutputStream out =
            Files.newOutputStream(target, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
          Files.copy(skipped, out);
        }
      }
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
