package io.kmodel.indexer.indexing;

import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.InvertedIndexWriter;
import io.kmodel.indexer.index.documents.StoredDocumentsWriter;
import io.kmodel.indexer.index.documents.StoredTexts;
import io.kmodel.indexer.index.model.ProgressListener;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.indexing.order.DocumentOrder;
import io.kmodel.indexer.store.LittleEndian;
import io.kmodel.indexer.task.Interruption;
import io.kmodel.indexer.task.Workers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/**
 * Writes the stored documents of an index in another order, a batch per thread at a time. A batch
 * is read in the present order, so that documents in the same block are decompressed once, and
 * waits on the heap. Documents that do not fit are read when they are written. Blocks end with
 * units, so the bytes do not depend on batches.
 *
 * <p>Memory: the given amount for each thread.
 */
final class ReorderedDocuments {
  /**
   * Documents of a unit. Its last block is not full, so it has many; batches are of whole units.
   */
  private static final int UNIT = 1 << 12;

  /** Batches in progress or waiting, for each thread. */
  private static final int AHEAD_PER_THREAD = 2;

  /** Documents whose size is read to estimate that of others. */
  private static final int SAMPLES = 256;

  /** Heap per document besides its texts: key, start, lengths of texts. */
  private static final int DOCUMENT_BYTES = 32;

  private static final int LARGEST_ARRAY = Integer.MAX_VALUE - 8;

  private final InvertedIndex from;
  private final DocumentOrder order;
  private final Path temporary;
  private final long bytes;

  /** The stored fields, by ordinal. */
  private final int[] fields;

  /**
   * Prepares.
   *
   * @param from an index with stored fields
   * @param temporary directory for batches
   * @param bytes heap for each thread
   */
  ReorderedDocuments(InvertedIndex from, DocumentOrder order, Path temporary, long bytes) {
    this.from = from;
    this.order = order;
    this.temporary = temporary;
    this.bytes = bytes;
    Schema schema = from.schema();
    this.fields =
        IntStream.range(0, schema.size()).filter(field -> schema.field(field).stored()).toArray();
  }

  /** Writes all documents. */
  void write(InvertedIndexWriter to, Workers workers, int threads, ProgressListener progress)
      throws IOException, InterruptedException {
    int batch = batch(threads);
    Queue<Future<Path>> batches = new ArrayDeque<>();
    int next = 0;
    int done = 0;
    while (next < order.size() || !batches.isEmpty()) {
      while (next < order.size() && batches.size() < AHEAD_PER_THREAD * threads) {
        int first = next;
        int end = (int) Math.min(order.size(), (long) first + batch);
        batches.add(workers.submit(() -> write(first, end)));
        next = end;
      }
      Path file = Workers.get(batches.remove());
      to.appendDocuments(file);
      Files.delete(file);
      done = (int) Math.min(order.size(), (long) done + batch);
      progress.progress(done, order.size());
    }
  }

  /** Documents of a batch: as many as are likely to fit, if that leaves work for all threads. */
  private int batch(int threads) throws IOException {
    long sampled = 0;
    int samples = 0;
    try (StoredTexts texts = from.documents()) {
      int step = Math.max(1, order.size() / SAMPLES);
      for (long doc = 0; doc < order.size(); doc += step) {
        for (int field : fields) {
          int[] size = new int[1];
          texts.utf8((int) doc, field, (utf8, offset, length) -> size[0] = length);
          sampled += size[0];
        }
        samples++;
      }
    }
    long perDocument = DOCUMENT_BYTES + sampled / Math.max(1, samples);
    long fitting = Math.min(bytes / perDocument, order.size() / (AHEAD_PER_THREAD * threads));
    return Math.toIntExact(Math.max(1, fitting / UNIT) * UNIT);
  }

  private Path write(int first, int end) throws IOException {
    Path file = temporary.resolve("%010d.documents".formatted(first));
    try (StoredTexts texts = from.documents();
        StoredDocumentsWriter to = new StoredDocumentsWriter(file, from.schema())) {
      Batch batch = new Batch(texts, first, end);
      for (int doc = first; doc < end; doc++) {
        Interruption.requireNone();
        to.startDocument(doc / UNIT);
        batch.write(doc, to);
        to.finishDocument();
      }
      to.commit();
    }
    return file;
  }

  /** Texts of consecutive documents of the new order. */
  private final class Batch {
    private final StoredTexts texts;
    private final int first;

    /** The texts of a document follow each other, each after its length in four bytes. */
    private byte[] buffer = new byte[1 << 16];

    private long end;

    /** Where the texts of each document begin, or -1 if they did not fit. */
    private final int[] starts;

    Batch(StoredTexts texts, int first, int last) throws IOException {
      this.texts = texts;
      this.first = first;
      this.starts = new int[last - first];
      long[] keys = new long[starts.length];
      for (int i = 0; i < keys.length; i++) {
        keys[i] = (long) order.oldDoc(first + i) << Integer.SIZE | i;
      }
      Arrays.sort(keys);
      for (long key : keys) {
        Interruption.requireNone();
        read((int) (key >> Integer.SIZE), (int) key);
      }
    }

    private void read(int oldDoc, int i) throws IOException {
      if (end > bytes) {
        starts[i] = -1;
        return;
      }
      long start = end;
      for (int field : fields) {
        texts.utf8(oldDoc, field, this::add);
      }
      starts[i] = end <= buffer.length ? (int) start : -1;
    }

    /** Adds a text, or only its length to the end if that is beyond the limit. */
    private void add(byte[] utf8, int offset, int length) {
      long start = end;
      end += Integer.BYTES + length;
      long most = Math.min(bytes, LARGEST_ARRAY);
      if (end > buffer.length && end <= most) {
        buffer = Arrays.copyOf(buffer, (int) Math.min(most, end + end / 2));
      }
      if (end <= buffer.length) {
        LittleEndian.putInt(buffer, (int) start, length);
        System.arraycopy(utf8, offset, buffer, (int) start + Integer.BYTES, length);
      }
    }

    void write(int doc, StoredDocumentsWriter to) throws IOException {
      int at = starts[doc - first];
      for (int field : fields) {
        if (at < 0) {
          texts.utf8(order.oldDoc(doc), field, to::value);
        } else {
          int length = LittleEndian.getInt(buffer, at);
          to.value(buffer, at + Integer.BYTES, length);
          at += Integer.BYTES + length;
        }
      }
    }
  }
}
