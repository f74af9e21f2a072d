package io.kmodel.indexer.source;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * Reads files one at a time into a buffer that it keeps. What cannot be read, is too large, does
 * not decompress or is binary goes to the skip listener.
 *
 * <p>Memory: the largest file so far and the largest decompressed one, each at most the limit of a
 * document and a little slack. Not thread-safe.
 */
final class FileDocumentReader implements DocumentReader {
  /** Bytes asked for at a time: channels keep a native buffer as large as the largest request. */
  private static final int REQUEST_BYTES = 1 << 18;

  /** Result of reading a file that was reported as skipped. */
  private static final int SKIPPED = -1;

  /** Buffers up to this size are kept for the next file. */
  private static final int KEPT_BYTES = 1 << 20;

  /**
   * Heap per byte of a document, parsed without a tree: the bytes, their text in UTF-8 and as a
   * String, and what is stored of it.
   */
  private static final int HEAP_PER_BYTE = 12;

  private final FileList.Cursor files;
  private final int maxDocumentBytes;
  private final SkipListener skips;
  private final HeapGuard heap;
  private final GzipDecoder gzip = new GzipDecoder();
  private byte[] buffer = new byte[1 << 16];
  private long passedBytes;

  FileDocumentReader(
      FileList.Cursor files, int maxDocumentBytes, SkipListener skips, HeapGuard heap) {
    this.files = files;
    this.maxDocumentBytes = maxDocumentBytes;
    this.skips = skips;
    this.heap = heap;
  }

  @Override
  public @Nullable RawDocument next() throws InterruptedException {
    dropLargeBuffers();
    while (files.next()) {
      heap.release();
      passedBytes += files.size();
      RawDocument document = read();
      if (document != null) {
        return document;
      }
      dropLargeBuffers();
    }
    heap.release();
    return null;
  }

  @Override
  public long passedBytes() {
    return passedBytes;
  }

  @Override
  public void close() {
    heap.release();
    gzip.close();
  }

  private @Nullable RawDocument read() throws InterruptedException {
    Path path = PathBytes.resolve(files.root(), files.path(), files.pathLength());
    String id = PathBytes.text(files.path(), files.pathLength());
    String place = files.root().toString();
    place = place.endsWith("/") ? place + id : place + "/" + id;
    int length;
    try (FileChannel channel = RegularFile.open(path)) {
      length = readFile(channel, place);
    } catch (IOException e) {
      return skip(place, SkipReason.UNREADABLE, e.toString());
    }
    if (length == SKIPPED) {
      return null;
    }
    return GzipDecoder.isGzip(buffer, length)
        ? unpack(id, place, length)
        : classify(id, place, buffer, length);
  }

  /**
   * Reads a file to its end, which need not be where it was when it was listed. What is no text is
   * told by its first bytes, before it takes heap.
   */
  private int readFile(FileChannel channel, String place) throws IOException, InterruptedException {
    int length = readUpTo(channel, 0, ContentSniffer.WINDOW_BYTES);
    boolean packed = GzipDecoder.isGzip(buffer, length);
    String binary = packed ? null : ContentSniffer.binary(buffer, length);
    if (binary != null) {
      skip(place, SkipReason.BINARY, binary);
      return SKIPPED;
    }
    for (long size = channel.size(); ; size = Math.max(channel.size(), length + 1L)) {
      if (size > maxDocumentBytes) {
        skip(
            place,
            SkipReason.TOO_LARGE,
            "file has %d bytes, the limit is %d".formatted(size, maxDocumentBytes));
        return SKIPPED;
      }
      if (!heap.reserve(packed ? size : HEAP_PER_BYTE * size)) {
        skip(place, SkipReason.TOO_LARGE, heapIsTooSmall(size));
        return SKIPPED;
      }
      length = readUpTo(channel, length, (int) size);
      if (length < size || readUpTo(channel, length, length + 1) == length) {
        return length;
      }
      length++;
    }
  }

  /** Reads on until the buffer holds {@code wanted} bytes or the file ends. */
  private int readUpTo(FileChannel channel, int from, int wanted) throws IOException {
    if (wanted > buffer.length) {
      // One byte above, so that a file that has grown shows.
      buffer = Arrays.copyOf(buffer, wanted + 1);
    }
    int length = from;
    while (length < wanted) {
      int request = Math.min(REQUEST_BYTES, wanted - length);
      int n = channel.read(ByteBuffer.wrap(buffer, length, request));
      if (n < 0) {
        return length;
      }
      length += n;
    }
    return length;
  }

  private @Nullable RawDocument unpack(String id, String place, int length)
      throws InterruptedException {
    int free = (int) Math.min(maxDocumentBytes, heap.freeBytes() / HEAP_PER_BYTE);
    try {
      int unpacked = gzip.decode(buffer, length, free);
      if (unpacked == GzipDecoder.TOO_LARGE && free < maxDocumentBytes) {
        // All that there can be, for it is not known how much it is.
        if (!heap.reserve(Math.max(heap.freeBytes(), heap.largestBytes()))) {
          return skip(place, SkipReason.TOO_LARGE, heapIsTooSmall(free));
        }
        long room = heap.largestBytes() / HEAP_PER_BYTE;
        unpacked = gzip.decode(buffer, length, (int) Math.min(maxDocumentBytes, room));
      }
      if (unpacked == GzipDecoder.TOO_LARGE) {
        return skip(
            place,
            SkipReason.TOO_LARGE,
            "%d bytes decompress to more than the limit of %d".formatted(length, maxDocumentBytes));
      }
      return classify(id, place, gzip.bytes(), unpacked);
    } catch (ZipException e) {
      return skip(place, SkipReason.DAMAGED, String.valueOf(e.getMessage()));
    }
  }

  private static String heapIsTooSmall(long bytes) {
    return "%d bytes need more heap than there is for a document; raise --memory".formatted(bytes);
  }

  /** A large document leaves nothing behind, whatever else its thread reads. */
  private void dropLargeBuffers() {
    if (buffer.length > KEPT_BYTES) {
      buffer = new byte[1 << 16];
    }
    gzip.dropLargeOutput();
  }

  private @Nullable RawDocument classify(String id, String place, byte[] bytes, int length) {
    String binary = ContentSniffer.binary(bytes, length);
    if (binary != null) {
      return skip(place, SkipReason.BINARY, binary);
    }
    ContentType type = ContentSniffer.type(bytes, length, id);
    return new RawDocument(id, place, type, bytes, length, files.unit());
  }

  private @Nullable RawDocument skip(String place, SkipReason reason, String detail) {
    skips.skipped(place, reason, detail);
    return null;
  }
}
