package io.kmodel.indexer.export.lucene;

import io.kmodel.indexer.index.FormatLimitException;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.ProgressListener;
import io.kmodel.indexer.index.Schema;
import io.kmodel.indexer.index.TermCursor;
import io.kmodel.indexer.store.Directories;
import io.kmodel.indexer.store.DiskSpace;
import io.kmodel.indexer.store.FreeFiles;
import io.kmodel.indexer.store.Interruption;
import io.kmodel.indexer.store.StagedOutput;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.CodecReader;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;

/**
 * Makes a Lucene index of ours: the one that IndexWriter would make of the same documents, in the
 * same order, by either {@link ExportPath}. The postings of a segment are written by one thread,
 * which goes through all our terms and writes its range of documents.
 *
 * <p>The index is written into {@code TARGET.exporting}, committed, checked, and moved in place
 * (see {@link StagedOutput}); on failure nothing is left. Memory: a few buffers and what Lucene's
 * codec holds, for each thread. Lucene's segment ids are random, so two exports differ in their
 * bytes.
 */
public final class LuceneExporter {
  /** Files in the making of a segment by IndexWriter, which writes one part after the other. */
  private static final int MERGE_FILES = 8;

  private LuceneExporter() {}

  /**
   * Exports an index.
   *
   * @param target absent, or an empty directory
   * @throws FileAlreadyExistsException where it is neither
   * @throws FormatLimitException where Lucene cannot hold the index: too many documents, or a term
   *     that is too long
   * @throws io.kmodel.indexer.store.CorruptIndexException where the index is damaged, or CheckIndex
   *     is not satisfied
   */
  public static ExportResult export(InvertedIndex index, Path target, ExportOptions options)
      throws IOException {
    return export(index, target, options, ProgressListener.NONE);
  }

  /** The same with progress. */
  public static ExportResult export(
      InvertedIndex index, Path target, ExportOptions options, ProgressListener progress)
      throws IOException {
    return export(index, TargetDirectory.absentOrEmpty(target), options, progress);
  }

  /**
   * The same into a directory that may be replaced.
   *
   * @param progress is told, by many threads and not always in order, of the bytes of postings and
   *     terms that were begun; by the plain path, of nothing
   */
  public static ExportResult export(
      InvertedIndex index, StagedOutput target, ExportOptions options, ProgressListener progress)
      throws IOException {
    target.requireFree();
    requireWithinLimits(index);
    requireRoom(index, target.output());
    try (target) {
      target.open();
      // Last, because it reads all of the index.
      index.verifyChecksums();
      Files.createDirectory(target.made());
      return write(index, target, options, progress);
    }
  }

  private static ExportResult write(
      InvertedIndex index, StagedOutput target, ExportOptions options, ProgressListener progress)
      throws IOException {
    Path made = target.made();
    long start = System.nanoTime();
    write(index, made, options, progress);
    long written = System.nanoTime();
    options.check().run(made, options.threads());
    long checked = System.nanoTime();
    ExportResult result =
        new ExportResult(
            index.documentCount(),
            terms(index),
            Directories.bytes(made, ""),
            segments(made, index.documentCount()),
            (written - start) * 1e-9,
            (checked - written) * 1e-9,
            options.check());
    target.publish();
    return result;
  }

  private static void write(
      InvertedIndex index, Path target, ExportOptions options, ProgressListener progress)
      throws IOException {
    int segments = Math.min(options.segments(), index.documentCount());
    try (Directory directory = new NamingDirectory(FSDirectory.open(target))) {
      if (segments > 0 && options.path() == ExportPath.DIRECT) {
        DirectExport.write(index, directory, options, progress);
      } else {
        addIndexes(index, directory, Math.max(1, segments), options);
      }
    }
  }

  private static void addIndexes(
      InvertedIndex index, Directory lucene, int segments, ExportOptions options)
      throws IOException {
    int threads =
        Math.clamp(FreeFiles.count() / MERGE_FILES, 1, Math.min(options.threads(), segments));
    IndexWriterConfig config =
        new IndexWriterConfig()
            .setOpenMode(IndexWriterConfig.OpenMode.CREATE)
            .setCodec(options.codec().codec())
            .setCommitOnClose(false)
            .setUseCompoundFile(false)
            .setMergePolicy(new SegmentPerReader())
            .setMergeScheduler(new MergeThreads(threads));
    List<CodecReader> readers = new ArrayList<>();
    try (IndexWriter writer = new IndexWriter(lucene, config)) {
      for (int i = 0; i < segments; i++) {
        readers.add(new RangeReader(index, DocumentRange.part(i, segments, index.documentCount())));
      }
      writer.addIndexes(readers.toArray(CodecReader[]::new));
      writer.commit();
    } finally {
      closeAll(readers);
    }
  }

  private static void closeAll(List<CodecReader> readers) throws IOException {
    for (CodecReader reader : readers) {
      reader.close();
    }
  }

  private static void requireWithinLimits(InvertedIndex index) throws IOException {
    if (index.documentCount() > IndexWriter.MAX_DOCS) {
      throw new FormatLimitException(
          "%s: lucene holds at most %d documents; got %d"
              .formatted(index.directory(), IndexWriter.MAX_DOCS, index.documentCount()));
    }
    Schema schema = index.schema();
    for (int field = 0; field < schema.size(); field++) {
      TermCursor terms = index.terms(field);
      while (terms.next()) {
        Interruption.requireNone();
        if (terms.termLength() > IndexWriter.MAX_TERM_LENGTH) {
          throw new FormatLimitException(
              "%s: field '%s': lucene's terms have at most %d bytes; got one of %d"
                  .formatted(
                      index.directory(),
                      schema.field(field).name(),
                      IndexWriter.MAX_TERM_LENGTH,
                      terms.termLength()));
        }
      }
    }
  }

  /** Postings and terms take about the same, stored texts up to twice as much. */
  private static void requireRoom(InvertedIndex index, Path target) throws IOException {
    long bytes = Directories.bytes(index.directory(), "");
    long stored = Directories.bytes(index.directory(), "documents.");
    DiskSpace.require(
        target,
        bytes + stored,
        "the export (of an index of %,d bytes, with stored documents of %,d)"
            .formatted(bytes, stored));
  }

  private static long terms(InvertedIndex index) {
    long terms = 0;
    for (int field = 0; field < index.schema().size(); field++) {
      terms += index.statistics(field).terms();
    }
    return terms;
  }

  /** Opens the index as every user of Lucene does, and counts. */
  private static int segments(Path directory, int documents) throws IOException {
    try (Directory lucene = FSDirectory.open(directory);
        DirectoryReader reader = DirectoryReader.open(lucene)) {
      if (reader.numDocs() != documents) {
        throw new IllegalStateException(
            "%d documents were exported; lucene counts %d".formatted(documents, reader.numDocs()));
      }
      return reader.leaves().size();
    }
  }
}
