package io.kmodel.indexer.source;

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
 * Decodes a file of bzip2 by several threads, none of which is its own: one reads, and whoever has
 * nothing else to do decodes blocks that come after those.
 *
 * <p>Failure: an {@link IOException} where the file is damaged, or otherwise than usual ({@link
 * Bzip2Blocks}), after blocks before that; only another decoder, from the start, says what is
 * wrong. So it does where more is unpacked than a file may unpack to, of which blocks that are
 * decoded together do not tell where. Memory: a {@link Bzip2Job}'s for each thread that decodes, of
 * those that help and of the one that reads, and 2 MiB on the heap; outside of it what blocks
 * unpack to until that is read, for which it asks: there are no more jobs that wait than twice the
 * threads, and two. Read by one thread at a time; closing it frees what is outside of the heap,
 * once nobody decodes.
 */
final class Bzip2Input extends BlockInput implements Bzip2Job.Room {
  /** What is left to others of the memory for what is unpacked ahead: long lines need some. */
  private static final int LEFT_BYTES = 4 << 20;

  private final InputBytes file;
  private final int maxExpansion;
  private final AheadArena arena;

  /** Of the thread that cuts. */
  private final Bzip2Blocks blocks;

  /** What is decoded or was, in its order; guarded by this, as all that follows. */
  private final Queue<Bzip2Job> jobs = new ArrayDeque<>();

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
  private @Nullable Bzip2Job current;

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
          throw new IOException("bzip2: unpacks to very much");
        }
        return n;
      }
      current = null;
      giveBack(job.slots());
    }
  }

  /** The next blocks to read; null at the end. */
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

  /** False if there was nothing to cut. */
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
      // It comes to who reads as far.
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

  /** The job, if it is to be decoded. Whatever fails amid it does not look like the file's end. */
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
