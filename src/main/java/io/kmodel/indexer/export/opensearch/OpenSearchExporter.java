package io.kmodel.indexer.export.opensearch;

import com.google.common.collect.ImmutableMap;
import io.kmodel.indexer.export.lucene.ExportOptions;
import io.kmodel.indexer.export.lucene.IndexCheck;
import io.kmodel.indexer.export.lucene.LuceneExporter;
import io.kmodel.indexer.export.lucene.TargetDirectory;
import io.kmodel.indexer.export.lucene.version.LuceneVersion;
import io.kmodel.indexer.export.lucene.version.LuceneWriter;
import io.kmodel.indexer.export.lucene.version.VersionLoader;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.TermCursor;
import io.kmodel.indexer.index.model.FormatLimitException;
import io.kmodel.indexer.index.model.ProgressListener;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.store.disk.Directories;
import io.kmodel.indexer.store.disk.DiskSpace;
import io.kmodel.indexer.store.disk.StagedOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Makes a snapshot repository with an index that OpenSearch 3.9 restores and serves. Lucene 10.5
 * writes the shard, in one thread. Like other exports, the repository appears when it is complete
 * and checked (see {@link StagedOutput}).
 */
public final class OpenSearchExporter {
  /** OpenSearch refuses longer ids. */
  private static final int LONGEST_ID_BYTES = 512;

  private static final int LONGEST_NAME_BYTES = 255;
  private static final Pattern FORBIDDEN =
      Pattern.compile("^[-_+]|^\\.+$|[\\\\/*?\"<>| ,#:\\p{Cc}]");

  private OpenSearchExporter() {}

  /**
   * Options of an export.
   *
   * @param name of the index in OpenSearch
   * @param mapping a file that adds to settings and mappings; null for none
   * @param segments how many
   * @param check how the shard is checked
   * @param space whether the disk must have room
   */
  public record Options(
      String name, @Nullable Path mapping, int segments, IndexCheck check, DiskSpace space) {
    public Options {
      if (FORBIDDEN.matcher(name).find()
          || !name.equals(name.toLowerCase(Locale.ROOT))
          || name.isEmpty()
          || name.getBytes(StandardCharsets.UTF_8).length > LONGEST_NAME_BYTES) {
        throw new IllegalArgumentException(
            "'%s' cannot be the name of an index in OpenSearch".formatted(name));
      }
      new ExportOptions(segments, 1, check); // checks the number
    }
  }

  /** A finished export. */
  public record Result(int documents, int segments, long bytes) {}

  /**
   * Exports an index.
   *
   * @throws IllegalArgumentException if the index has no stored ids or holds sparse vectors, or the
   *     mapping does not fit it
   * @throws FormatLimitException if OpenSearch cannot hold the index: two documents with the same
   *     id, an id or a term that is too long, or too many documents
   */
  public static Result export(
      InvertedIndex index, StagedOutput target, Options options, ProgressListener progress)
      throws IOException {
    target.requireFree();
    requireIds(index);
    LuceneExporter.requireWithinLimits(index);
    IndexDefinition definition = new IndexDefinition(index, options.mapping());
    LuceneExporter.requireRoom(index, target.output(), options.space());
    try (target) {
      target.open();
      index.verifyChecksums();
      SnapshotRepository repository = new SnapshotRepository(target.made(), options.name());
      Path work = Files.createDirectory(target.made().resolve("work"));
      int segments;
      try (VersionLoader lucene = VersionLoader.of(LuceneVersion.V10_5);
          ShardSource documents = new ShardSource(index, progress)) {
        LuceneWriter writer = lucene.writer();
        Path shard = repository.shard();
        writer.writeShard(
            index, shard, work, options.segments(), commit(index.documentCount()), documents);
        options.check().run(shard, writer);
        segments = writer.segments(shard, index.documentCount());
        documents.finish();
      }
      Directories.deleteTree(work);
      Result result =
          new Result(index.documentCount(), segments, Directories.bytes(repository.shard(), ""));
      repository.finish(definition);
      target.publish();
      return result;
    }
  }

  /** Every document is an operation of the shard, and none of them is kept to be repeated. */
  private static Map<String, String> commit(int documents) {
    String last = Integer.toString(documents - 1);
    return ImmutableMap.of(
        "local_checkpoint",
        last,
        "max_seq_no",
        last,
        "min_retained_seq_no",
        Integer.toString(documents),
        "max_unsafe_auto_id_timestamp",
        "-1",
        "history_uuid",
        SnapshotRepository.id(),
        "translog_uuid",
        SnapshotRepository.id());
  }

  private static void requireIds(InvertedIndex index) throws IOException {
    Schema schema = index.schema();
    int id = schema.find(Schema.ID);
    if (id < 0 || !schema.field(id).stored()) {
      throw new IllegalArgumentException(
          "%s stores no ids, which OpenSearch needs".formatted(index.directory()));
    }
    if (schema.hasImpacts()) {
      throw new IllegalArgumentException(
          "%s holds sparse vectors, which cannot be exported to OpenSearch"
              .formatted(index.directory()));
    }
    TermCursor ids = index.terms(id);
    while (ids.next()) {
      if (ids.docFreq() > 1 || ids.termLength() == 0 || ids.termLength() > LONGEST_ID_BYTES) {
        String text = ids.text();
        throw new FormatLimitException(
            ids.docFreq() > 1
                ? "%s: %d documents have the id '%s'; OpenSearch keeps one of each id (build with --duplicates)"
                    .formatted(index.directory(), ids.docFreq(), text)
                : "%s: OpenSearch wants ids of 1 to %d bytes; got '%s'"
                    .formatted(index.directory(), LONGEST_ID_BYTES, text));
      }
    }
  }

  /**
   * The directory that becomes a repository.
   *
   * @param overwrite whether it may hold an export that no cluster has written to
   */
  public static StagedOutput directory(Path path, boolean overwrite) throws IOException {
    return overwrite
        ? TargetDirectory.replacing(path, SnapshotRepository::isUntouched)
        : TargetDirectory.absentOrEmpty(path);
  }
}
