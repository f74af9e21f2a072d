package io.kmodel.indexer.source.unpack;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorInputStream;
import org.jspecify.annotations.Nullable;

/**
 * A group of bzip2 blocks on the way to its reader. Memory: on the heap, {@value #DECODER_BYTES}
 * bytes while the blocks are decoded, including the blocks; off-heap, the output in slots of
 * {@value #SLOT_BYTES} bytes. If there is no room for the output, the blocks stay compressed and
 * the reader decodes them again. The decoding thread owns the job until it is done, then the
 * reading one.
 */
final class Bzip2Job {
  /** The blocks, a decoder, and a buffer. */
  static final long DECODER_BYTES = 6L << 20;

  /** Slightly more than a typical block unpacks to. */
  static final int SLOT_BYTES = 1 << 20;

  /** Repetitive text, such as indented text, unpacks to more than one slot. */
  private static final int MOST_SLOTS = 4;

  /**
   * Limit on the output of blocks that are decoded together. One block may unpack to 46 MB; for
   * many that small, the file needs a decoder that returns output before it has all of it.
   */
  private static final int MOST_BYTES = 64 << 20;

  private static final int BUFFER_BYTES = 1 << 14;

  /** Supplies slots. */
  interface Room {
    /** Another slot; null if none is available. */
    @Nullable MemorySegment slot();

    /** Takes back the slots of a list, and clears it. */
    void giveBack(List<MemorySegment> slots);
  }

  /** The compressed blocks; null once they are no longer needed. */
  private byte @Nullable [] packed;

  private final long start;
  private final long end;
  private final List<MemorySegment> slots = new ArrayList<>(MOST_SLOTS);
  private boolean fits = true;
  private int length;
  private int at;
  private boolean whole;
  private @Nullable IOException failure;

  /** Guarded by the owner of the jobs. */
  private boolean done;

  /** Decodes for the reader what did not fit. */
  private @Nullable InputStream decoder;

  /**
   * Creates a job.
   *
   * @param packed the blocks, as a bzip2 stream
   * @param start offset in the file of the first block
   * @param end offset in the file of the data after the blocks
   * @param slot for the start of the output
   */
  Bzip2Job(byte[] packed, long start, long end, MemorySegment slot) {
    this.packed = packed;
    this.start = start;
    this.end = end;
    this.slots.add(slot);
  }

  long start() {
    return start;
  }

  long end() {
    return end;
  }

  List<MemorySegment> slots() {
    return slots;
  }

  /** Whether decoding has ended. */
  boolean isDone() {
    return done;
  }

  void done() {
    done = true;
  }

  /** Whether the blocks were decoded to their end; if not, nothing may be read. */
  boolean isWhole() {
    return whole;
  }

  /**
   * Why decoding failed; null if it did not, or if the decoding thread failed with an {@link
   * Error}.
   */
  @Nullable IOException failure() {
    return failure;
  }

  /** Decodes the blocks to their end, because nothing may be returned of an incomplete one. */
  void decode(Room room) {
    try {
      unpack(room);
      whole = true;
    } catch (IOException e) {
      failure = e;
    } finally {
      if (fits) {
        packed = null;
      }
      if (!whole) {
        room.giveBack(slots);
      }
    }
  }

  private InputStream open() throws IOException {
    byte[] stream = Objects.requireNonNull(packed);
    return new BZip2CompressorInputStream(InputBytes.of(stream, 0, stream.length));
  }

  private void unpack(Room room) throws IOException {
    byte[] buffer = new byte[BUFFER_BYTES];
    try (InputStream in = open()) {
      for (int n = in.read(buffer); n > 0; n = in.read(buffer)) {
        if (n > MOST_BYTES - length) {
          throw new IOException("bzip2: blocks unpack to more than " + MOST_BYTES + " bytes");
        }
        if (fits && !append(buffer, n, room)) {
          fits = false;
          room.giveBack(slots);
        }
        length += n;
      }
    } catch (RuntimeException e) {
      throw new IOException(e.toString(), e);
    }
  }

  /** Returns false if there is no room. */
  private boolean append(byte[] from, int count, Room room) {
    for (int done = 0, n; done < count; done += n) {
      int place = length + done;
      if (place / SLOT_BYTES == slots.size()) {
        MemorySegment slot = slots.size() < MOST_SLOTS ? room.slot() : null;
        if (slot == null) {
          return false;
        }
        slots.add(slot);
      }
      int in = place % SLOT_BYTES;
      n = Math.min(count - done, SLOT_BYTES - in);
      MemorySegment.copy(from, done, slots.get(place / SLOT_BYTES), ValueLayout.JAVA_BYTE, in, n);
    }
    return true;
  }

  /** Reads output; returns -1 at the end. */
  int read(byte[] to, int offset, int count) throws IOException {
    if (!fits) {
      InputStream in = decoder == null ? open() : decoder;
      decoder = in;
      return DecodedInput.read(in, to, offset, count);
    }
    if (at == length) {
      return -1;
    }
    int in = at % SLOT_BYTES;
    int n = Math.min(Math.min(count, length - at), SLOT_BYTES - in);
    MemorySegment.copy(slots.get(at / SLOT_BYTES), ValueLayout.JAVA_BYTE, in, to, offset, n);
    at += n;
    return n;
  }
}
