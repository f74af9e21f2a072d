package io.kmodel.indexer.source.unpack;

import io.kmodel.indexer.source.AheadMemory;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ClosedByInterruptException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Decodes a bzip2 file with several threads. It starts no threads: one thread reads, and threads
 * that have nothing else to do decode later blocks.
 *
 * <p>Failure: an {@link IOException}, after the blocks before it, if the file is damaged or unusual
 * (see {@link Bzip2Blocks}). The caller then has to decode from the start with another decoder,
 * which reports the actual problem. The same holds if the file unpacks to more than it may, because
 * blocks that are decoded together do not show where. Memory: that of a {@link Bzip2Job} for each
 * decoding thread, including the reader, and 2 MiB on the heap. Decoded blocks are kept off-heap
 * until they are read, in memory that has to be granted; at most twice as many jobs as decoding
 * threads, plus two, wait at a time. For one reading thread at a time. Closing frees the off-heap
 * memory once no thread decodes.
 */
final class Bzip2Input extends BlockInput implements Bzip2Job.Room {
  /** Read-ahead memory that remains for others, which need it for long lines. */
  private static final int LEFT_BYTES = 4 << 20;

  private final InputBytes file;
  private final int maxExpansion;
  private final AheadArena arena;

  /** Used by the thread that cuts. */
  private final Bzip2Blocks blocks;

  /** Jobs in file order, decoded or being decoded. Guarded by this, as are all fields below. */
  private final Queue<Bzip2Job> jobs = new ArrayDeque<>();

  private final Deque<MemorySegment> slots = new ArrayDeque<>();

  /** For decoding without read-ahead memory; allocated on demand. */
  private @Nullable MemorySegment ownSlot;

  /** Whether the last request for memory was refused. */
  private boolean refused;

  /** Whether a thread is cutting blocks, outside the lock. */
  private boolean cutting;

  /** Number of decoding threads. */
  private int decoding;

  /** Whether no more blocks will be cut: the file has ended, or cutting has failed. */
  private boolean ended;

  private boolean atEnd;
  private @Nullable IOException failure;
  private boolean closed;
  private boolean freed;

  /** The job being read, and the bytes read so far; used by the reading thread only. */
  private @Nullable Bzip2Job current;

  private long output;

  /**
   * Decodes a file.
   *
   * @param file decoded from its current position, which follows the reader
   * @param memory grants memory for blocks that wait for the reader
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
      Bzip2Job job = current;
      if (job == null) {
        job = next();
        if (job == null) {
          file.seek(file.size());
          return -1;
        }
        file.seek(job.end());
        current = job;
      }
      int n = job.read(to, offset, length);
      if (n > 0) {
        output += n;
        if (RecordInput.isTooMuch(job.start(), output, maxExpansion)) {
          throw new IOException("bzip2: unpacks to more than allowed");
        }
        return n;
      }
      current = null;
      giveBack(job.slots());
    }
  }

  /** The next job to read; null at the end. */
  private @Nullable Bzip2Job next() throws IOException {
    while (true) {
      MemorySegment slot;
      synchronized (this) {
        Bzip2Job first = jobs.peek();
        if (first != null && first.isDone()) {
          jobs.remove();
          if (!first.isWhole()) {
            end(first.failure());
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
   * Decodes blocks ahead of the reader, if more jobs may wait; for any thread.
   *
   * @return false if none may wait now
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

  /** Whether another thread would find blocks to decode. */
  synchronized boolean wantsHelp() {
    return mayWait() && !refused;
  }

  @Override
  public synchronized void close() {
    closed = true;
    ended = true;
    free();
  }

  /** Frees the off-heap memory once no thread uses it. */
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

  /**
   * The recorded failure. A thread that failed with an {@link Error}, such as lack of memory,
   * recorded none.
   */
  private IOException unfinished() {
    return failure == null ? new IOException("bzip2: could not be decoded") : failure;
  }

  private boolean mayWait() {
    return !ended && jobs.size() < 2 * decoding + 2;
  }

  /** Starts cutting and returns a slot for the result; null if nothing may be cut now. */
  private @Nullable MemorySegment room(boolean needed) {
    if (cutting || ended || !(needed || mayWait())) {
      return null;
    }
    MemorySegment slot = slot();
    if (slot == null && needed) {
      // No other job waits, so the reserved slot is free.
      ownSlot = ownSlot == null ? arena.allocate(Bzip2Job.SLOT_BYTES) : ownSlot;
      slot = ownSlot;
    }
    cutting = slot != null;
    return slot;
  }

  @Override
  public synchronized @Nullable MemorySegment slot() {
    MemorySegment slot = slots.poll();
    if (slot == null) {
      slot = arena.take(Bzip2Job.SLOT_BYTES, LEFT_BYTES);
      refused = slot == null;
    }
    return slot;
  }

  @Override
  public synchronized void giveBack(List<MemorySegment> used) {
    for (MemorySegment slot : used) {
      if (slot != ownSlot) {
        slots.push(slot);
      }
    }
    used.clear();
    refused &= slots.isEmpty();
  }

  /** Returns false if there was nothing to cut. */
  private boolean cutAndDecode(MemorySegment slot) {
    Bzip2Job job = null;
    IOException why = null;
    boolean last = false;
    try {
      long start = blocks.end();
      byte[] packed = blocks.next();
      last = packed == null;
      job = packed == null ? null : new Bzip2Job(packed, start, blocks.end(), slot);
    } catch (IOException e) {
      // Reported when the reader gets there.
      why = e;
    } finally {
      job = endCut(job, slot, last, why);
    }
    if (job == null) {
      return false;
    }
    try {
      job.decode(this);
    } finally {
      done(job);
    }
    return true;
  }

  /**
   * Ends cutting; returns the job if it is to be decoded. A failure in between must not look like
   * the end of the file.
   */
  private synchronized @Nullable Bzip2Job endCut(
      @Nullable Bzip2Job job, MemorySegment slot, boolean last, @Nullable IOException why) {
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

  private synchronized void done(Bzip2Job job) {
    job.done();
    decoding--;
    notifyAll();
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
