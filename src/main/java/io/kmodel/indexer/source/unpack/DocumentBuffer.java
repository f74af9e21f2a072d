package io.kmodel.indexer.source.unpack;

import io.kmodel.indexer.source.DecoderGuard;
import io.kmodel.indexer.source.HeapGuard;
import java.io.IOException;
import java.util.Arrays;

/**
 * The bytes of one document. The buffer grows as far as the document size limit and the heap allow.
 * A buffer of up to {@value #KEPT_BYTES} bytes is kept for the next document. Not thread-safe.
 */
public final class DocumentBuffer {
  private static final int KEPT_BYTES = 1 << 20;

  /** Supplies bytes, as an input stream does. */
  @FunctionalInterface
  public interface Source {
    int read(byte[] to, int offset, int length) throws IOException;
  }

  private final int maxDocumentBytes;
  private final HeapGuard heap;

  private int heapPerByte = HeapGuard.USUAL_PER_BYTE;

  /** Bytes that the document may have before the guard must be asked again. */
  private long granted;

  private String problem = "";

  public byte[] bytes = new byte[1 << 16];
  public int length;

  public DocumentBuffer(int maxDocumentBytes, HeapGuard heap) {
    this.maxDocumentBytes = maxDocumentBytes;
    this.heap = heap;
  }

  /** Grants memory to decode the document. */
  public DecoderGuard decoders() {
    return heap.decoders();
  }

  /**
   * Starts the next document: releases the heap of the last one, and memory that a large one took.
   */
  public void start() {
    heap.release();
    clear();
  }

  /** Empties the buffer, and frees it if a large document made it grow. */
  public void clear() {
    clear(HeapGuard.USUAL_PER_BYTE);
  }

  /** The same for a whole file. What needs more heap than text in UTF-8 asks for it later. */
  public void clearForFile() {
    clear(heap.heapPerTextByte());
  }

  private void clear(int perByte) {
    length = 0;
    heapPerByte = perByte;
    granted = heap.freeBytes() / heapPerByte;
    if (bytes.length > KEPT_BYTES) {
      bytes = new byte[1 << 16];
    }
  }

  /**
   * Asks for the heap of a document of known length that is held elsewhere; makes no room here.
   *
   * @return false, with a {@link #problem}, if it is too large
   */
  public boolean allows(long wanted) throws InterruptedException {
    return isAllowed(wanted) && grant(wanted);
  }

  /**
   * Makes room for a document of known length.
   *
   * @return false, with a {@link #problem}, if it is too large
   */
  public boolean reserve(long wanted) throws InterruptedException {
    if (!allows(wanted)) {
      return false;
    }
    // One byte more, to notice a file that has grown.
    granted = Math.max(granted, wanted + 1);
    if (wanted >= bytes.length) {
      bytes = Arrays.copyOf(bytes, (int) wanted + 1);
    }
    return true;
  }

  /**
   * Reads a document that declares its length, which may be wrong: memory is taken as bytes arrive,
   * at most twice as much.
   *
   * @return false, with a {@link #problem}, if it is too large, before or after some of it was read
   * @throws IOException from the source; the bytes before the failure are in the buffer
   */
  public boolean read(Source source, long wanted) throws IOException, InterruptedException {
    if (!isAllowed(wanted)) {
      return false;
    }
    while (length < wanted) {
      if (length >= granted && !grant(wanted)) {
        return false;
      }
      if (length == bytes.length) {
        bytes = Arrays.copyOf(bytes, (int) Math.min(wanted, 2L * bytes.length));
      }
      long room = Math.min(bytes.length, Math.min(wanted, granted)) - length;
      int n = source.read(bytes, length, (int) room);
      if (n < 0) {
        return true;
      }
      length += n;
    }
    return true;
  }

  private boolean isAllowed(long wanted) {
    if (wanted > maxDocumentBytes) {
      problem = "%d bytes, the limit is %d".formatted(wanted, maxDocumentBytes);
      return false;
    }
    return true;
  }

  /** Asks for the heap of a document of known length. */
  private boolean grant(long wanted) throws InterruptedException {
    if (wanted > granted) {
      if (!heap.reserve(heapPerByte * wanted)) {
        problem = heapIsTooSmall(wanted + " bytes", wanted);
        return false;
      }
      granted = wanted;
    }
    return true;
  }

  /**
   * Reads a document of unknown length to its end, after the bytes already in the buffer.
   *
   * @return false, with a {@link #problem}, if it is too large
   * @throws IOException from the source; the bytes before the failure are in the buffer
   */
  public boolean readAll(Source source) throws IOException, InterruptedException {
    while (true) {
      if (!grow(length + 1L)) {
        return source.read(new byte[1], 0, 1) < 0;
      }
      int n = source.read(bytes, length, capacity() - length);
      if (n < 0) {
        return true;
      }
      length += n;
    }
  }

  /**
   * Appends bytes to a document that may grow further.
   *
   * @return false, with a {@link #problem}, if it is too large; nothing is appended then
   */
  public boolean append(byte[] from, int at, int count) throws InterruptedException {
    if (!grow((long) length + count)) {
      return false;
    }
    System.arraycopy(from, at, bytes, length, count);
    length += count;
    return true;
  }

  /**
   * Makes room for {@code wanted} bytes of a document that may grow further.
   *
   * @return false, with a {@link #problem}, if it is too large
   */
  public boolean grow(long wanted) throws InterruptedException {
    if (wanted <= capacity()) {
      return true;
    }
    if (wanted > maxDocumentBytes) {
      problem = "more than the limit of %d bytes".formatted(maxDocumentBytes);
      return false;
    }
    if (wanted > granted) {
      // Ask for the maximum, because the length is unknown.
      long most = Math.max(heap.freeBytes(), heap.largestBytes());
      if (wanted > most / heapPerByte || !heap.reserve(most)) {
        problem = heapIsTooSmall("%d bytes or more".formatted(wanted), wanted);
        return false;
      }
      granted = most / heapPerByte;
    }
    if (wanted > bytes.length) {
      long most = Math.min(maxDocumentBytes, granted);
      bytes = Arrays.copyOf(bytes, (int) Math.min(most, Math.max(wanted, 2L * bytes.length)));
    }
    return true;
  }

  private int capacity() {
    return (int) Math.min(Math.min(bytes.length, maxDocumentBytes), granted);
  }

  /** Why there is no room. */
  public String problem() {
    return problem;
  }

  /** Removes the first bytes. */
  public void dropFirst(int count) {
    length -= count;
    System.arraycopy(bytes, count, bytes, 0, length);
  }

  private String heapIsTooSmall(String bytes, long wanted) {
    return "%s, which need more heap than a document may use; %s"
        .formatted(bytes, heap.advice(heapPerByte * wanted));
  }
}
