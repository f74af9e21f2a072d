package io.kmodel.indexer.store;

import io.kmodel.indexer.store.disk.NamingInput;
import io.kmodel.indexer.task.Interruption;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A checked file open for reading. Header, footer and length are checked on opening, and a cell of
 * the body when bytes of it are first returned. {@link #verify()} checks everything, after which
 * cells are not checked again. No caller receives bytes of a cell that was altered before its
 * check; later alterations go unnoticed.
 *
 * <p>The file is either mapped into memory ({@link #map}, for random access; its pages belong to
 * the page cache) or read through a channel ({@link #open}, for bounded memory). It may exceed 2
 * GiB. Memory: that of {@link Cells}. Thread-safe, but its {@link ByteReader}s are not.
 */
public final class InputFile implements AutoCloseable {
  /** Bytes of a cell, the unit of checksums. */
  public static final int CELL_BYTES = Cells.BYTES;

  private static final int CHUNK_BYTES = 1 << 16;

  private final Path path;
  private final FileChannel channel;
  private final @Nullable Arena arena;
  private final @Nullable MemorySegment mapped;
  private final long size;
  private final long bodyStart;
  private final long bodyEnd;
  private final Cells cells;

  private InputFile(Path path, FileChannel channel, @Nullable Arena arena, int headerBytes)
      throws IOException {
    this.path = path;
    this.channel = channel;
    this.arena = arena;
    this.size = channel.size();
    this.bodyStart = headerBytes;
    this.bodyEnd = bodyEnd(size);
    if (bodyEnd < bodyStart) {
      throw incomplete(path, size);
    }
    this.cells = new Cells(this, bodyEnd);
    this.mapped = arena == null ? null : channel.map(FileChannel.MapMode.READ_ONLY, 0, size, arena);
  }

  /** Opens a file for random access through memory mapping. */
  public static InputFile map(Path path, String format, int version) throws IOException {
    return open(path, true, format, version);
  }

  /** Opens a file for reading through each reader's own buffer. */
  public static InputFile open(Path path, String format, int version) throws IOException {
    return open(path, false, format, version);
  }

  private static InputFile open(Path path, boolean map, String format, int version)
      throws IOException {
    FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
    Arena arena = map ? Arena.ofShared() : null;
    try {
      // Check the header first, because the layout of the rest depends on the version.
      checkHeader(path, channel, format, version);
      InputFile file = new InputFile(path, channel, arena, OutputFile.headerBytes(format));
      file.checkFooter();
      return file;
    } catch (IOException | RuntimeException e) {
      unmap(arena);
      channel.close();
      throw e;
    }
  }

  /** File offset of the first byte after the header. */
  public long bodyStart() {
    return bodyStart;
  }

  /** Size of the whole file. */
  public long bytes() {
    return size;
  }

  /**
   * The end of the body of a file by its size: cells from the file's start, then their checksums
   * and the footer. Negative if no file has this size.
   */
  public static long bodyEnd(long size) {
    return Cells.end(size - OutputFile.FOOTER_BYTES);
  }

  /** File offset of the end of the body, where the cells' checksums start. */
  public long bodyEnd() {
    return bodyEnd;
  }

  /** A reader for the bytes of the body from {@code from} to {@code to}, both file offsets. */
  public ByteReader reader(long from, long to, int bufferBytes) throws IOException {
    if (from < bodyStart || to > bodyEnd || from > to) {
      throw corrupt(
          "section %d..%d is outside the body %d..%d".formatted(from, to, bodyStart, bodyEnd));
    }
    return new ByteReader(this, from, to, bufferBytes);
  }

  /** A reader for the whole body. */
  public ByteReader reader(int bufferBytes) throws IOException {
    return reader(bodyStart, bodyEnd, bufferBytes);
  }

  /**
   * Returns the whole mapped file, for reading the given bytes of the body.
   *
   * @param offset file offset of the first byte
   * @param bytes number of bytes, at least one; other bytes must not be read
   * @throws CorruptIndexException if one of them may have been altered
   */
  public MemorySegment mapped(long offset, long bytes) throws IOException {
    if (mapped == null) {
      throw new IllegalStateException(path + " was not mapped");
    }
    cells.require(offset, bytes);
    return mapped;
  }

  /**
   * Reads {@code length} bytes, at least one, of the body at a file offset. If a mapped file's
   * pages become unreadable after the check, because the file was truncated or its disk failed,
   * Java throws an {@link InternalError} some instructions later. No handler here could reliably
   * catch it.
   */
  void read(long offset, byte[] target, int from, int length) throws IOException {
    cells.require(offset, length);
    copy(offset, target, from, length);
  }

  /** Reads bytes anywhere in the file without checking them. */
  void copy(long offset, byte[] target, int from, int length) throws IOException {
    if (mapped != null) {
      MemorySegment.copy(mapped, ValueLayout.JAVA_BYTE, offset, target, from, length);
      return;
    }
    read(path, channel, offset, ByteBuffer.wrap(target, from, length));
  }

  private static void read(Path path, FileChannel channel, long offset, ByteBuffer bytes)
      throws IOException {
    long at = offset;
    while (bytes.hasRemaining()) {
      int n = NamingInput.read(path, channel, bytes, at);
      if (n < 0) {
        throw new EOFException(path + ": ends at " + at + ", expected more (file truncated?)");
      }
      at += n;
    }
  }

  /**
   * Translates the error that Java throws if the system cannot read pages of a mapped file. Java
   * may throw it a little after the access.
   */
  CorruptIndexException unreadable(long from, long to, InternalError error) {
    return new CorruptIndexException(
        path.toString(),
        "cannot read bytes %d to %d (file truncated while open, or disk failure?)"
            .formatted(from, to - 1),
        error);
  }

  /** The checksum stored in the footer. */
  public long storedChecksum() throws IOException {
    byte[] stored = new byte[8];
    copy(size - 8, stored, 0, 8);
    return LittleEndian.getLong(stored, 0);
  }

  /**
   * Reads the whole file and compares its checksum with the footer's.
   *
   * @throws CorruptIndexException if they differ
   * @throws ClosedByInterruptException if the thread is interrupted before the end
   */
  public void verify() throws IOException {
    long end = size - 8;
    try {
      long found = checksum(end);
      long stored = storedChecksum();
      if (found != stored) {
        // Checking the cells locates the damage, unless it is outside of them.
        cells.checkAll();
        throw corrupt(
            "checksum of bytes 0 to %d is %#x, expected %#x (file altered or truncated?)"
                .formatted(end - 1, found, stored));
      }
    } catch (InternalError e) {
      throw unreadable(0, end, e);
    }
    cells.trust();
  }

  private long checksum(long end) throws IOException {
    CRC32C checksum = new CRC32C();
    byte[] chunk = new byte[CHUNK_BYTES];
    for (long at = 0; at < end; at += CHUNK_BYTES) {
      int n = (int) Math.min(CHUNK_BYTES, end - at);
      Interruption.requireNone();
      copy(at, chunk, 0, n);
      checksum.update(chunk, 0, n);
    }
    return checksum.getValue();
  }

  public CorruptIndexException corrupt(String problem) {
    return new CorruptIndexException(path.toString(), problem);
  }

  @Override
  public void close() throws IOException {
    unmap(arena);
    channel.close();
  }

  private static void unmap(@Nullable Arena arena) {
    if (arena != null) {
      arena.close();
    }
  }

  private static void checkHeader(Path path, FileChannel channel, String format, int version)
      throws IOException {
    byte[] header = new byte[OutputFile.headerBytes(format)];
    if (channel.size() < header.length) {
      throw incomplete(path, channel.size());
    }
    read(path, channel, 0, ByteBuffer.wrap(header));
    byte[] name = format.getBytes(StandardCharsets.US_ASCII);
    int magic = LittleEndian.getInt(header, 0);
    if (magic != OutputFile.HEADER_MAGIC) {
      throw new CorruptIndexException(
          path.toString(),
          "starts with %#x, expected %#x".formatted(magic, OutputFile.HEADER_MAGIC));
    }
    if ((header[4] & 0xFF) != name.length
        || !Arrays.equals(header, 5, 5 + name.length, name, 0, name.length)) {
      throw new CorruptIndexException(path.toString(), "is not a file of format " + format);
    }
    int found = LittleEndian.getInt(header, 5 + name.length);
    if (found != version) {
      throw new CorruptIndexException(
          path.toString(),
          "format %s has version %d, expected %d".formatted(format, found, version));
    }
  }

  private static CorruptIndexException incomplete(Path path, long size) {
    return new CorruptIndexException(
        path.toString(),
        "file has %d bytes, which is not a possible size (truncated?)".formatted(size));
  }

  private void checkFooter() throws IOException {
    byte[] footer = new byte[8];
    copy(size - OutputFile.FOOTER_BYTES, footer, 0, 8);
    int magic = LittleEndian.getInt(footer, 0);
    if (magic != OutputFile.FOOTER_MAGIC) {
      throw corrupt(
          "footer is %#x, expected %#x (file truncated?)"
              .formatted(magic, OutputFile.FOOTER_MAGIC));
    }
    byte[] first = new byte[Integer.BYTES];
    copy(bodyEnd, first, 0, Integer.BYTES);
    int repeated = LittleEndian.getInt(footer, 4); // 0 in files of older programs
    if (repeated != 0 && repeated != LittleEndian.getInt(first, 0)) {
      cells.checkAll(); // fails if the first cell's checksum is the wrong one
      throw corrupt(
          "footer is wrong: it has %#x for the first cell, expected %#x"
              .formatted(repeated, LittleEndian.getInt(first, 0)));
    }
  }
}
