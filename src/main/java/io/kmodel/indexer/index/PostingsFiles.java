package io.kmodel.indexer.index;

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
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Postings and terms of an index in the making: parts of its terms, appended in order. The first
 * part's files become the index's, those of the others are copied behind them. Memory: about 64 KiB
 * a file. Parts may be started by many threads, all else is for one at a time.
 */
final class PostingsFiles {
  private static final int BUFFER_BYTES = 1 << 16;

  private final Path directory;
  private final Path temporary;
  private final Schema schema;

  /** Whether spools of terms stay until the end, so that there can be checkpoints. */
  private final boolean resumable;

  /** Where new parts keep their postings until they are appended. */
  private BufferPool held = new BufferPool(0);

  private final AtomicInteger parts = new AtomicInteger();
  private final TermDictionaryWriter dictionary;
  private final TermCounts counts;
  private @Nullable PostingsPart first;
  private int maxDoc = -1;

  /** Whether something was appended only in part. */
  private boolean failed;

  /** Spools of terms that no checkpoint has yet; where there are to be checkpoints. */
  private final List<Path> unsealedTerms = new ArrayList<>();

  /**
   * Files without postings so far.
   *
   * @param temporary where parts are, in the directory
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

  /** See {@link InvertedIndexWriter#holdParts}. */
  void holdParts(long bytes) {
    held = new BufferPool(bytes);
  }

  /** How frequent terms are. */
  TermCounts counts() {
    return counts;
  }

  /** The last document that has postings; -1 where there are none. */
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

  /** Whether all that was appended is there as a whole. */
  boolean isWhole() {
    return !failed;
  }

  /** Whether a part was appended, in part at least. */
  boolean hasParts() {
    return first != null;
  }

  /**
   * Forces all parts that were appended to the disk.
   *
   * @return all but the terms of parts that an earlier checkpoint has
   * @throws IllegalStateException if there can be none
   */
  WriterCheckpoint checkpoint() throws IOException {
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
    failed = false;
    return at;
  }

  /** Completes the files; nothing is appended then. */
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

  /** What is not complete stays when it is closed. */
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
