package io.kmodel.indexer.indexing.order;

import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.model.IndexFiles;
import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.store.InputFile;
import io.kmodel.indexer.store.OutputFile;
import io.kmodel.indexer.store.VariableLength;
import io.kmodel.indexer.task.Interruption;
import io.kmodel.indexer.task.Workers;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * The terms of all documents of an index, in a file that is mapped into memory. Left out are terms
 * in few documents, which say little and are many, and terms in all.
 *
 * <pre>
 * body     := document*
 * document := gap:vint*        of its termIDs, ascending from 0, to the one before
 * </pre>
 *
 * Example: the terms 3, 4 and 300 are {@code 03 01 A8 02}.
 *
 * <p>It is made in two passes over the lists: one counts the terms of each document, the other
 * collects them, a range of documents per thread at a time. Memory on the heap: {@value
 * #DOCUMENT_BYTES} bytes per document, and while it is made the ranges.
 */
final class FileForward implements Forward, Closeable {
  /** Heap per document. */
  static final int DOCUMENT_BYTES = Long.BYTES + Integer.BYTES;

  private static final String FORMAT = "forward";

  /** Heap per posting of a range: its termID, and the bytes of its gap with room to grow. */
  private static final int POSTING_BYTES = 8;

  /** A range's arrays stay far below the largest one. */
  private static final long LARGEST_RANGE = 1 << 27;

  private final InvertedIndex index;
  private final int leastDocFreq;

  /** Where each document begins in the body, and where the last one ends. */
  private final long[] offsets;

  private final InputFile file;
  private final int terms;

  private FileForward(
      InvertedIndex index, int leastDocFreq, Path path, Workers workers, int threads, long bytes)
      throws IOException, InterruptedException {
    this.index = index;
    this.leastDocFreq = leastDocFreq;
    this.offsets = new long[index.documentCount() + 1];
    int[] counts = new int[index.documentCount()];
    this.terms = count(counts, workers, threads);
    try (OutputFile out = OutputFile.create(path, FORMAT, IndexFiles.VERSION)) {
      write(out, counts, workers, threads, bytes);
      out.commitUnforced();
    }
    this.file = InputFile.map(path, FORMAT, IndexFiles.VERSION);
  }

  /**
   * Transposes the lists of an index.
   *
   * @param leastDocFreq terms in fewer documents are left out
   * @param path of the file
   * @param bytes heap for the range of each thread
   */
  static FileForward of(
      InvertedIndex index, int leastDocFreq, Path path, Workers workers, int threads, long bytes)
      throws IOException, InterruptedException {
    return new FileForward(index, leastDocFreq, path, workers, threads, bytes);
  }

  int documents() {
    return offsets.length - 1;
  }

  /** The number of terms of a document, or more. */
  int mostTerms(int doc) {
    return (int) (offsets[doc + 1] - offsets[doc]);
  }

  /** Size of the file's body. */
  long bytes() {
    return offsets[offsets.length - 1];
  }

  @Override
  public int terms() {
    return terms;
  }

  /** Receives postings of a range of documents. */
  private interface Postings {
    void add(int doc, int term);
  }

  /** Walks the lists; returns the number of terms. */
  private int walk(int from, int to, Postings postings) throws IOException {
    int[] docs = new int[PostingsCursor.BLOCK];
    int[] freqs = new int[PostingsCursor.BLOCK];
    int term = 0;
    try (PostingsCursor lists = index.cursor(from)) {
      while (lists.nextTerm()) {
        if (lists.docFreq() < leastDocFreq || lists.docFreq() == index.documentCount()) {
          continue;
        }
        Interruption.requireNone();
        boolean isBehind = false;
        for (int n = 1; n > 0 && !isBehind; ) {
          n = lists.nextDocs(docs, freqs);
          for (int i = 0; i < n; i++) {
            if (docs[i] >= from && docs[i] < to) {
              postings.add(docs[i], term);
            }
          }
          isBehind = n > 0 && docs[n - 1] >= to;
        }
        term++;
      }
    }
    return term;
  }

  private int count(int[] counts, Workers workers, int threads)
      throws IOException, InterruptedException {
    int[] found = new int[1];
    new Team(workers, threads)
        .each(
            counts.length,
            (slice, from, to) -> {
              int walked = walk(from, to, (doc, term) -> counts[doc]++);
              if (slice == 0) {
                found[0] = walked;
              }
            });
    return found[0];
  }

  /** The documents of a range, encoded. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Encoded(byte[] bytes, int size, int[] ends) {}

  private void write(OutputFile out, int[] counts, Workers workers, int threads, long bytes)
      throws IOException, InterruptedException {
    long most = Math.clamp(bytes / POSTING_BYTES, 1, LARGEST_RANGE);
    int written = 0;
    while (written < counts.length) {
      List<Callable<Encoded>> tasks = new ArrayList<>();
      int planned = written;
      while (planned < counts.length && tasks.size() < threads) {
        int from = planned;
        int to = end(counts, from, most);
        tasks.add(() -> encode(from, to, counts));
        planned = to;
      }
      for (Encoded range : workers.runAll(tasks)) {
        out.writeBytes(range.bytes, 0, range.size);
        long start = offsets[written];
        for (int end : range.ends) {
          written++;
          offsets[written] = start + end;
        }
      }
    }
  }

  /** The end of the range of documents with at most so many postings; one document at least. */
  private static int end(int[] counts, int from, long most) {
    int to = from + 1;
    long postings = counts[from];
    while (to < counts.length && postings + counts[to] <= most) {
      postings += counts[to];
      to++;
    }
    return to;
  }

  private Encoded encode(int from, int to, int[] counts) throws IOException {
    int[] ends = new int[to - from];
    int size = 0;
    for (int i = 0; i < ends.length; i++) {
      ends[i] = size;
      size += counts[from + i];
    }
    int[] postings = new int[size];
    walk(from, to, (doc, term) -> postings[ends[doc - from]++] = term);
    byte[] bytes = new byte[size + size / 2 + VariableLength.MAX_INT_BYTES];
    int end = 0;
    for (int i = 0, at = 0; i < ends.length; i++) {
      int last = 0;
      for (; at < ends[i]; at++) {
        if (end + VariableLength.MAX_INT_BYTES > bytes.length) {
          bytes = Arrays.copyOf(bytes, bytes.length + bytes.length / 4 + 64);
        }
        end = VariableLength.putInt(bytes, end, postings[at] - last);
        last = postings[at];
      }
      ends[i] = end;
    }
    return new Encoded(bytes, end, ends);
  }

  @Override
  public Reader reader() {
    return new Decoder();
  }

  private final class Decoder extends Reader {
    private byte[] bytes = {};

    @Override
    void load(int doc) throws IOException {
      int size = mostTerms(doc);
      to = 0;
      if (size == 0) {
        return;
      }
      if (bytes.length < size) {
        bytes = new byte[Math.max(size, 2 * bytes.length)];
        terms = new int[bytes.length];
      }
      long at = file.bodyStart() + offsets[doc];
      MemorySegment.copy(file.mapped(at, size), ValueLayout.JAVA_BYTE, at, bytes, 0, size);
      to = decode(size);
    }

    private int decode(int size) {
      int count = 0;
      int last = 0;
      for (int i = 0; i < size; ) {
        byte b = bytes[i++];
        int gap = b & 0x7F;
        for (int shift = 7; b < 0; shift += 7) {
          b = bytes[i++];
          gap |= (b & 0x7F) << shift;
        }
        last += gap;
        terms[count++] = last;
      }
      return count;
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
