package io.kmodel.indexer.source.list;

import com.google.common.primitives.Bytes;
import io.kmodel.indexer.source.record.RecordFile;
import io.kmodel.indexer.store.VariableLength;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The files of a crawl in order, grouped into units. A unit has at most {@value #UNIT_FILES}
 * consecutive files of one root and is closed as soon as they hold {@value #UNIT_BYTES} bytes. A
 * file of {@value #LARGE_BYTES} bytes or more is a separate unit. It has numbers for all of its
 * cells (see {@link RecordFile#CELL_BYTES}), whether it is cut or not, and for as many cells as it
 * may unpack to. The list is held in memory in this form:
 *
 * <pre>
 * unit := root:vint files:vint file*
 * file := size:vlong shared:vint rest:vint byte*   the path: the first {@code shared} bytes of the
 *                                                  previous one in the unit, then {@code rest} more
 * </pre>
 *
 * <p>Example: the files {@code a/b} of 5 bytes and {@code a/cd} of 300 in root 0 are {@code 00 02 |
 * 05 00 03 61 2F 62 | AC 02 02 02 63 64}. Memory: the bytes of the names that differ from their
 * neighbours', about 5 bytes per file for the numbers, and 24 per unit. Safe for many readers.
 */
public final class FileList {
  public static final int UNIT_FILES = 64;
  public static final int UNIT_BYTES = 1 << 20;
  public static final long LARGE_BYTES = 2 * RecordFile.CELL_BYTES;

  /** More than any sensible {@code --max-expansion}; there are enough numbers for it. */
  private static final long MOST_EXPANSION = 1L << 20;

  private static final int CHUNK_BYTES = 1 << 20;

  private final List<Root> roots;
  private final List<byte[]> chunks;

  /** Where unit i starts: chunk in the upper half, offset in the lower. */
  private final long[] unitStarts;

  private final long[] unitBytes;
  private final long[] unitNumbers;
  private final int units;
  private final long files;
  private final long bytes;

  /**
   * A directory or file to read.
   *
   * @param directory that paths are relative to
   * @param elsewhere files that are not below the directory, by {@link PathBytes#text} of their
   *     path: those of servers, or that of a given link
   */
  private record Root(Path directory, Map<String, ? extends Path> elsewhere) {}

  private FileList(Builder builder) {
    this.roots = List.copyOf(builder.roots);
    this.chunks = List.copyOf(builder.chunks);
    this.unitStarts = builder.unitStarts;
    this.unitBytes = builder.unitBytes;
    this.unitNumbers = builder.unitNumbers;
    this.units = builder.units;
    this.files = builder.files;
    this.bytes = builder.bytes;
  }

  public int units() {
    return units;
  }

  /** Bytes in the files of one unit. */
  public long unitBytes(int unit) {
    return unitBytes[unit];
  }

  /** Whether a unit is one large file. */
  public boolean isLarge(int unit) {
    return unitBytes[unit] >= LARGE_BYTES;
  }

  public long files() {
    return files;
  }

  public long bytes() {
    return bytes;
  }

  /** Memory that the list takes, in bytes. */
  public long memoryBytes() {
    long sum = 24L * unitStarts.length;
    for (byte[] chunk : chunks) {
      sum += chunk.length;
    }
    return sum;
  }

  /** All units, for tests of the encoding. */
  public byte[] encoded() {
    return Bytes.concat(chunks.toArray(new byte[0][]));
  }

  /** The files of units {@code from} to {@code to}, exclusive. */
  public Cursor cursor(int from, int to) {
    return new Cursor(this, from, to);
  }

  /** Steps through files in order. Not thread-safe. */
  public static final class Cursor {
    private final FileList list;
    private final int toUnit;
    private int unit;
    private byte[] chunk = {};
    private int at;
    private int left;
    private int root;
    private byte[] path = new byte[256];
    private int pathLength;
    private long size;

    private Cursor(FileList list, int fromUnit, int toUnit) {
      this.list = list;
      this.unit = fromUnit - 1;
      this.toUnit = toUnit;
    }

    public boolean next() {
      if (left == 0) {
        if (unit + 1 >= toUnit) {
          return false;
        }
        startUnit(unit + 1);
      }
      left--;
      size = readVLong();
      int shared = (int) readVLong();
      int rest = (int) readVLong();
      pathLength = shared + rest;
      if (pathLength > path.length) {
        path = Arrays.copyOf(path, 2 * pathLength);
      }
      System.arraycopy(chunk, at, path, shared, rest);
      at += rest;
      return true;
    }

    /** The directory that {@link #path()} is relative to. */
    public Path root() {
      return list.roots.get(root).directory;
    }

    /** The number of the root; roots may have the same directory. */
    public int rootNumber() {
      return root;
    }

    /** The path of the file. */
    public Path place() {
      Path target = elsewhere();
      return target == null ? PathBytes.resolve(root(), path, pathLength) : target;
    }

    /** The path of a file that is not below the root's directory; null for any other. */
    public @Nullable Path elsewhere() {
      Map<String, ? extends Path> elsewhere = list.roots.get(root).elsewhere;
      return elsewhere.isEmpty() ? null : elsewhere.get(PathBytes.text(path, pathLength));
    }

    /** Names separated by slashes, in the first {@link #pathLength()} bytes. */
    public byte[] path() {
      return path;
    }

    public int pathLength() {
      return pathLength;
    }

    /** The size as listed. */
    public long size() {
      return size;
    }

    /** Number of the unit, or of its first cell. */
    public long unitNumber() {
      return list.unitNumbers[unit];
    }

    private void startUnit(int next) {
      unit = next;
      long start = list.unitStarts[next];
      chunk = list.chunks.get((int) (start >>> 32));
      at = (int) start;
      root = (int) readVLong();
      left = (int) readVLong();
    }

    private long readVLong() {
      long value = 0;
      for (int shift = 0; ; shift += 7) {
        byte b = chunk[at++];
        value |= (b & 0x7FL) << shift;
        if (b >= 0) {
          return value;
        }
      }
    }
  }

  /** Builds a list from files in order. Not thread-safe. */
  public static final class Builder {
    /** Receives the bytes of every unit as soon as it is closed. */
    private final LongConsumer listener;

    private final List<Root> roots = new ArrayList<>();
    private final List<byte[]> chunks = new ArrayList<>();
    private byte[] chunk = new byte[CHUNK_BYTES];
    private int chunkLength;
    private long[] unitStarts = new long[64];
    private long[] unitBytes = new long[64];
    private long[] unitNumbers = new long[64];
    private long nextNumber;
    private int units;
    private long files;
    private long bytes;

    private byte[] open = new byte[4096];
    private int openLength;
    private int openFiles;
    private long openBytes;
    private byte[] last = {};

    public Builder() {
      this(bytes -> {});
    }

    public Builder(LongConsumer listener) {
      this.listener = listener;
    }

    /** Starts the next root; the files that follow are relative to it. */
    public void startRoot(Path directory) {
      startRoot(directory, Map.of());
    }

    /**
     * Starts a root with files that are not below its directory.
     *
     * @param elsewhere where these files are, by {@link PathBytes#text} of the paths that are added
     *     next
     */
    public void startRoot(Path directory, Map<String, ? extends Path> elsewhere) {
      start(new Root(directory, elsewhere));
    }

    private void start(Root root) {
      closeUnit();
      roots.add(root);
    }

    /** Adds a file; the path is kept, not copied. */
    public void add(byte[] path, long size) {
      if (size >= LARGE_BYTES) {
        closeUnit();
      }
      int mismatch = openFiles == 0 ? 0 : Arrays.mismatch(last, path);
      int shared = mismatch < 0 ? path.length : mismatch;
      int rest = path.length - shared;
      reserve(30 + rest);
      writeVLong(size);
      writeVLong(shared);
      writeVLong(rest);
      System.arraycopy(path, shared, open, openLength, rest);
      openLength += rest;
      last = path;
      openFiles++;
      openBytes += size;
      files++;
      bytes += size;
      if (openFiles == UNIT_FILES || openBytes >= UNIT_BYTES) {
        closeUnit();
      }
    }

    public FileList build() {
      closeUnit();
      chunk = Arrays.copyOf(chunk, chunkLength);
      unitStarts = Arrays.copyOf(unitStarts, units);
      unitBytes = Arrays.copyOf(unitBytes, units);
      unitNumbers = Arrays.copyOf(unitNumbers, units);
      return closedUnits();
    }

    /**
     * The units that are closed. Later files are stored after them, so the lists share their
     * memory.
     */
    public FileList closedUnits() {
      chunks.add(chunk);
      FileList list = new FileList(this);
      chunks.removeLast();
      return list;
    }

    private void closeUnit() {
      if (openFiles == 0) {
        return;
      }
      if (chunk.length - chunkLength < openLength + 10) {
        chunks.add(Arrays.copyOf(chunk, chunkLength));
        chunk = new byte[Math.max(CHUNK_BYTES, openLength + 10)];
        chunkLength = 0;
      }
      if (units == unitStarts.length) {
        int room = units + (units >> 1) + 1;
        unitStarts = Arrays.copyOf(unitStarts, room);
        unitBytes = Arrays.copyOf(unitBytes, room);
        unitNumbers = Arrays.copyOf(unitNumbers, room);
      }
      unitStarts[units] = (long) chunks.size() << 32 | chunkLength;
      unitBytes[units] = openBytes;
      unitNumbers[units] = nextNumber;
      nextNumber +=
          openBytes < LARGE_BYTES ? 1 : (openBytes / RecordFile.CELL_BYTES + 1) * MOST_EXPANSION;
      units++;
      chunkLength = VariableLength.putLong(chunk, chunkLength, roots.size() - 1L);
      chunkLength = VariableLength.putLong(chunk, chunkLength, openFiles);
      System.arraycopy(open, 0, chunk, chunkLength, openLength);
      chunkLength += openLength;
      long closedBytes = openBytes;
      openLength = 0;
      openFiles = 0;
      openBytes = 0;
      listener.accept(closedBytes);
    }

    private void reserve(int more) {
      if (open.length - openLength < more) {
        open = Arrays.copyOf(open, Math.max(2 * open.length, openLength + more));
      }
    }

    private void writeVLong(long value) {
      openLength = VariableLength.putLong(open, openLength, value);
    }
  }
}
