package io.kmodel.indexer.source;

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
 * Some blocks of bzip2 on their way to who reads them. Memory: on the heap the blocks, while they
 * are decoded, and {@value #DECODER_BYTES} bytes meanwhile, with them; outside of it what they
 * unpack to, in slots of {@value #SLOT_BYTES} bytes. Blocks for which there is no room stay packed,
 * and are decoded again by who reads them. Of the thread that decodes until that is done, and of
 * the one that reads from then on.
 */
final class Bzip2Job {
  /** Blocks, what they are decoded with, and a buffer. */
  static final long DECODER_BYTES = 6L << 20;

  /** A little more than the text of a usual block. */
  static final int SLOT_BYTES = 1 << 20;

  /** Indented text and such unpacks to more than others. */
  private static final int MOST_SLOTS = 4;

  /**
   * What blocks that are decoded together may unpack to. One may have 46 MB; many that small are
   * for a decoder that gives what it has before it has all.
   */
  private static final int MOST_BYTES = 64 << 20;

  private static final int BUFFER_BYTES = 1 << 14;

  /** Where slots come from. */
  interface Room {
    /** One more; null if there is none. */
    @Nullable MemorySegment slot();

    /** Takes slots out of a list. */
    void giveBack(List<MemorySegment> slots);
  }

  /** Null when they are not wanted any more. */
  private byte @Nullable [] packed;

  private final long start;
  private final long end;
  private final List<MemorySegment> slots = new ArrayList<>(MOST_SLOTS);
  private boolean fits = true;
  private int length;
  private int at;
  private boolean whole;
  private @Nullable IOException failure;

  /** Guarded by who has the jobs. */
  private boolean done;

  /** Of who reads what did not fit. */
  private @Nullable InputStream decoder;

  /**
   * Blocks to decode.
   *
   * @param packed as a stream
   * @param start where in the file the first of them starts
   * @param end where what follows does
   * @param slot for the start of what they unpack to
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

  /** Whether nobody decodes them any more. */
  boolean isDone() {
    return done;
  }

  void done() {
    done = true;
  }

  /** Whether they were decoded to their end; nothing is to be read of them if not. */
  boolean isWhole() {
    return whole;
  }

  /** Why they are not whole, unless that is an error of the thread that decoded them. */
  @Nullable IOException failure() {
    return failure;
  }

  /** Decodes the blocks to their end, since nothing is handed out of one that is not whole. */
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
          throw new IOException("bzip2: blocks that unpack to more than " + MOST_BYTES + " bytes");
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

  /** False if there is no room for it. */
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

  /** Reads on; -1 at the end. */
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
