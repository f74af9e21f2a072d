package io.kmodel.indexer.export.lucene;

import io.kmodel.indexer.export.lucene.plain.PlainWriter;
import io.kmodel.indexer.export.lucene.segment.ExportCodec;
import io.kmodel.indexer.export.lucene.segment.NamingDirectory;
import io.kmodel.indexer.export.lucene.vectors.DocumentVectors;
import io.kmodel.indexer.export.lucene.version.LuceneVersion;
import io.kmodel.indexer.export.lucene.version.LuceneWriter;
import io.kmodel.indexer.export.lucene.version.VersionLoader;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.TermCursor;
import io.kmodel.indexer.index.model.FormatLimitException;
import io.kmodel.indexer.index.model.IndexFiles;
import io.kmodel.indexer.index.model.ProgressListener;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.store.disk.Directories;
import io.kmodel.indexer.store.disk.DiskSpace;
import io.kmodel.indexer.store.disk.StagedOutput;
import io.kmodel.indexer.task.Interruption;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;

/**
 * Makes a Lucene index of ours: the one that IndexWriter would make of the same documents, in the
 * same order. One thread writes the postings of a segment: it reads all terms of the index, and of
 * their postings those of the segment's documents. Idle threads help it: they encode later terms
 * ahead, in memory. Another version of Lucene than the newest writes by one thread, through
 * IndexWriter.
 *
 * <p>The index is written into {@code TARGET.exporting}, committed, checked, and moved in place
 * (see {@link StagedOutput}); on failure nothing is left. Memory: a few buffers and what Lucene's
 * codec holds, for each thread, and the postings that are encoded ahead, about a quarter of the
 * heap at most. Lucene's segment ids are random, so two exports differ in their bytes.
 */
public final class LuceneExporter {
  private LuceneExporter() {}

  /**
   * Exports an index.
   *
   * @param target an empty directory or one that does not exist
   * @throws FileAlreadyExistsException if it is neither
   * @throws FormatLimitException if Lucene cannot hold the index: too many documents, or a term
   *     that is too long
   * @throws IllegalArgumentException if term vectors are wanted, but texts are not stored
   * @throws io.kmodel.indexer.store.CorruptIndexException if the index is damaged, or CheckIndex
   *     reports an error
   */
  public static ExportResult export(InvertedIndex index, Path target, ExportOptions options)
      throws IOException {
    return export(index, target, options, ProgressListener.NONE);
  }

  /** The same with progress reports. */
  public static ExportResult export(
      InvertedIndex index, Path target, ExportOptions options, ProgressListener progress)
      throws IOException {
    return export(index, TargetDirectory.absentOrEmpty(target), options, progress);
  }

  /**
   * The same into a directory that may be replaced.
   *
   * @param progress is told, by many threads and not always in order, of the bytes of postings and
   *     terms that were begun
   */
  public static ExportResult export(
      InvertedIndex index, StagedOutput target, ExportOptions options, ProgressListener progress)
      throws IOException {
    target.requireFree();
    requireWithinLimits(index);
    if (options.vectors()) {
      DocumentVectors.requireTexts(index.schema());
    }
    requireRoom(index, target.output(), options);
    try (target) {
      target.open();
      // Last, because it reads all of the index.
      index.verifyChecksums();
      Files.createDirectory(target.made());
      return write(index, target, options, progress);
    }
  }

  /**
   * Whether a directory holds what an export with these options makes of an index. Reads the commit
   * only.
   *
   * @param anySegments whether the number of segments does not matter
   */
  public static boolean isExport(
      InvertedIndex index, Path directory, ExportOptions options, boolean anySegments)
      throws IOException {
    return Files.isDirectory(directory)
        && ExportMark.isOf(userData(directory, options.version()), index, options, anySegments);
  }

  private static Map<String, String> userData(Path directory, LuceneVersion version)
      throws IOException {
    if (version == LuceneVersion.NEWEST) {
      return new PlainWriter().userData(directory);
    }
    try (VersionLoader lucene = VersionLoader.of(version)) {
      return lucene.writer().userData(directory);
    }
  }

  /**
   * Checks an export that is in place, at least its checksums.
   *
   * @throws io.kmodel.indexer.store.CorruptIndexException if CheckIndex reports an error
   */
  public static void check(Path directory, ExportOptions options) throws IOException {
    IndexCheck check = options.check() == IndexCheck.NONE ? IndexCheck.CHECKSUMS : options.check();
    if (options.version() == LuceneVersion.NEWEST) {
      check.run(directory, options.threads());
      return;
    }
    try (VersionLoader lucene = VersionLoader.of(options.version())) {
      check.run(directory, lucene.writer());
    }
  }

  private static ExportResult write(
      InvertedIndex index, StagedOutput target, ExportOptions options, ProgressListener progress)
      throws IOException {
    Path made = target.made();
    long start = System.nanoTime();
    long written;
    int segments;
    if (options.version() == LuceneVersion.NEWEST) {
      write(index, made, options, progress);
      written = System.nanoTime();
      options.check().run(made, options.threads());
      segments = segments(made, index.documentCount());
    } else {
      try (VersionLoader lucene = VersionLoader.of(options.version())) {
        LuceneWriter writer = lucene.writer();
        boolean isSmall = options.codec() == ExportCodec.BEST_COMPRESSION;
        writer.write(index, made, options.segments(), isSmall, ExportMark.of(index, options));
        written = System.nanoTime();
        options.check().run(made, writer);
        segments = writer.segments(made, index.documentCount());
      }
    }
    ExportResult result =
        new ExportResult(
            index.documentCount(),
            terms(index),
            Directories.bytes(made, ""),
            segments,
            (written - start) * 1e-9,
            (System.nanoTime() - written) * 1e-9,
            options.check(),
            options.version());
    target.publish();
    return result;
  }

  private static void write(
      InvertedIndex index, Path target, ExportOptions options, ProgressListener progress)
      throws IOException {
    try (Directory directory = new NamingDirectory(FSDirectory.open(target))) {
      DirectExport.write(index, directory, options, progress);
    }
  }

  /**
   * Checks that Lucene can hold an index. Reads its terms.
   *
   * @throws FormatLimitException if it cannot
   */
  public static void requireWithinLimits(InvertedIndex index) throws IOException {
    if (index.documentCount() > IndexWriter.MAX_DOCS) {
      throw new FormatLimitException(
          "%s: Lucene holds at most %d documents; got %d"
              .formatted(index.directory(), IndexWriter.MAX_DOCS, index.documentCount()));
    }
    Schema schema = index.schema();
    for (int field = 0; field < schema.size(); field++) {
      TermCursor terms = index.terms(field);
      while (terms.next()) {
        Interruption.requireNone();
        if (terms.termLength() > IndexWriter.MAX_TERM_LENGTH) {
          throw new FormatLimitException(
              "%s: field '%s': Lucene's terms have at most %d bytes; got one of %d"
                  .formatted(
                      index.directory(),
                      schema.field(field).name(),
                      IndexWriter.MAX_TERM_LENGTH,
                      terms.termLength()));
        }
      }
    }
  }

  /**
   * Checks the free disk space. Postings and terms take about the same space in Lucene, stored
   * texts up to twice as much.
   */
  public static void requireRoom(InvertedIndex index, Path target, DiskSpace space)
      throws IOException {
    long bytes = index.metadata().bytes();
    long stored = storedBytes(index);
    space.require(
        target,
        bytes + stored,
        "the export (of an index of %,d bytes, with stored documents of %,d)"
            .formatted(bytes, stored));
  }

  /** The same, where term vectors take about as much as postings and terms. */
  private static void requireRoom(InvertedIndex index, Path target, ExportOptions options)
      throws IOException {
    if (options.vectors()) {
      long bytes = 2 * index.metadata().bytes();
      options.space().require(target, bytes + storedBytes(index), "the export with term vectors");
    } else {
      requireRoom(index, target, options.space());
    }
  }

  private static long storedBytes(InvertedIndex index) throws IOException {
    return IndexFiles.hasStoredFields(index.schema())
        ? index.file(IndexFiles.DOCUMENTS).bytes()
        : 0;
  }

  /** Counts the segments of an index. Its files are mapped, so that few are open at a time. */
  private static int segments(Path directory, int documents) throws IOException {
    try (Directory lucene = FSDirectory.open(directory)) {
      return PlainWriter.segments(lucene, documents);
    }
  }

  private static long terms(InvertedIndex index) {
    long terms = 0;
    for (int field = 0; field < index.schema().size(); field++) {
      terms += index.statistics(field).terms();
    }
    return terms;
  }
}
