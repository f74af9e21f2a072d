package io.kmodel.indexer.store;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A checked file being written, front to back. It carries a temporary name until {@link #commit()}
 * has written the footer, forced the bytes to the disk and renamed it; closing it before that
 * deletes it. Multi-byte integers are little-endian, variable-length ones are LEB128.
 *
 * <pre>
 * file   := header body cell* footer
 * header := magic:u32 = 0x6B4D4958  nameLength:u8  name:ascii  version:u32
 * cell   := checksum:u32                                       CRC-32C of 16 KiB of header and body,
 *                                                              of less at their end
 * footer := magic:u32 = 0x58494D6B  zero:u32  checksum:u64     CRC-32C of everything before it
 * </pre>
 *
 * <p>How many cells there are follows from the size of the file. They are for readers that want
 * little of a file (see {@link Cells}).
 *
 * <p>A file that is not committed yet can hand its body to another one by {@link #appendTo}, or get
 * another name to take by {@link #rename}; one that is only there to be appended is a {@link
 * #spool}. One that is to outlive its process half written has a {@link #checkpoint} now and then,
 * is left where it is by {@link #leave}, and goes on from there by {@link #reopen}. Memory: one
 * buffer of {@value #BUFFER_BYTES} bytes and, but for a spool, that of {@link CellChecksums}, 256
 * KiB for a GiB of file. Not thread-safe.
 */
public final class OutputFile implements AutoCloseable {
  /**
   * How far a file is safe on the disk.
   *
   * @param bytes from its start, the header included
   * @param checksum CRC-32C of these bytes
   */
  public record Checkpoint(long bytes, long checksum) {}

  static final int HEADER_MAGIC = 0x6B4D4958;
  static final int FOOTER_MAGIC = 0x58494D6B;
  static final int FOOTER_BYTES = 16;
  static final String TEMPORARY_SUFFIX = ".tmp";

  public static final int BUFFER_BYTES = 1 << 16;

  /** As many are written at once, though the buffer has room. */
  private static final int LARGE_BYTES = BUFFER_BYTES / 2;

  /** How many the buffer is asked for room for at a time. */
  private static final int VINTS_AT_ONCE = 64;

  private Path target;
  private final Path temporary;
  private final SummedChannel channel;

  /** What is before the buffer and not in the file; null where the file is not held. */
  private @Nullable HeldBytes held;

  private byte[] buffer = new byte[BUFFER_BYTES];
  private int bodyStart;
  private int buffered;

  /** Bytes before the buffer, those that are held included. */
  private long before;

  /** Whether closing is to leave the file alone. */
  private boolean committed;

  private OutputFile(Path target, boolean hasCells, OpenOption... options) throws IOException {
    this.target = target;
    this.temporary = temporary(target);
    this.channel = new SummedChannel(temporary, hasCells, options);
  }

  /**
   * Starts a file that will be called {@code target}.
   *
   * @param format what the file is, 1 to 255 ASCII characters; readers must name the same
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
   * Starts a file that is only there to be appended to another one: all of it is body, and it
   * cannot be committed.
   *
   * @param target names the file, which is called {@link #temporary(Path)} of it
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
   * Goes on with a file that {@link #leave} or the end of a process has left half written: what was
   * written after the checkpoint is dropped.
   *
   * @param target the name that it was created for
   * @throws CorruptIndexException if what was written before it is not there any more
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

  /** What a file of this name is called until it is complete. */
  public static Path temporary(Path target) {
    return target.resolveSibling(target.getFileName() + TEMPORARY_SUFFIX);
  }

  /** Bytes of header before the body of a file of this format. */
  static int headerBytes(String format) {
    return 4 + 1 + format.length() + 4;
  }

  /** Bytes written so far, the header included: the file offset of the next byte. */
  public long position() {
    return before + buffered;
  }

  public Path target() {
    return target;
  }

  /** The name that the file has until it is complete. */
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

  /** Writes the first ints of an array; looks for room and moves on for many at a time. */
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

  /** Writes bytes; many of them past the buffer, in no more than its size at a time. */
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

  public void writeBytes(MemorySegment bytes, long offset, long length) throws IOException {
    long from = offset;
    long left = length;
    while (left > 0) {
      if (buffered == BUFFER_BYTES) {
        flush();
      }
      int n = (int) Math.min(left, BUFFER_BYTES - buffered);
      MemorySegment.copy(bytes, from, MemorySegment.ofArray(buffer), buffered, n);
      buffered += n;
      from += n;
      left -= n;
    }
  }

  /**
   * Keeps what is written from now on in memory, where {@link #appendTo} finds it, as long as the
   * pool has buffers; then, or when the file is sealed, all of it goes to the file.
   */
  public void hold(BufferPool pool) {
    held = new HeldBytes(pool);
  }

  /** Undoes {@link #hold}: what is held goes to the file, and so does all that follows. */
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

  /** Gives the file another name to take when it is sealed, on the same file system. */
  public void rename(Path newTarget) {
    target = newTarget;
  }

  /**
   * Appends the body written so far to another file, and reads it back for that if it is not held.
   *
   * @throws CorruptIndexException if what is read back is not what was written; {@code out} must
   *     then be given up
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

  /** Reads the body, all of which is in the file, into the empty buffer. */
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

  /** Forces what is written so far to the disk; the file goes on. */
  public Checkpoint checkpoint() throws IOException {
    release();
    flush();
    channel.force();
    return new Checkpoint(before, channel.checksum());
  }

  /** Closes the file, complete or not, under its temporary name; {@link #close} is then empty. */
  public void leave() throws IOException {
    committed = true;
    channel.close();
  }

  /** Seals the file: cells, footer, force, rename, force of the directory. */
  public void commit() throws IOException {
    seal(true);
    Directories.force(target);
  }

  /**
   * Seals the file without waiting for the disk: for files that need not survive a crash of the
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
    writeInt(0);
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
