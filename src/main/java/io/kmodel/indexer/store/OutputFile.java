package io.kmodel.indexer.store;

import io.kmodel.indexer.store.disk.Directories;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A checked file being written sequentially. It has a temporary name until {@link #commit()} has
 * written the footer, forced the bytes to disk and renamed it; closing it earlier deletes it.
 * Multi-byte integers are little-endian, variable-length ones are LEB128.
 *
 * <pre>
 * file   := header body cell* footer
 * header := magic:u32 = 0x6B4D4958  nameLength:u8  name:ascii  version:u32
 * cell   := checksum:u32                                       CRC-32C of 16 KiB of header and body;
 *                                                              the last covers the remainder
 * footer := magic:u32 = 0x58494D6B  first:u32                  the first cell's checksum again
 *           checksum:u64                                       CRC-32C of everything before it
 * </pre>
 *
 * <p>The number of cells follows from the size of the file. They serve readers that need only parts
 * of a file (see {@link Cells}). The CRC of bytes followed by their CRC is the same for all bytes;
 * only because of {@code first} does the checksum of a file of one cell depend on them.
 *
 * <p>{@link #appendTo} copies the body of an uncommitted file to another one, and {@link #rename}
 * changes the name it will take. A {@link #spool} exists only to be appended. A file that must
 * survive its process while incomplete takes a {@link #checkpoint} now and then, is kept by {@link
 * #leave}, and is continued by {@link #reopen}. Memory: one buffer of {@value #BUFFER_BYTES} bytes
 * and, except for a spool, {@link CellChecksums} of 256 KiB per GiB of file. Not thread-safe.
 */
public final class OutputFile implements AutoCloseable {
  /**
   * The part of a file that is safely on disk.
   *
   * @param bytes number of bytes from its start, including the header
   * @param checksum CRC-32C of these bytes
   */
  public record Checkpoint(long bytes, long checksum) {}

  static final int HEADER_MAGIC = 0x6B4D4958;
  static final int FOOTER_MAGIC = 0x58494D6B;
  static final int FOOTER_BYTES = 16;
  static final String TEMPORARY_SUFFIX = ".tmp";

  public static final int BUFFER_BYTES = 1 << 16;

  /** Arrays of at least this size bypass the buffer. */
  private static final int LARGE_BYTES = BUFFER_BYTES / 2;

  /** Number of ints written per check for room in the buffer. */
  private static final int VINTS_AT_ONCE = 64;

  private Path target;
  private final Path temporary;
  private final SummedChannel channel;

  /** Bytes before the buffer that are not in the file yet; null if the file is not held. */
  private @Nullable HeldBytes held;

  private byte[] buffer = new byte[BUFFER_BYTES];
  private int bodyStart;
  private int buffered;

  /** Bytes before the buffer, including those held. */
  private long before;

  /** Whether closing leaves the file alone. */
  private boolean committed;

  private OutputFile(Path target, boolean hasCells, OpenOption... options) throws IOException {
    this.target = target;
    this.temporary = temporary(target);
    this.channel = new SummedChannel(temporary, hasCells, options);
  }

  /**
   * Starts a file that will be named {@code target}.
   *
   * @param format the file's format, 1 to 255 ASCII characters; readers must pass the same
   */
  public static OutputFile create(Path target, String format, int version) throws IOException {
    byte[] name = format.getBytes(StandardCharsets.US_ASCII);
    if (name.length == 0 || name.length > 255) {
      throw new IllegalArgumentException("format name must have 1 to 255 characters: " + format);
    }
    OutputFile out = create(target, true);
    out.writeInt(HEADER_MAGIC);
    out.writeByte(name.length);
    out.writeBytes(name, 0, name.length);
    out.writeInt(version);
    out.bodyStart = out.buffered;
    return out;
  }

  /**
   * Starts a file that exists only to be appended to another one. It consists of a body only and
   * cannot be committed.
   *
   * @param target determines the file's name, {@link #temporary(Path)} of it
   */
  public static OutputFile spool(Path target) throws IOException {
    return create(target, false);
  }

  private static OutputFile create(Path target, boolean hasCells) throws IOException {
    return new OutputFile(
        target,
        hasCells,
        StandardOpenOption.CREATE,
        StandardOpenOption.TRUNCATE_EXISTING,
        StandardOpenOption.READ,
        StandardOpenOption.WRITE);
  }

  /**
   * Continues an incomplete file that was kept by {@link #leave} or by the end of its process.
   * Bytes written after the checkpoint are discarded.
   *
   * @param target the name that it was created for
   * @throws CorruptIndexException if the bytes before the checkpoint are missing or altered
   */
  public static OutputFile reopen(Path target, String format, Checkpoint at) throws IOException {
    OutputFile out =
        new OutputFile(target, true, StandardOpenOption.READ, StandardOpenOption.WRITE);
    try {
      out.bodyStart = headerBytes(format);
      out.channel.goOn(at.bytes(), at.checksum(), out.buffer);
      out.before = at.bytes();
    } catch (IOException | RuntimeException e) {
      out.leave();
      throw e;
    }
    return out;
  }

  /** The name of a file until it is complete. */
  public static Path temporary(Path target) {
    return target.resolveSibling(target.getFileName() + TEMPORARY_SUFFIX);
  }

  /** Size of the header of a file of this format. */
  static int headerBytes(String format) {
    return 4 + 1 + format.length() + 4;
  }

  /** Bytes written so far including the header: the file offset of the next byte. */
  public long position() {
    return before + buffered;
  }

  public Path target() {
    return target;
  }

  /** The file's name until it is complete. */
  public Path temporary() {
    return temporary;
  }

  public void writeByte(int b) throws IOException {
    reserve(1);
    buffer[buffered++] = (byte) b;
  }

  public void writeInt(int value) throws IOException {
    reserve(4);
    LittleEndian.putInt(buffer, buffered, value);
    buffered += 4;
  }

  public void writeLong(long value) throws IOException {
    reserve(8);
    LittleEndian.putLong(buffer, buffered, value);
    buffered += 8;
  }

  /** Writes an int as 1 to 5 bytes; negative values take 5. */
  public void writeVInt(int value) throws IOException {
    reserve(VariableLength.MAX_INT_BYTES);
    buffered = VariableLength.putInt(buffer, buffered, value);
  }

  /** Writes the first ints of an array; reserves buffer space for many at a time. */
  public void writeVInts(int[] values, int count) throws IOException {
    for (int from = 0; from < count; from += VINTS_AT_ONCE) {
      int end = Math.min(count, from + VINTS_AT_ONCE);
      reserve(VariableLength.MAX_INT_BYTES * (end - from));
      int at = buffered;
      for (int i = from; i < end; i++) {
        at = VariableLength.putInt(buffer, at, values[i]);
      }
      buffered = at;
    }
  }

  /** Writes a long as 1 to 10 bytes; negative values take 10. */
  public void writeVLong(long value) throws IOException {
    reserve(VariableLength.MAX_LONG_BYTES);
    buffered = VariableLength.putLong(buffer, buffered, value);
  }

  /** Writes bytes. Large arrays bypass the buffer, at most a buffer's size at a time. */
  public void writeBytes(byte[] bytes, int offset, int length) throws IOException {
    int from = offset;
    int left = length;
    while (left > 0) {
      boolean past = left >= LARGE_BYTES && held == null;
      if (past ? buffered > 0 : buffered == BUFFER_BYTES) {
        flush();
      }
      int n = Math.min(left, BUFFER_BYTES - buffered);
      if (past) {
        channel.write(bytes, from, n);
        before += n;
      } else {
        System.arraycopy(bytes, from, buffer, buffered, n);
        buffered += n;
      }
      from += n;
      left -= n;
    }
  }

  /**
   * Keeps bytes written from now on in memory for {@link #appendTo}, as long as the pool has
   * buffers. If it runs out, or when the file is committed, all of them are written to the file.
   */
  public void hold(BufferPool pool) {
    held = new HeldBytes(pool);
  }

  /** Undoes {@link #hold}: writes the bytes held, and later ones, to the file. */
  public void release() throws IOException {
    HeldBytes inMemory = held;
    if (inMemory != null) {
      held = null;
      try {
        inMemory.copyTo(channel::write, 0);
      } finally {
        inMemory.discard();
      }
    }
  }

  /** Changes the name that the file takes when committed; must be on the same file system. */
  public void rename(Path newTarget) {
    target = newTarget;
  }

  /**
   * Appends the body written so far to another file, reading it back unless it is held in memory.
   *
   * @throws CorruptIndexException if the bytes read back differ from those written; {@code out} is
   *     then unusable
   */
  public void appendTo(OutputFile out) throws IOException {
    if (held == null) {
      flush();
      readBack(out::writeBytes);
      return;
    }
    held.copyTo(out::writeBytes, bodyStart);
    int from = before == 0 ? bodyStart : 0;
    out.writeBytes(buffer, from, buffered - from);
  }

  /** Reads the body, all of which is in the file, through the empty buffer. */
  private void readBack(HeldBytes.Sink body) throws IOException {
    CRC32C readBack = new CRC32C();
    for (long at = 0; at < before; at += BUFFER_BYTES) {
      int n = (int) Math.min(BUFFER_BYTES, before - at);
      channel.read(buffer, n, at);
      readBack.update(buffer, 0, n);
      int from = at == 0 ? bodyStart : 0;
      body.write(buffer, from, n - from);
    }
    channel.requireChecksum(readBack.getValue());
  }

  /** Forces the bytes written so far to disk; writing can continue. */
  public Checkpoint checkpoint() throws IOException {
    release();
    flush();
    channel.force();
    return new Checkpoint(before, channel.checksum());
  }

  /**
   * Closes the file, complete or not, under its temporary name; {@link #close} then does nothing.
   */
  public void leave() throws IOException {
    committed = true;
    channel.close();
  }

  /**
   * Completes the file: writes cells and footer, forces it to disk, renames it, forces the entry.
   */
  public void commit() throws IOException {
    seal(true);
    Directories.force(target);
  }

  /**
   * Completes the file without forcing it to disk, for files that need not survive a crash of the
   * machine.
   */
  public void commitUnforced() throws IOException {
    seal(false);
  }

  private void seal(boolean force) throws IOException {
    release();
    flush();
    CellChecksums cells = channel.endCells();
    int count = cells.finish();
    for (int cell = 0; cell < count; cell++) {
      writeInt(cells.get(cell));
    }
    writeInt(FOOTER_MAGIC);
    writeInt(cells.get(0));
    flush();
    writeLong(channel.checksum());
    flush();
    if (force) {
      channel.force();
    }
    channel.close();
    Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
    committed = true;
  }

  /** Deletes the temporary file unless {@link #commit()} has renamed it. */
  @Override
  public void close() throws IOException {
    if (held != null) {
      held.discard();
    }
    if (!committed) {
      channel.close();
      Files.deleteIfExists(temporary);
    }
  }

  private void reserve(int bytes) throws IOException {
    if (BUFFER_BYTES - buffered < bytes) {
      flush();
    }
  }

  private void flush() throws IOException {
    byte[] next = held == null ? null : held.swap(buffer, buffered);
    if (next == null) {
      release();
      channel.write(buffer, 0, buffered);
    } else {
      buffer = next;
    }
    before += buffered;
    buffered = 0;
  }
}
