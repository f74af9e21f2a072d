package io.kmodel.indexer.index;

import io.kmodel.indexer.index.model.IndexFiles;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.index.terms.TermCounts;
import io.kmodel.indexer.index.terms.TermDictionaryWriter;
import io.kmodel.indexer.store.BufferPool;
import io.kmodel.indexer.store.ByteReader;
import io.kmodel.indexer.store.FileSeal;
import io.kmodel.indexer.store.InputFile;
import io.kmodel.indexer.store.OutputFile;
import io.kmodel.indexer.store.disk.Directories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Postings and terms of an index being written, built from parts of its terms appended in order.
 * The first part's files become the index's; those of the others are copied to their end. Memory:
 * about 64 KiB per file. Any thread may start parts; all other methods must be called by one thread
 * at a time.
 */
final class PostingsFiles {
  private static final int BUFFER_BYTES = 1 << 16;

  private final Path directory;
  private final Path temporary;
  private final Schema schema;

  /** Whether spools of terms are kept until the end, as checkpoints require. */
  private final boolean resumable;

  /** Memory in which new parts hold their postings until they are appended. */
  private BufferPool held = new BufferPool(0);

  private final AtomicInteger parts = new AtomicInteger();
  private final TermDictionaryWriter dictionary;
  private final TermCounts counts;
  private @Nullable PostingsPart first;
  private int maxDoc = -1;

  /** Whether the last append or checkpoint failed. */
  private boolean failed;

  /** Spools of terms that no checkpoint covers yet; only used if checkpoints are possible. */
  private final List<Path> unsealedTerms = new ArrayList<>();

  /**
   * Starts files without postings.
   *
   * @param temporary where parts are written; a directory within {@code directory}
   */
  PostingsFiles(Path directory, Path temporary, Schema schema, boolean resumable)
      throws IOException {
    this.directory = directory;
    this.temporary = temporary;
    this.schema = schema;
    this.resumable = resumable;
    this.counts = new TermCounts(schema);
    this.dictionary = new TermDictionaryWriter(directory, temporary, schema);
  }

  /** See {@link InvertedIndexWriter#resume}. */
  void resume(WriterCheckpoint at) throws IOException {
    takeBack(at, IndexFiles.DOCS);
    takeBack(at, IndexFiles.POSITIONS);
    adopt(PostingsPart.reopen(temporary, at, schema));
    parts.set(at.nextPart());
    maxDoc = at.maxDoc();
    for (FileSeal terms : at.terms()) {
      terms.verify(temporary);
      appendTerms(terms.in(temporary));
    }
  }

  /** Renames a file that was already complete back to the name of an incomplete one. */
  private void takeBack(WriterCheckpoint at, String name) throws IOException {
    Path complete = directory.resolve(name);
    if (Files.exists(complete)) {
      Files.move(
          complete,
          OutputFile.temporary(PostingsPart.path(temporary, at.firstPart(), name)),
          StandardCopyOption.ATOMIC_MOVE);
    }
  }

  /** See {@link InvertedIndexWriter#holdParts}. */
  void holdParts(long bytes) {
    held = new BufferPool(bytes);
  }

  /** The counts of the terms appended so far. */
  TermCounts counts() {
    return counts;
  }

  /** The last document that has postings; -1 if there are none. */
  int maxDoc() {
    return maxDoc;
  }

  PostingsPart newPart() throws IOException {
    PostingsPart part = newPartInFiles();
    part.hold(held);
    return part;
  }

  PostingsPart newPartInFiles() throws IOException {
    return PostingsPart.create(temporary, parts.getAndIncrement(), schema);
  }

  /** See {@link InvertedIndexWriter#append(PostingsPart, Executor)}. */
  void append(PostingsPart part, Executor files) throws IOException {
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

  /** See {@link InvertedIndexWriter#append(Path, SealedPart, Executor)}. */
  void append(Path directory, SealedPart part, Executor files) throws IOException {
    if (first == null) {
      append(newPartInFiles(), Runnable::run);
    }
    PostingsPart target = Objects.requireNonNull(first);
    failed = true;
    FileTasks.run(
        files,
        () -> copy(part.positions(), directory, IndexFiles.POSITIONS, target.positionsFile()),
        () -> copy(part.docs(), directory, IndexFiles.DOCS, target.docsFile()),
        () -> appendTerms(part.terms(), directory));
    maxDoc = Math.max(maxDoc, part.maxDoc());
    failed = false;
  }

  private void appendTerms(FileSeal terms, Path directory) throws IOException {
    terms.verify(directory);
    appendTerms(terms.in(directory));
  }

  /** Copies the body of a sealed file; its cells are verified while they are read. */
  private static void copy(FileSeal seal, Path directory, String format, OutputFile to)
      throws IOException {
    byte[] chunk = new byte[BUFFER_BYTES];
    try (InputFile file = InputFile.open(seal.in(directory), format, IndexFiles.VERSION)) {
      if (file.bytes() != seal.bytes() || file.storedChecksum() != seal.checksum()) {
        throw file.corrupt(
            "%,d bytes with checksum %#x, expected %,d with %#x"
                .formatted(file.bytes(), file.storedChecksum(), seal.bytes(), seal.checksum()));
      }
      ByteReader in = file.reader(BUFFER_BYTES);
      for (long left = in.remaining(); left > 0; left = in.remaining()) {
        int n = (int) Math.min(chunk.length, left);
        in.readBytes(chunk, 0, n);
        to.writeBytes(chunk, 0, n);
      }
    }
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

  /** Whether all appends so far succeeded. */
  boolean isWhole() {
    return !failed;
  }

  /** Whether an append was at least started. */
  boolean hasParts() {
    return first != null;
  }

  /**
   * Forces all appended parts to disk.
   *
   * @return the state to resume from, without the terms of parts in earlier checkpoints
   * @throws IllegalStateException if no checkpoint is possible
   */
  WriterCheckpoint checkpoint() throws IOException {
    PostingsPart files = first;
    if (!resumable || failed || files == null) {
      throw new IllegalStateException(
          "no checkpoint possible: nothing appended, or an append failed");
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
    failed = false;
    return at;
  }

  /** Completes the files; nothing can be appended afterwards. */
  void commit() throws IOException {
    PostingsPart files = first;
    if (files == null) {
      files = newPart();
      append(files, Runnable::run);
    }
    files.docsFile().commit();
    files.positionsFile().commit();
    dictionary.commit();
  }

  /** Makes closing keep incomplete files. */
  void leave() throws IOException {
    if (first != null) {
      first.leave();
    }
  }

  void close() throws IOException {
    if (first != null) {
      first.closeFiles();
    }
    dictionary.close();
  }
}
