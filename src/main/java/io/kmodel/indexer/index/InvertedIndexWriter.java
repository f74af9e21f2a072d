package io.kmodel.indexer.index;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import io.kmodel.indexer.store.BufferPool;
import io.kmodel.indexer.store.Directories;
import io.kmodel.indexer.store.FileSeal;
import io.kmodel.indexer.store.InputFile;
import io.kmodel.indexer.store.OutputFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Writes an index: parts of its terms, lengths and stored documents in any interleaving, each in
 * order, then {@link #finish}. The files are a function of what is in the index: how terms were cut
 * into parts and documents into files leaves no trace. The first part's files become the index's,
 * those of the others are copied behind them.
 *
 * <p>Memory: about 64 KiB a file. Parts may be started by many threads, all else is for one at a
 * time. Closing before {@code finish} has returned deletes all that was written, if there was no
 * {@link #checkpoint}; after one, {@link #resume} goes on with the terms from there, and wants
 * lengths and stored documents again. An index is there when {@code index.json} is.
 */
public final class InvertedIndexWriter implements AutoCloseable {
  private static final int BUFFER_BYTES = 1 << 16;

  private final Path directory;
  private final Path temporary;
  private final Schema schema;

  /** Where new parts keep their postings until they are appended. */
  private BufferPool held = new BufferPool(0);

  private final AtomicInteger parts = new AtomicInteger();
  private final TermDictionaryWriter dictionary;
  private final @Nullable LengthsWriter[] lengths;
  private final @Nullable DocumentsWriter documents;
  private final TermCounts counts;
  private @Nullable PostingsPart first;
  private int maxDoc = -1;

  /** Whether something was appended only in part. */
  private boolean failed;

  private boolean finished;

  /** Whether what is written is to stay, complete or not. */
  private boolean kept;

  /** Spools of terms that no checkpoint has yet; where there are to be checkpoints. */
  private final List<Path> unsealedTerms = new ArrayList<>();

  /** Whether spools of terms stay until the end. */
  private final boolean resumable;

  /** Starts an index in a directory that is empty or absent. */
  public InvertedIndexWriter(Path directory, Schema schema) throws IOException {
    this(empty(directory), schema, false);
  }

  private InvertedIndexWriter(Path directory, Schema schema, boolean resumable) throws IOException {
    IndexFiles.checkNames(schema);
    this.resumable = resumable;
    this.directory = directory;
    this.temporary = directory.resolve(IndexFiles.TEMPORARY);
    this.schema = schema;
    this.counts = new TermCounts(schema);
    this.lengths = new LengthsWriter[schema.size()];
    Files.createDirectories(temporary);
    this.dictionary = new TermDictionaryWriter(directory, temporary, schema);
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
   * Goes on with an index whose writer had a checkpoint and did not finish.
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
      writer.takeBack(at, IndexFiles.DOCS);
      writer.takeBack(at, IndexFiles.POSITIONS);
      PostingsPart part = PostingsPart.reopen(writer.temporary, at, schema);
      writer.adopt(part);
      writer.parts.set(at.nextPart());
      writer.maxDoc = at.maxDoc();
      for (FileSeal terms : at.terms()) {
        terms.verify(writer.temporary);
        writer.appendTerms(terms.in(writer.temporary));
      }
      return writer;
    } catch (IOException | RuntimeException e) {
      writer.close();
      throw e;
    }
  }

  /** Gives a file that was complete already the name of one that is not. */
  private void takeBack(WriterCheckpoint at, String name) throws IOException {
    Path complete = directory.resolve(name);
    if (Files.exists(complete)) {
      Files.move(
          complete,
          OutputFile.temporary(PostingsPart.path(temporary, at.firstPart(), name)),
          StandardCopyOption.ATOMIC_MOVE);
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
    held = new BufferPool(bytes);
    return this;
  }

  /** The fields of the index being written. */
  public Schema schema() {
    return schema;
  }

  /** How frequent the terms of the tokenized fields are that were appended so far. */
  public TermDistribution distribution() {
    return counts.distribution();
  }

  /** Starts a range of terms. Whoever asks closes it, after {@link #append} or instead. */
  public PostingsPart newPart() throws IOException {
    PostingsPart part = newPartInFiles();
    part.hold(held);
    return part;
  }

  /** The same of a part that takes none of the memory for parts. */
  public PostingsPart newPartInFiles() throws IOException {
    return new PostingsPart(temporary, parts.getAndIncrement(), schema);
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
    part.checkFinished();
    failed = true;
    PostingsPart target = first;
    if (target == null) {
      FileTasks.run(
          files,
          () -> {
            adopt(part);
            appendTerms(part);
          });
    } else {
      FileTasks.run(
          files,
          () -> part.positionsFile().appendTo(target.positionsFile()),
          () -> part.docsFile().appendTo(target.docsFile()),
          () -> appendTerms(part));
    }
    maxDoc = Math.max(maxDoc, part.maxDoc());
    part.close();
    failed = false;
  }

  private void appendTerms(PostingsPart part) throws IOException {
    OutputFile spool = part.termsFile();
    spool.commitUnforced();
    appendTerms(spool.target());
    if (resumable) {
      unsealedTerms.add(spool.target());
    } else {
      Files.delete(spool.target());
    }
  }

  private void adopt(PostingsPart part) throws IOException {
    first = part;
    part.docsFile().rename(directory.resolve(IndexFiles.DOCS));
    part.positionsFile().rename(directory.resolve(IndexFiles.POSITIONS));
    part.adopted();
  }

  private void appendTerms(Path spool) throws IOException {
    try (InputFile file = InputFile.open(spool, PostingsPart.TERMS, IndexFiles.VERSION)) {
      file.verify();
      dictionary.addAll(file.reader(BUFFER_BYTES), counts::add);
    }
  }

  /**
   * Forces all parts that were appended to the disk, so that {@link #resume} can go on behind them.
   *
   * @return all but the terms of parts that an earlier checkpoint has
   * @throws IllegalStateException if nothing was appended, or something only in part
   */
  public WriterCheckpoint checkpoint() throws IOException {
    PostingsPart files = first;
    if (!resumable || failed || files == null) {
      throw new IllegalStateException("there is nothing that one could go on from");
    }
    failed = true;
    List<FileSeal> terms = new ArrayList<>();
    for (Path spool : unsealedTerms) {
      terms.add(FileSeal.force(spool, true));
    }
    WriterCheckpoint at =
        new WriterCheckpoint(
            files.number(),
            parts.get(),
            files.docsFile().checkpoint(),
            files.positionsFile().checkpoint(),
            terms,
            maxDoc);
    Directories.force(files.docsFile().temporary());
    Directories.force(temporary);
    Directories.force(directory);
    unsealedTerms.clear();
    kept = true;
    failed = false;
    return at;
  }

  /** Whether there can be a checkpoint. */
  public boolean isWhole() {
    return !failed && first != null;
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
    failed = true;
    documents.append(part);
    failed = false;
  }

  /**
   * Writes the rest and, last, {@code index.json}.
   *
   * @param options what else decides the index's content: the analyzer, say
   * @return what {@code index.json} says
   * @throws IllegalStateException if lengths or stored documents are too many or too few, or if
   *     postings name documents beyond
   */
  public IndexMetadata finish(int documentCount, Map<String, String> options) throws IOException {
    checkComplete(documentCount);
    if (first == null) {
      append(newPart());
    }
    if (first != null) {
      first.docsFile().commit();
      first.positionsFile().commit();
    }
    dictionary.commit();
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
    Directories.deleteTree(temporary);
    finished = true;
    return metadata;
  }

  private void checkComplete(int documentCount) {
    if (failed) {
      throw new IllegalStateException("something before could be appended only in part");
    }
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
      if (writer == null && counts.postings(i) != keywords(i, documentCount)) {
        throw new IllegalStateException(
            "%d terms in %d documents of the keyword field '%s', expected %d"
                .formatted(counts.postings(i), documentCount, name, keywords(i, documentCount)));
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
      statistics.add(counts.statistics(i, present));
    }
    return statistics.build();
  }

  @Override
  public void close() throws IOException {
    if (finished) {
      return;
    }
    if (kept && first != null) {
      first.leave();
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
    if (first != null) {
      first.closeFiles();
    }
    dictionary.close();
  }
}
