package io.kmodel.indexer.source;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.ClosedByInterruptException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Decodes a file of bzip2 by several threads, none of which is its own: one reads, and whoever has
 * nothing else to do decodes blocks that come after those.
 *
 * <p>Failure: an {@link IOException} where the file is damaged, or otherwise than usual ({@link
 * Bzip2Blocks}), after blocks before that; only another decoder, from the start, says what is
 * wrong. So it does where more is unpacked than a file may unpack to, of which blocks that are
 * decoded together do not tell where. Memory: on the heap 6 MiB for each thread that decodes, of
 * those that help and of the one that reads, and 2 MiB, and blocks whose text has no room; outside
 * of it what the others unpack to until that is read, for which it asks: there are no more {@link
 * Job}s that wait than twice the threads, and two. Read by one thread at a time; closing it frees
 * what is outside, once nobody decodes.
 */
final class Bzip2Input extends BlockInput {
  /** Of the heap, for blocks, what they are decoded with, and a buffer. */
  static final long DECODER_BYTES = 6L << 20;

  /** A little more than the text of a usual block. */
  private static final int SLOT_BYTES = 1 << 20;

  /** Of a job: indented text and such unpacks to more than others. */
  private static final int MOST_SLOTS = 4;

  /** What is left to others of the memory for what is unpacked ahead: long lines need some. */
  private static final int LEFT_BYTES = 4 << 20;

  /**
   * What blocks that are decoded together may unpack to. One may have 46 MB; many that small are
   * for a decoder that gives what it has before it has all.
   */
  private static final int MOST_BYTES = 64 << 20;

  private static final int BUFFER_BYTES = 1 << 14;

  /**
   * Blocks on their way to the reader: of the thread that decodes them until that is done, and of
   * the one that reads from then on.
   */
  private static final class Job {
    /** The blocks; null when they are not wanted any more. */
    byte @Nullable [] packed;

    /** Where in the file the first of them starts, and where what follows does. */
    final long start;

    final long end;

    /** What they unpack to, unless that is very much, or there was too little memory. */
    final List<MemorySegment> slots = new ArrayList<>(MOST_SLOTS);

    boolean fits = true;
    int length;
    int at;

    /** Guarded by the input. */
    boolean done;

    /** Whether they were decoded to their end. */
    boolean whole;

    /** Why not. */
    @Nullable IOException failure;

    /** Of who reads what did not fit. */
    @Nullable InputStream decoder;

    Job(byte[] packed, long start, long end, MemorySegment slot) {
      this.packed = packed;
      this.start = start;
      this.end = end;
      this.slots.add(slot);
    }

    InputStream open() throws IOException {
      byte[] stream = packed == null ? new byte[0] : packed;
      return new BZip2CompressorInputStream(InputBytes.of(stream, 0, stream.length));
    }

    int read(byte[] to, int offset, int length) throws IOException {
      if (!fits) {
        InputStream in = decoder == null ? open() : decoder;
        decoder = in;
        return DecodedInput.read(in, to, offset, length);
      }
      if (at == this.length) {
        return -1;
      }
      int in = at % SLOT_BYTES;
      int n = Math.min(Math.min(length, this.length - at), SLOT_BYTES - in);
      MemorySegment.copy(slots.get(at / SLOT_BYTES), ValueLayout.JAVA_BYTE, in, to, offset, n);
      at += n;
      return n;
    }
  }

  private final InputBytes file;
  private final int maxExpansion;
  private final AheadArena arena;

  /** Of the thread that cuts. */
  private final Bzip2Blocks blocks;

  /** What is decoded or was, in its order; guarded by this, as all that follows. */
  private final Queue<Job> jobs = new ArrayDeque<>();

  private final Deque<MemorySegment> slots = new ArrayDeque<>();

  /** For what nobody decodes ahead, where there is no memory; made when it is wanted. */
  private @Nullable MemorySegment ownSlot;

  /** Whether memory was asked for, and there was none. */
  private boolean refused;

  /** Whether a thread cuts blocks out of the file, without the lock. */
  private boolean cutting;

  /** Threads that decode. */
  private int decoding;

  /** Whether no block follows those that were cut: at the file's end, or after a failure. */
  private boolean ended;

  private boolean atEnd;
  private @Nullable IOException failure;
  private boolean closed;
  private boolean freed;

  /** What is being read, and how much was; of who reads. */
  private @Nullable Job current;

  private long output;

  /**
   * Decodes.
   *
   * @param file from where it is; it goes along with what is read
   * @param memory is asked for what waits
   * @param maxExpansion how many times its size the file may unpack to
   */
  Bzip2Input(InputBytes file, AheadMemory memory, int maxExpansion) {
    this.file = file;
    this.maxExpansion = maxExpansion;
    this.arena = new AheadArena(memory);
    this.blocks = new Bzip2Blocks(file);
  }

  @Override
  public int read(byte[] to, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    while (true) {
      Job job = current;
      if (job == null) {
        job = next();
        if (job == null) {
          file.seek(file.size());
          return -1;
        }
        file.seek(job.end);
        current = job;
      }
      int n = job.read(to, offset, length);
      if (n > 0) {
        output += n;
        if (RecordInput.isTooMuch(job.start, output, maxExpansion)) {
          throw new IOException("bzip2: unpacks to very much");
        }
        return n;
      }
      current = null;
      giveBack(job.slots);
    }
  }

  /** The next blocks to read; null at the end. */
  private @Nullable Job next() throws IOException {
    while (true) {
      MemorySegment slot;
      synchronized (this) {
        Job first = jobs.peek();
        if (first != null && first.done) {
          jobs.remove();
          if (!first.whole) {
            end(first.failure);
            throw unfinished();
          }
          return first;
        }
        if (first == null && ended && !cutting) {
          if (!atEnd) {
            throw unfinished();
          }
          return null;
        }
        slot = room(first == null);
        if (slot == null) {
          await();
          continue;
        }
      }
      cutAndDecode(slot);
    }
  }

  /**
   * Decodes blocks that will be read, if they may wait; for any thread.
   *
   * @return false if none may now
   */
  boolean decodeAhead() throws ClosedByInterruptException {
    MemorySegment slot;
    synchronized (this) {
      while (cutting) {
        await();
      }
      slot = room(false);
    }
    return slot != null && cutAndDecode(slot);
  }

  /** Whether a thread would find something to decode. */
  synchronized boolean wantsHelp() {
    return mayWait() && !refused;
  }

  @Override
  public synchronized void close() {
    closed = true;
    ended = true;
    free();
  }

  /** Frees what is outside of the heap, when nobody uses it any more. */
  private void free() {
    if (closed && !cutting && decoding == 0 && !freed) {
      freed = true;
      arena.close();
    }
  }

  private void end(@Nullable IOException why) {
    ended = true;
    atEnd = false;
    failure = why;
  }

  /** A failure that nobody could note had no memory for that. */
  private IOException unfinished() {
    return failure == null ? new IOException("bzip2: could not be decoded") : failure;
  }

  private boolean mayWait() {
    return !ended && jobs.size() < 2 * decoding + 2;
  }

  /** Room to decode in what is to be cut; null if nothing is now. */
  private @Nullable MemorySegment room(boolean needed) {
    if (cutting || ended || !(needed || mayWait())) {
      return null;
    }
    MemorySegment slot = slot();
    if (slot == null && needed) {
      // Nothing waits, so it is free.
      ownSlot = ownSlot == null ? arena.allocate(SLOT_BYTES) : ownSlot;
      slot = ownSlot;
    }
    cutting = slot != null;
    return slot;
  }

  private synchronized @Nullable MemorySegment slot() {
    MemorySegment slot = slots.poll();
    if (slot == null) {
      slot = arena.take(SLOT_BYTES, LEFT_BYTES);
      refused = slot == null;
    }
    return slot;
  }

  private synchronized void giveBack(List<MemorySegment> used) {
    for (MemorySegment slot : used) {
      if (slot != ownSlot) {
        slots.push(slot);
      }
    }
    used.clear();
    refused &= slots.isEmpty();
  }

  /** False if there was nothing to cut. */
  private boolean cutAndDecode(MemorySegment slot) {
    Job job = null;
    IOException why = null;
    boolean last = false;
    try {
      long start = blocks.end();
      byte[] packed = blocks.next();
      last = packed == null;
      job = packed == null ? null : new Job(packed, start, blocks.end(), slot);
    } catch (IOException e) {
      // It comes to who reads as far.
      why = e;
    } finally {
      job = endCut(job, slot, last, why);
    }
    if (job != null) {
      decode(job);
    }
    return job != null;
  }

  /** The job, if it is to be decoded. Whatever fails amid it does not look like the file's end. */
  private synchronized @Nullable Job endCut(
      @Nullable Job job, MemorySegment slot, boolean last, @Nullable IOException why) {
    cutting = false;
    notifyAll();
    end(why);
    if (job != null && !closed) {
      jobs.add(job);
      decoding++;
      ended = false;
      return job;
    }
    atEnd = last;
    giveBack(new ArrayList<>(List.of(slot)));
    free();
    return null;
  }

  private void decode(Job job) {
    try {
      unpack(job);
      job.whole = true;
    } catch (IOException e) {
      job.failure = e;
    } finally {
      if (job.fits) {
        job.packed = null;
      }
      done(job);
    }
  }

  /** Unpacks blocks to their end, since nothing is handed out of one that is not whole. */
  private void unpack(Job job) throws IOException {
    byte[] buffer = new byte[BUFFER_BYTES];
    try (InputStream in = job.open()) {
      for (int n = in.read(buffer); n > 0; n = in.read(buffer)) {
        if (n > MOST_BYTES - job.length) {
          throw new IOException("bzip2: blocks that unpack to more than " + MOST_BYTES + " bytes");
        }
        if (job.fits && !append(job, buffer, n)) {
          job.fits = false;
          giveBack(job.slots);
        }
        job.length += n;
      }
    } catch (RuntimeException e) {
      throw new IOException(e.toString(), e);
    }
  }

  /** False if there is no room for it. */
  private boolean append(Job job, byte[] from, int count) {
    for (int done = 0, n; done < count; done += n) {
      int at = job.length + done;
      if (at / SLOT_BYTES == job.slots.size()) {
        MemorySegment slot = job.slots.size() < MOST_SLOTS ? slot() : null;
        if (slot == null) {
          return false;
        }
        job.slots.add(slot);
      }
      int in = at % SLOT_BYTES;
      n = Math.min(count - done, SLOT_BYTES - in);
      MemorySegment.copy(from, done, job.slots.get(at / SLOT_BYTES), ValueLayout.JAVA_BYTE, in, n);
    }
    return true;
  }

  private synchronized void done(Job job) {
    job.done = true;
    decoding--;
    notifyAll();
    if (!job.whole) {
      giveBack(job.slots);
    }
    free();
  }

  @SuppressWarnings("WaitNotInLoop") // the callers loop
  private void await() throws ClosedByInterruptException {
    try {
      wait();
    } catch (InterruptedException e) {
      throw InputBytes.interrupted();
    }
  }
}
