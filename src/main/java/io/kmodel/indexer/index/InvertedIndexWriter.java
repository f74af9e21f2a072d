package io.kmodel.indexer.index;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import io.kmodel.indexer.store.Directories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Writes an index: parts of its terms, lengths and stored documents in any interleaving, each in
 * order, then {@link #finish}. The files are a function of what is in the index: how terms were cut
 * into parts and documents into files leaves no trace.
 *
 * <p>Memory: about 64 KiB a file. Parts may be started by many threads, all else is for one at a
 * time. Closing before {@code finish} has returned deletes all that was written, if there was no
 * {@link #checkpoint}; after one, {@link #resume} goes on with the terms from there, and wants
 * lengths and stored documents again. An index is there when {@code index.json} is.
 */
public final class InvertedIndexWriter implements AutoCloseable {
  private final Path directory;
  private final Path temporary;
  private final Schema schema;

  private final PostingsFiles postings;
  private final @Nullable LengthsWriter[] lengths;
  private final @Nullable DocumentsWriter documents;

  /** Whether documents were appended only in part. */
  private boolean documentsFailed;

  private boolean finished;

  /** Whether what is written is to stay, complete or not. */
  private boolean kept;

  /** Starts an index in a directory that is empty or absent. */
  public InvertedIndexWriter(Path directory, Schema schema) throws IOException {
    this(empty(directory), schema, false);
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
  }

  /** Starts an index that can have checkpoints, for which it keeps some files until its end. */
  public static InvertedIndexWriter resumable(Path directory, Schema schema) throws IOException {
    return new InvertedIndexWriter(empty(directory), schema, true);
  }

  /**
   * Goes on with an index whose writer had a checkpoint, whether it has finished or not.
   *
   * @throws io.kmodel.indexer.store.CorruptIndexException if what was safe then is not there; the
   *     directory must then be deleted
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

  private static Path empty(Path directory) throws IOException {
    Files.createDirectories(directory);
    try (Stream<Path> present = Files.list(directory)) {
      if (present.findAny().isPresent()) {
        throw new IOException(directory + ": not empty; an index wants a directory of its own");
      }
    }
    return directory;
  }

  /**
   * Lets parts that are started from now on keep their postings in memory until they are appended,
   * so that these are written once and not twice.
   *
   * @param bytes of heap that all parts together may take; postings without room go to files
   */
  public InvertedIndexWriter holdParts(long bytes) {
    postings.holdParts(bytes);
    return this;
  }

  /** The fields of the index being written. */
  public Schema schema() {
    return schema;
  }

  /** How frequent the terms of the tokenized fields are that were appended so far. */
  public TermDistribution distribution() {
    return postings.counts().distribution();
  }

  /** Starts a range of terms. Whoever asks closes it, after {@link #append} or instead. */
  public PostingsPart newPart() throws IOException {
    return postings.newPart();
  }

  /** The same of a part that takes none of the memory for parts. */
  public PostingsPart newPartInFiles() throws IOException {
    return postings.newPartInFiles();
  }

  /**
   * Takes over a part, whose terms must be above all before, and deletes its files.
   *
   * @throws IllegalArgumentException if they are not above; the writer must then be given up
   */
  public void append(PostingsPart part) throws IOException {
    append(part, Runnable::run);
  }

  /**
   * The same with documents, positions and terms each appended by a task of its own, but for the
   * first part, which is one task.
   *
   * @param files runs the tasks, which have ended when this returns
   */
  public void append(PostingsPart part, Executor files) throws IOException {
    postings.append(part, files);
  }

  /**
   * Forces all parts that were appended to the disk, so that {@link #resume} can go on behind them.
   *
   * @return all but the terms of parts that an earlier checkpoint has
   * @throws IllegalStateException if nothing was appended, or something only in part
   */
  public WriterCheckpoint checkpoint() throws IOException {
    if (documentsFailed) {
      throw new IllegalStateException("documents could be appended only in part");
    }
    WriterCheckpoint at = postings.checkpoint();
    kept = true;
    return at;
  }

  /** Whether there can be a checkpoint. */
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
   * @param part written by {@link StoredDocumentsWriter} for the same schema; stays the caller's
   */
  public void appendDocuments(Path part) throws IOException {
    if (documents == null) {
      throw new IllegalArgumentException("no field of the schema is stored");
    }
    documentsFailed = true;
    documents.append(part);
    documentsFailed = false;
  }

  /**
   * Writes the rest and, last, {@code index.json}. Where there was a {@link #checkpoint}, {@link
   * #resume} can still go on from there, until {@link #forgetCheckpoints}.
   *
   * @param options what else decides the index's content: the analyzer, say
   * @return what {@code index.json} says
   * @throws IllegalStateException if lengths or stored documents are too many or too few, or if
   *     postings name documents beyond
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
    closeAll();
    IndexMetadata metadata =
        new IndexMetadata(
            IndexFiles.VERSION,
            schema,
            documentCount,
            statistics(documentCount),
            ImmutableSortedMap.copyOf(options),
            IndexFiles.entries(directory, schema));
    MetadataFile.write(metadata, directory.resolve(IndexFiles.METADATA));
    if (!kept) {
      Directories.deleteTree(temporary);
    }
    finished = true;
    return metadata;
  }

  /** Deletes what is kept beside a finished index for its checkpoints; fine if nothing is. */
  public static void forgetCheckpoints(Path directory) throws IOException {
    Directories.deleteTree(directory.resolve(IndexFiles.TEMPORARY));
  }

  private void checkComplete(int documentCount) {
    if (documentsFailed || !postings.isWhole()) {
      throw new IllegalStateException("something before could be appended only in part");
    }
    int maxDoc = postings.maxDoc();
    if (maxDoc >= documentCount) {
      throw new IllegalStateException(
          "postings of document %d, expected %d documents".formatted(maxDoc, documentCount));
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
      if (writer == null && postings.counts().postings(i) != keywords(i, documentCount)) {
        throw new IllegalStateException(
            "%d terms in %d documents of the keyword field '%s', expected %d"
                .formatted(
                    postings.counts().postings(i),
                    documentCount,
                    name,
                    keywords(i, documentCount)));
      }
    }
  }

  /** How many terms a field has that is not tokenized: one in each document, if it is indexed. */
  private int keywords(int field, int documentCount) {
    return schema.field(field).detail().isIndexed() ? documentCount : 0;
  }

  private ImmutableList<FieldStatistics> statistics(int documentCount) {
    ImmutableList.Builder<FieldStatistics> statistics = ImmutableList.builder();
    for (int i = 0; i < schema.size(); i++) {
      LengthsWriter writer = lengths[i];
      int present = writer == null ? keywords(i, documentCount) : writer.nonEmpty();
      statistics.add(postings.counts().statistics(i, present));
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
    postings.close();
  }
}
