package io.kmodel.indexer.index;

import com.google.common.collect.ImmutableList;
import com.google.common.math.LongMath;
import io.kmodel.indexer.index.columns.Columns;
import io.kmodel.indexer.index.documents.LengthsReader;
import io.kmodel.indexer.index.documents.StoredDocumentsReader;
import io.kmodel.indexer.index.documents.StoredTexts;
import io.kmodel.indexer.index.model.Column;
import io.kmodel.indexer.index.model.FieldStatistics;
import io.kmodel.indexer.index.model.IndexFiles;
import io.kmodel.indexer.index.model.IndexMetadata;
import io.kmodel.indexer.index.model.MetadataFile;
import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.index.model.ProgressListener;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.index.terms.IndexContent;
import io.kmodel.indexer.index.terms.TermBlocks;
import io.kmodel.indexer.index.terms.TermIndex;
import io.kmodel.indexer.store.CorruptIndexException;
import io.kmodel.indexer.store.InputFile;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * An open index with memory-mapped files. Opening checks the metadata's checksum, every file's
 * header, footer and length, and that the footer's checksum is the one in the metadata. All other
 * content is checked on first read, in cells of 16 KiB (see {@link InputFile}): a read returns what
 * was written or throws a {@link CorruptIndexException} with file and offset. Memory: a few KiB and
 * one bit per cell; the files' pages belong to the page cache. Thread-safe. Its cursors and readers
 * are not; they must not be used after the index is closed or after they have thrown an exception.
 */
public final class InvertedIndex implements AutoCloseable {
  /** The file that is written last. */
  public static final String METADATA = IndexFiles.METADATA;

  /** Every attempt but the last was cut short by a replacement of the index. */
  private static final int ATTEMPTS = 100;

  private final Path directory;
  private final IndexMetadata metadata;
  private final Map<String, InputFile> files;
  private final IndexContent content;
  private final LengthsReader[] lengths;
  private final Columns columns;

  private InvertedIndex(Path directory, IndexMetadata metadata, Map<String, InputFile> files)
      throws IOException {
    this.directory = directory;
    this.metadata = metadata;
    this.files = files;
    Schema schema = metadata.schema();
    this.content =
        new IndexContent(
            schema,
            metadata.documentCount(),
            file(IndexFiles.DICTIONARY),
            new TermIndex(file(IndexFiles.TERM_INDEX)),
            file(IndexFiles.DOCS),
            file(IndexFiles.POSITIONS));
    long terms = firstTerm(schema.size());
    if (terms != content.termIndex().terms()) {
      throw file(IndexFiles.TERM_INDEX)
          .corrupt("%d terms, expected %d".formatted(content.termIndex().terms(), terms));
    }
    this.lengths = new LengthsReader[schema.size()];
    for (int i = 0; i < lengths.length; i++) {
      if (schema.field(i).tokenized()) {
        InputFile file = file(IndexFiles.lengths(schema.field(i)));
        lengths[i] = new LengthsReader(file, metadata.documentCount());
      }
    }
    ImmutableList.Builder<InputFile> ofColumns = ImmutableList.builder();
    for (Column column : schema.columns()) {
      ofColumns.add(file(IndexFiles.column(column)));
    }
    this.columns = new Columns(schema.columns(), ofColumns.build(), metadata.documentCount());
  }

  /**
   * Opens an index. If another index replaces it meanwhile, opens one of them as a whole: a failure
   * is only reported if the index was not replaced.
   *
   * @throws CorruptIndexException if the metadata is damaged, or a file is not the one it names
   * @throws NoSuchFileException if a file is missing
   */
  public static InvertedIndex open(Path directory) throws IOException {
    Path file = directory.resolve(IndexFiles.METADATA);
    for (int attempt = 1; ; attempt++) {
      try (HeldMetadata held = HeldMetadata.open(file)) {
        try {
          return open(directory, held.metadata());
        } catch (IOException e) {
          if (attempt == ATTEMPTS || !held.isReplaced()) {
            throw e;
          }
        }
      }
    }
  }

  /** Identifies the index by its contents, see {@link MetadataFile#digest}. */
  public String digest() {
    return MetadataFile.digest(metadata);
  }

  /**
   * Opens an index in order to read all of it. Verifies the checksums of all files first, so that
   * no cell is checked later.
   *
   * @param progress receives the bytes read so far, and twice the index's bytes as the total
   */
  public static InvertedIndex openVerified(Path directory, ProgressListener progress)
      throws IOException {
    InvertedIndex index = open(directory);
    try {
      index.verifyChecksums(progress);
      return index;
    } catch (IOException | RuntimeException e) {
      index.close();
      throw e;
    }
  }

  private static InvertedIndex open(Path directory, IndexMetadata metadata) throws IOException {
    Map<String, InputFile> files = new TreeMap<>();
    try {
      for (Map.Entry<String, IndexMetadata.FileEntry> entry : metadata.files().entrySet()) {
        files.put(entry.getKey(), open(directory, entry.getKey(), entry.getValue()));
      }
      return new InvertedIndex(directory, metadata, files);
    } catch (IOException | RuntimeException e) {
      closeAll(files);
      throw e;
    }
  }

  private static InputFile open(Path directory, String name, IndexMetadata.FileEntry expected)
      throws IOException {
    InputFile file =
        InputFile.map(directory.resolve(name), IndexFiles.format(name), IndexFiles.VERSION);
    try {
      if (file.bytes() != expected.bytes()) {
        throw file.corrupt(
            "file has %d bytes, expected %d".formatted(file.bytes(), expected.bytes()));
      }
      if (file.storedChecksum() != expected.checksum()) {
        throw file.corrupt(
            "footer has checksum %#x, expected %#x (a file of another index?)"
                .formatted(file.storedChecksum(), expected.checksum()));
      }
      return file;
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  /** Whether a directory has metadata. If not, waits a moment, because it may be being replaced. */
  public static boolean exists(Path directory) {
    return HeldMetadata.await(directory.resolve(IndexFiles.METADATA));
  }

  /**
   * Whether a directory holds an index and nothing else. Reads the metadata, but no other file.
   *
   * @param others names of files that may exist besides the index's own
   */
  public static boolean isIndex(Path directory, Set<String> others) throws IOException {
    IndexMetadata metadata;
    try {
      metadata = MetadataFile.read(directory.resolve(IndexFiles.METADATA));
    } catch (CorruptIndexException | NoSuchFileException e) {
      return false;
    }
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      for (Path file : files) {
        if (!has(metadata, file.getFileName().toString(), others)) {
          return false;
        }
      }
    }
    return true;
  }

  /**
   * Whether an index may have a file with this name.
   *
   * @param others names of files that may exist besides the index's own
   */
  public static boolean has(IndexMetadata metadata, String name, Set<String> others) {
    return metadata.files().containsKey(name)
        || name.equals(IndexFiles.METADATA)
        || others.contains(name);
  }

  public Path directory() {
    return directory;
  }

  public IndexMetadata metadata() {
    return metadata;
  }

  public Schema schema() {
    return metadata.schema();
  }

  /** Documents are numbered from 0 to one below this. */
  public int documentCount() {
    return metadata.documentCount();
  }

  public FieldStatistics statistics(int field) {
    return metadata.statistics().get(field);
  }

  /** Random access to the terms of a field, for use by one thread. */
  public TermCursor terms(int field) throws IOException {
    return new IndexTermCursor(
        content, field, firstTerm(field), metadata.statistics().get(field).terms());
  }

  /** A sequential walk over the whole index, for use by one thread. */
  public PostingsCursor cursor() throws IOException {
    return cursor(0);
  }

  /**
   * A sequential walk over the whole index that leaves out documents before {@code firstDoc} where
   * it can: their blocks are skipped, not decoded. The statistics of terms still count them.
   */
  public PostingsCursor cursor(int firstDoc) throws IOException {
    return cursor(new TermBlocks(0, content.termIndex().blocks(), 0), firstDoc);
  }

  /** The same for a range of terms. */
  public PostingsCursor cursor(TermBlocks terms, int firstDoc) throws IOException {
    return new IndexCursor(content, terms, firstDoc);
  }

  /**
   * Cuts the terms into ranges of at most the given {@link TermBlocks#bytes}. A range exceeds it
   * only if the postings of a single block of terms do.
   */
  public List<TermBlocks> cutTerms(long bytes) throws IOException {
    return TermBlocks.cut(content, bytes);
  }

  /** Length of a document's tokenized field: tokens, counting only one per position. */
  public int length(int field, int docId) throws IOException {
    LengthsReader reader = lengths[field];
    if (reader == null) {
      throw new IllegalArgumentException(
          "field '%s' is not tokenized".formatted(schema().field(field).name()));
    }
    return reader.length(docId);
  }

  /** The metadata of documents; not to be closed. */
  public Columns columns() {
    return columns;
  }

  /** A reader of stored texts, for use by one thread. */
  public StoredTexts documents() throws IOException {
    return IndexFiles.hasStoredFields(schema()) ? storedDocuments() : StoredTexts.none(schema());
  }

  /** The same for a schema with a stored field. */
  public StoredDocumentsReader storedDocuments() throws IOException {
    return new StoredDocumentsReader(
        file(IndexFiles.DOCUMENTS),
        file(IndexFiles.DOCUMENT_INDEX),
        schema(),
        metadata.documentCount());
  }

  /**
   * Verifies the checksums of all files. Call this before the content is copied under checksums of
   * another format. Cells are not checked again afterwards.
   *
   * @throws CorruptIndexException if a byte was altered
   */
  public void verifyChecksums() throws IOException {
    verifyChecksums(ProgressListener.NONE);
  }

  private void verifyChecksums(ProgressListener progress) throws IOException {
    long done = 0;
    for (InputFile file : files.values()) {
      file.verify();
      done += file.bytes();
      progress.progress(done, 2 * metadata.bytes());
    }
  }

  @Override
  public void close() throws IOException {
    closeAll(files);
  }

  public IndexContent content() {
    return content;
  }

  /** Returns a file of the index. The metadata names every file that the schema requires. */
  public InputFile file(String name) throws CorruptIndexException {
    InputFile file = files.get(name);
    if (file == null) {
      throw new CorruptIndexException(directory.toString(), "file missing: " + name);
    }
    return file;
  }

  /** The number of terms in the fields before this one. */
  private long firstTerm(int field) {
    long terms = 0;
    for (int i = 0; i < field; i++) {
      terms = LongMath.saturatedAdd(terms, metadata.statistics().get(i).terms());
    }
    return terms;
  }

  private static void closeAll(Map<String, InputFile> files) throws IOException {
    IOException failure = null;
    for (InputFile file : files.values()) {
      try {
        file.close();
      } catch (IOException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
