package io.kmodel.indexer.index;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import io.kmodel.indexer.index.columns.ColumnPartWriter;
import io.kmodel.indexer.index.columns.ColumnReader;
import io.kmodel.indexer.index.columns.ColumnsWriter;
import io.kmodel.indexer.index.documents.DocumentsWriter;
import io.kmodel.indexer.index.documents.KeptDocuments;
import io.kmodel.indexer.index.documents.LengthsWriter;
import io.kmodel.indexer.index.documents.StoredDocumentsReader;
import io.kmodel.indexer.index.documents.StoredDocumentsWriter;
import io.kmodel.indexer.index.model.Column;
import io.kmodel.indexer.index.model.ColumnStatistics;
import io.kmodel.indexer.index.model.ColumnType;
import io.kmodel.indexer.index.model.FieldStatistics;
import io.kmodel.indexer.index.model.IndexFiles;
import io.kmodel.indexer.index.model.IndexMetadata;
import io.kmodel.indexer.index.model.MetadataFile;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.index.model.TermDistribution;
import io.kmodel.indexer.index.model.TopTerms;
import io.kmodel.indexer.store.InputFile;
import io.kmodel.indexer.store.disk.Directories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Writes an index from parts of its terms, lengths, stored documents and columns. These may be
 * interleaved, but each must come in order; {@link #finish} completes the index. The files depend
 * only on the index's content, not on how terms were cut into parts or documents into files.
 *
 * <p>Memory: about 64 KiB per file, for columns 250 KiB and a block of strings (at most 24 MiB),
 * and the bytes of {@link #holdParts}. Any thread may start parts; all other methods must be called
 * by one thread at a time; parts, and documents with lengths and columns, may have a thread each.
 * Closing before {@code finish} has returned deletes everything written, unless there was a {@link
 * #checkpoint}. After one, {@link #resume} continues with the terms from there, and lengths, stored
 * documents and columns must be added again. An index is complete once {@code index.json} exists.
 */
public final class InvertedIndexWriter implements AutoCloseable {
  private final Path directory;
  private final Path temporary;
  private final Schema schema;

  private final PostingsFiles postings;
  private final @Nullable LengthsWriter[] lengths;
  private final @Nullable DocumentsWriter documents;
  private final ColumnsWriter columns;

  /** Whether the last call to append documents failed. */
  private boolean documentsFailed;

  private boolean finished;

  /** Whether closing keeps the files, complete or not. */
  private boolean kept;

  /** Starts an index in a directory that is empty or does not exist. */
  public InvertedIndexWriter(Path directory, Schema schema) throws IOException {
    this(Directories.createEmpty(directory), schema, false);
  }

  private InvertedIndexWriter(Path directory, Schema schema, boolean resumable) throws IOException {
    IndexFiles.checkNames(schema);
    this.directory = directory;
    this.temporary = directory.resolve(IndexFiles.TEMPORARY);
    this.schema = schema;
    this.lengths = new LengthsWriter[schema.size()];
    Files.createDirectories(temporary);
    this.postings = new PostingsFiles(directory, temporary, schema, resumable);
    this.documents = IndexFiles.hasStoredFields(schema) ? new DocumentsWriter(directory) : null;
    for (int i = 0; i < lengths.length; i++) {
      if (schema.field(i).tokenized()) {
        lengths[i] = new LengthsWriter(temporary, schema.field(i));
      }
    }
    this.columns = new ColumnsWriter(directory, schema.columns());
  }

  /** Starts an index that can have checkpoints. It keeps some files until it is finished. */
  public static InvertedIndexWriter resumable(Path directory, Schema schema) throws IOException {
    return new InvertedIndexWriter(Directories.createEmpty(directory), schema, true);
  }

  /**
   * Continues an index whose writer had a checkpoint, whether or not it was finished.
   *
   * @throws io.kmodel.indexer.store.CorruptIndexException if files that the checkpoint covers are
   *     missing or damaged; the directory must then be deleted
   */
  public static InvertedIndexWriter resume(Path directory, Schema schema, WriterCheckpoint at)
      throws IOException {
    Files.deleteIfExists(directory.resolve(IndexFiles.METADATA));
    InvertedIndexWriter writer = new InvertedIndexWriter(directory, schema, true);
    try {
      writer.kept = true;
      writer.postings.resume(at);
      return writer;
    } catch (IOException | RuntimeException e) {
      writer.close();
      throw e;
    }
  }

  /**
   * Keeps the postings of parts started from now on in memory until the parts are appended, so that
   * they are written once instead of twice.
   *
   * @param bytes heap limit for all parts together; postings beyond it go to files
   */
  public InvertedIndexWriter holdParts(long bytes) {
    postings.holdParts(bytes);
    return this;
  }

  /** The fields of the index. */
  public Schema schema() {
    return schema;
  }

  /** The frequencies of the terms of tokenized fields appended so far. */
  public TermDistribution distribution() {
    return postings.counts().distribution();
  }

  /** The terms of tokenized fields appended so far that most documents have. */
  public TopTerms top() {
    return postings.counts().top();
  }

  /** Starts a range of terms. The caller must close it, whether or not it is appended. */
  public PostingsPart newPart() throws IOException {
    return postings.newPart();
  }

  /** Starts a range of terms that uses none of the memory reserved for parts. */
  public PostingsPart newPartInFiles() throws IOException {
    return postings.newPartInFiles();
  }

  /**
   * Appends a part, whose terms must be above all terms appended so far, and deletes its files.
   *
   * @throws IllegalArgumentException if the terms are out of order; the writer is then unusable
   */
  public void append(PostingsPart part) throws IOException {
    append(part, Runnable::run);
  }

  /**
   * The same with documents, positions and terms appended by one task each. The first part is
   * appended by a single task.
   *
   * @param files runs the tasks, all of which have ended when this method returns
   */
  public void append(PostingsPart part, Executor files) throws IOException {
    postings.append(part, files);
  }

  /**
   * Appends a part that another process wrote, after verifying it, with a task for each file. Its
   * files stay.
   *
   * @param directory of the part
   * @param files runs the tasks, all of which have ended when this method returns
   * @throws io.kmodel.indexer.store.CorruptIndexException if a file is damaged or missing
   * @throws IllegalArgumentException if the terms are out of order; the writer is then unusable
   */
  public void append(Path directory, SealedPart part, Executor files) throws IOException {
    postings.append(directory, part, files);
  }

  /**
   * Forces all appended parts to disk, so that {@link #resume} can continue after them.
   *
   * @return the state to resume from, without the terms of parts in earlier checkpoints
   * @throws IllegalStateException if nothing was appended, or an append failed
   */
  public WriterCheckpoint checkpoint() throws IOException {
    if (documentsFailed) {
      throw new IllegalStateException("appending documents failed; no checkpoint is possible");
    }
    WriterCheckpoint at = postings.checkpoint();
    kept = true;
    return at;
  }

  /** Whether a checkpoint is possible. */
  public boolean isWhole() {
    return !documentsFailed && postings.isWhole() && postings.hasParts();
  }

  /** Adds the lengths in tokens of the next {@code count} documents of a tokenized field. */
  public void appendLengths(int field, int[] tokenCounts, int count) throws IOException {
    LengthsWriter writer = lengths[field];
    if (writer == null) {
      throw new IllegalArgumentException(
          "field '%s' is not tokenized".formatted(schema.field(field).name()));
    }
    writer.add(tokenCounts, count);
  }

  /**
   * Adds the next stored documents.
   *
   * @param part a file that {@link StoredDocumentsWriter} wrote for the same schema; not deleted
   */
  public void appendDocuments(Path part) throws IOException {
    append(to -> to.append(part));
  }

  /** Adds the stored documents that stay of an index with the same schema. */
  public void appendDocuments(InvertedIndex from, KeptDocuments kept) throws IOException {
    InputFile file = from.file(IndexFiles.DOCUMENTS);
    append(
        to -> {
          try (StoredDocumentsReader reader = from.storedDocuments()) {
            to.append(file, reader, schema, kept);
          }
        });
  }

  /**
   * Adds the values of the next documents in all columns.
   *
   * @param part a file that {@link ColumnPartWriter} wrote for the same columns; not deleted
   */
  public void appendColumns(Path part) throws IOException {
    documentsFailed = true;
    columns.append(part);
    documentsFailed = false;
  }

  /** Adds the value of the next document in one column, or that it has none. */
  public void appendValue(int column, ColumnReader from, int doc) throws IOException {
    columns.append(column, from, doc);
  }

  /** Appends to the stored documents. */
  @FunctionalInterface
  private interface DocumentsTask {
    void run(DocumentsWriter to) throws IOException;
  }

  private void append(DocumentsTask task) throws IOException {
    if (documents == null) {
      throw new IllegalArgumentException("no field of the schema is stored");
    }
    documentsFailed = true;
    task.run(documents);
    documentsFailed = false;
  }

  /**
   * Writes the remaining files and, last, {@code index.json}. If there was a {@link #checkpoint},
   * {@link #resume} still works until {@link #forgetCheckpoints} is called.
   *
   * @param options the build options that affect the content, such as the analyzer
   * @return the content of {@code index.json}
   * @throws IllegalStateException if the number of lengths or stored documents is wrong, or if
   *     postings refer to documents beyond {@code documentCount}
   */
  public IndexMetadata finish(int documentCount, Map<String, String> options) throws IOException {
    checkComplete(documentCount);
    postings.commit();
    for (LengthsWriter writer : lengths) {
      if (writer != null) {
        writer.commit(directory);
      }
    }
    if (documents != null) {
      documents.commit();
    }
    ImmutableList<ColumnStatistics> ofColumns = columns.commit();
    requireSameDocuments(ofColumns);
    closeAll();
    IndexMetadata metadata =
        new IndexMetadata(
            IndexFiles.VERSION,
            schema,
            documentCount,
            statistics(documentCount, ofColumns),
            ofColumns,
            ImmutableSortedMap.copyOf(options),
            IndexFiles.entries(directory, schema));
    MetadataFile.write(metadata, directory.resolve(IndexFiles.METADATA));
    if (!kept) {
      Directories.deleteTree(temporary);
    }
    finished = true;
    return metadata;
  }

  /** Deletes files kept for the checkpoints of a finished index, if there are any. */
  public static void forgetCheckpoints(Path directory) throws IOException {
    Directories.deleteTree(directory.resolve(IndexFiles.TEMPORARY));
  }

  private void checkComplete(int documentCount) {
    if (documentsFailed || !postings.isWhole()) {
      throw new IllegalStateException("an earlier append failed; the index is incomplete");
    }
    int maxDoc = postings.maxDoc();
    if (maxDoc >= documentCount) {
      throw new IllegalStateException(
          "postings refer to document %d, expected %d documents".formatted(maxDoc, documentCount));
    }
    if (documents != null && documents.documents() != documentCount) {
      throw new IllegalStateException(
          "%d stored documents, expected %d".formatted(documents.documents(), documentCount));
    }
    for (int i = 0; i < lengths.length; i++) {
      LengthsWriter writer = lengths[i];
      String name = schema.field(i).name();
      if (writer != null && writer.count() != documentCount) {
        throw new IllegalStateException(
            "%d lengths of field '%s', expected %d".formatted(writer.count(), name, documentCount));
      }
      if (writer == null && schema.findColumn(name) < 0) {
        requirePostings(i, documentCount, keywords(i, documentCount));
      }
    }
    for (int i = 0; i < schema.columns().size(); i++) {
      if (columns.documents(i) != documentCount) {
        throw new IllegalStateException(
            "%d documents in column '%s', expected %d"
                .formatted(columns.documents(i), schema.columns().get(i).name(), documentCount));
      }
    }
  }

  /** Requires that the terms of columns of strings are in as many documents as values are. */
  private void requireSameDocuments(ImmutableList<ColumnStatistics> ofColumns) {
    for (int i = 0; i < ofColumns.size(); i++) {
      Column column = schema.columns().get(i);
      if (column.type() == ColumnType.STRING) {
        int field = schema.ordinal(column.name());
        requirePostings(field, columns.documents(i), ofColumns.get(i).documents());
      }
    }
  }

  private void requirePostings(int field, int documentCount, int expected) {
    if (postings.counts().postings(field) != expected) {
      throw new IllegalStateException(
          "%d terms in %d documents of the keyword field '%s', expected %d"
              .formatted(
                  postings.counts().postings(field),
                  documentCount,
                  schema.field(field).name(),
                  expected));
    }
  }

  /** Expected postings of a field that is not tokenized: one per document if it is indexed. */
  private int keywords(int field, int documentCount) {
    return schema.field(field).detail().isIndexed() ? documentCount : 0;
  }

  private ImmutableList<FieldStatistics> statistics(
      int documentCount, ImmutableList<ColumnStatistics> ofColumns) {
    ImmutableList.Builder<FieldStatistics> statistics = ImmutableList.builder();
    for (int i = 0; i < schema.size(); i++) {
      LengthsWriter writer = lengths[i];
      int column = schema.findColumn(schema.field(i).name());
      int present = column < 0 ? keywords(i, documentCount) : ofColumns.get(column).documents();
      statistics.add(postings.counts().statistics(i, writer == null ? present : writer.nonEmpty()));
    }
    return statistics.build();
  }

  @Override
  public void close() throws IOException {
    if (finished) {
      return;
    }
    if (kept) {
      postings.leave();
    }
    closeAll();
    if (kept) {
      return;
    }
    Directories.deleteTree(temporary);
    Files.deleteIfExists(directory.resolve(IndexFiles.METADATA));
    for (String name : IndexFiles.names(schema)) {
      Files.deleteIfExists(directory.resolve(name));
    }
  }

  private void closeAll() throws IOException {
    for (LengthsWriter writer : lengths) {
      if (writer != null) {
        writer.close();
      }
    }
    if (documents != null) {
      documents.close();
    }
    columns.close();
    postings.close();
  }
}
