package io.kmodel.indexer.index;

import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.IndexFiles;
import io.kmodel.indexer.index.model.PostingsConsumer;
import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.index.postings.DocsWriter;
import io.kmodel.indexer.index.postings.PositionsWriter;
import io.kmodel.indexer.index.postings.SkipTableWriter;
import io.kmodel.indexer.index.terms.TermEntry;
import io.kmodel.indexer.index.terms.TermIndex;
import io.kmodel.indexer.store.BufferPool;
import io.kmodel.indexer.store.FileSeal;
import io.kmodel.indexer.store.OutputFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * One range of an index's terms, being written to three temporary files: documents, positions, and
 * the terms' dictionary entries. Many parts may be written at once, each by one thread. A part's
 * bytes depend only on its postings, so it does not matter where terms are cut into parts. A part
 * rejects documents out of order, frequencies that are not positive, and a number of positions that
 * differs from the sum of the frequencies.
 *
 * <p>Memory: three buffers of 64 KiB, the longest key, and 25 bytes per block of 256 documents of
 * the longest term. Closing deletes the files unless they were appended to the index.
 */
public final class PostingsPart implements PostingsConsumer, Closeable {
  /** Open files per part: documents, positions and terms. */
  public static final int FILES = 3;

  /** Least heap that a part takes. */
  public static final int LEAST_BYTES = FILES * OutputFile.BUFFER_BYTES;

  /** The format of the temporary file of terms. */
  static final String TERMS = "part.terms";

  private final int number;
  private final Schema schema;
  private final OutputFile docs;
  private final OutputFile positions;
  private final OutputFile terms;
  private final SkipTableWriter skips = new SkipTableWriter();
  private final DocsWriter docsWriter;
  private final PositionsWriter positionsWriter;
  private final TermEntry entry = new TermEntry();
  private Detail detail = Detail.DOCUMENTS;

  /** Leading bytes that the current term key shares with the previous one. */
  private int sharedWithLast;

  private boolean inTerm;
  private boolean adopted;
  private int maxDoc = -1;

  private PostingsPart(int number, Schema schema, List<OutputFile> files) {
    this.number = number;
    this.schema = schema;
    this.docs = files.get(0);
    this.positions = files.get(1);
    this.terms = files.get(2);
    this.docsWriter = new DocsWriter(docs, skips);
    this.positionsWriter = new PositionsWriter(positions);
  }

  /** Creates a part in a separate directory, for another process to append. */
  public static PostingsPart alone(Path directory, Schema schema) throws IOException {
    return create(directory, 0, schema);
  }

  /** Creates a part with new files. */
  static PostingsPart create(Path temporary, int number, Schema schema) throws IOException {
    List<OutputFile> files = new ArrayList<>();
    try {
      for (String format : List.of(IndexFiles.DOCS, IndexFiles.POSITIONS, TERMS)) {
        files.add(create(temporary, number, format));
      }
      return new PostingsPart(number, schema, files);
    } catch (IOException | RuntimeException | Error e) {
      undo(files, OutputFile::close, e);
      throw e;
    }
  }

  /** Reopens the part whose files became the index's, in its state at a checkpoint. */
  static PostingsPart reopen(Path temporary, WriterCheckpoint at, Schema schema)
      throws IOException {
    int number = at.firstPart();
    List<OutputFile> files = new ArrayList<>();
    try {
      files.add(reopen(temporary, number, IndexFiles.DOCS, at.docs()));
      files.add(reopen(temporary, number, IndexFiles.POSITIONS, at.positions()));
      files.add(create(temporary, number, TERMS));
      return new PostingsPart(number, schema, files);
    } catch (IOException | RuntimeException | Error e) {
      undo(files, OutputFile::leave, e);
      throw e;
    }
  }

  /** How to undo the opening of a file if another cannot be opened. */
  private interface Undoing {
    void undo(OutputFile file) throws IOException;
  }

  private static void undo(List<OutputFile> files, Undoing how, Throwable cause) {
    for (OutputFile file : files) {
      try {
        how.undo(file);
      } catch (IOException e) {
        cause.addSuppressed(e);
      }
    }
  }

  private static OutputFile reopen(
      Path temporary, int number, String format, OutputFile.Checkpoint at) throws IOException {
    return OutputFile.reopen(path(temporary, number, format), format, at);
  }

  private static OutputFile create(Path temporary, int number, String format) throws IOException {
    return OutputFile.create(path(temporary, number, format), format, IndexFiles.VERSION);
  }

  /** The path of a part's complete file. */
  static Path path(Path temporary, int number, String format) {
    return temporary.resolve("%06d.%s".formatted(number, format));
  }

  @Override
  public void startTerm(byte[] term, int length) throws IOException {
    if (inTerm) {
      throw new IllegalStateException("a term was started before the previous one was finished");
    }
    if (length < 1 || (term[0] & 0xFF) >= schema.size()) {
      throw new IllegalArgumentException(
          "not a term key of %d fields: %s"
              .formatted(schema.size(), TermIndex.printable(term, length)));
    }
    sharedWithLast = TermEntry.sharedAbove(entry.key, entry.keyLength, term, length);
    if (sharedWithLast < 0) {
      throw new IllegalArgumentException(
          "terms out of order: %s after %s"
              .formatted(
                  TermIndex.printable(term, length),
                  TermIndex.printable(entry.key, entry.keyLength)));
    }
    entry.setKey(term, length);
    detail = schema.field(entry.field()).detail();
    skips.clear();
    docsWriter.startTerm(detail);
    positionsWriter.startTerm(detail);
    inTerm = true;
  }

  @Override
  public void docs(int[] docIds, int[] freqs, int count) throws IOException {
    checkChunk(count);
    checkPositions();
    docsWriter.add(docIds, freqs, count);
    skips.place(positionsWriter.blocks(), positionsWriter.blocksEnd());
  }

  @Override
  public void positions(int[] deltas, int count) throws IOException {
    checkChunk(count);
    if (!detail.hasPositions()) {
      throw new IllegalStateException(
          "positions for a field that records none: " + schema.field(entry.field()).name());
    }
    positionsWriter.add(deltas, count);
    skips.place(positionsWriter.blocks(), positionsWriter.blocksEnd());
  }

  @Override
  public void finishTerm() throws IOException {
    if (!inTerm || docsWriter.docFreq() == 0) {
      throw new IllegalStateException("a term without documents was finished");
    }
    checkPositions();
    positionsWriter.finishTerm();
    docsWriter.finishTerm(detail.hasPositions(), positionsWriter.blocksEnd());
    entry.docFreq = docsWriter.docFreq();
    entry.totalTermFreq = docsWriter.totalFreq();
    entry.singleDoc = docsWriter.firstDoc();
    entry.docsBytes = docsWriter.bytes();
    entry.positionsBytes = positionsWriter.bytes();
    entry.write(terms, sharedWithLast, schema.field(entry.field()));
    maxDoc = Math.max(maxDoc, docsWriter.lastDoc());
    inTerm = false;
  }

  private void checkChunk(int count) {
    if (!inTerm) {
      throw new IllegalStateException("postings outside a term");
    }
    if (count < 1 || count > PostingsCursor.BLOCK) {
      throw new IllegalArgumentException("a chunk has 1 to 256 values; got " + count);
    }
  }

  private void checkPositions() {
    if (detail.hasPositions() && positionsWriter.count() != docsWriter.totalFreq()) {
      throw new IllegalStateException(
          "%d positions for %d occurrences of %s"
              .formatted(
                  positionsWriter.count(),
                  docsWriter.totalFreq(),
                  TermIndex.printable(entry.key, entry.keyLength)));
    }
  }

  /** Rejects a part that ends inside a term. */
  void checkFinished() {
    if (inTerm) {
      throw new IllegalStateException(
          "the part ends inside the term " + TermIndex.printable(entry.key, entry.keyLength));
    }
  }

  /**
   * Completes the files and forces them to disk; closing the part then leaves them alone.
   *
   * @throws IllegalStateException if the part ends inside a term
   */
  public SealedPart seal() throws IOException {
    checkFinished();
    docs.commit();
    positions.commit();
    terms.commit();
    return new SealedPart(
        maxDoc,
        FileSeal.force(docs.target(), true),
        FileSeal.force(positions.target(), true),
        FileSeal.force(terms.target(), true));
  }

  int number() {
    return number;
  }

  OutputFile docsFile() {
    return docs;
  }

  OutputFile positionsFile() {
    return positions;
  }

  /** The terms' entries, each prefix-coded against the previous one. */
  OutputFile termsFile() {
    return terms;
  }

  /** The largest document, -1 without any. */
  int maxDoc() {
    return maxDoc;
  }

  /** Keeps postings in memory, as far as there is room, until the part is appended. */
  void hold(BufferPool buffers) {
    docs.hold(buffers);
    positions.hold(buffers);
  }

  /** Transfers the files to the index writer; closing the part then leaves them alone. */
  void adopted() throws IOException {
    docs.release();
    positions.release();
    adopted = true;
  }

  @Override
  public void close() throws IOException {
    if (!adopted) {
      closeFiles();
    }
  }

  /** Closes the files of postings without deleting them. */
  void leave() throws IOException {
    docs.leave();
    positions.leave();
  }

  void closeFiles() throws IOException {
    try (docs;
        positions;
        terms) {
      // Closing deletes what was not committed.
    }
  }
}
