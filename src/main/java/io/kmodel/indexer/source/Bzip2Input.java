package io.kmodel.indexer.source;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.ClosedByInterruptException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Queue;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Decodes a file of bzip2 by several threads, none of which is its own: one reads, and whoever has
 * nothing else to do decodes blocks that come after those.
 *
 * <p>Failure: an {@link IOException} where the file is damaged, or otherwise than usual ({@link
 * Bzip2Blocks}), after all blocks before that; only another decoder, from the start, says what is
 * wrong. Memory: 6 MiB on the heap for each thread that decodes, and {@value #SLOT_BYTES} bytes
 * outside for a block that waits, for which it asks: there are no more of these than twice the
 * threads, and two. Read by one thread at a time. Closing it ends reading; what is outside of the
 * heap is freed by {@link #free()}, when nobody decodes.
 */
final class Bzip2Input extends BlockInput {
  /** Of the heap, for a block, what it is decoded with, and a buffer. */
  static final long DECODER_BYTES = 6L << 20;

  /** What most blocks unpack to; others are decoded again by who reads them. */
  private static final int SLOT_BYTES = 1 << 20;

  /** What is left to others of the memory for what is unpacked ahead. */
  private static final int LEFT_BYTES = 4 << 20;

  private static final int BUFFER_BYTES = 1 << 14;

  /** A block on its way to the reader; guarded by the input, but for what one thread decodes. */
  private static final class Job {
    final byte[] block;

    /** Where in the file what follows starts. */
    final long end;

    /** What the block unpacks to, as far as it is read; null where the reader decodes it. */
    @Nullable MemorySegment slot;

    int length;
    int at;
    boolean done;
    @Nullable InputStream decoder;
    @Nullable IOException failure;

    Job(byte[] block, long end) {
      this.block = block;
      this.end = end;
    }

    InputStream open() throws IOException {
      return new BZip2CompressorInputStream(InputBytes.of(block, 0, block.length));
    }
  }

  private final InputBytes file;
  private final Bzip2Blocks blocks;
  private final AheadMemory memory;
  private final Arena arena = Arena.ofShared();

  /** Blocks that are decoded or were, in their order. */
  private final Queue<Job> jobs = new ArrayDeque<>();

  private final Deque<MemorySegment> slots = new ArrayDeque<>();
  private long granted;

  /** Threads that decode ahead. */
  private int decoding;

  /** Whether no block follows those that were cut. */
  private boolean ended;

  /** Why, if that is not the file's end. */
  private @Nullable IOException failure;

  /** What is being read. */
  private @Nullable Job current;

  /**
   * Decodes.
   *
   * @param file from where it is; it goes along with what is read
   * @param memory for blocks that wait
   */
  Bzip2Input(InputBytes file, AheadMemory memory) {
    this.file = file;
    this.blocks = new Bzip2Blocks(file);
    this.memory = memory;
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
      int n = read(job, to, offset, length);
      if (n > 0) {
        return n;
      }
      current = null;
      giveBackSlot(job);
    }
  }

  private static int read(Job job, byte[] to, int offset, int length) throws IOException {
    MemorySegment slot = job.slot;
    if (slot == null) {
      InputStream decoder = job.decoder == null ? job.open() : job.decoder;
      job.decoder = decoder;
      return DecodedInput.read(decoder, to, offset, length);
    }
    int n = Math.min(length, job.length - job.at);
    MemorySegment.copy(slot, ValueLayout.JAVA_BYTE, job.at, to, offset, n);
    job.at += n;
    return n;
  }

  private synchronized void giveBackSlot(Job job) {
    if (job.slot != null) {
      slots.push(job.slot);
      job.slot = null;
    }
  }

  /** The next block to read, decoded by others or not at all; null at the end. */
  private @Nullable Job next() throws IOException {
    while (true) {
      Job ahead;
      Job cut = null;
      synchronized (this) {
        Job head = jobs.peek();
        if (head != null && head.done) {
          jobs.remove();
          if (head.failure != null) {
            throw head.failure;
          }
          return head;
        }
        ahead = begin();
        if (ahead == null && head != null) {
          await();
        } else if (ahead == null) {
          cut = cut();
          if (cut == null) {
            return null;
          }
        }
      }
      if (cut != null) {
        // Nothing is handed out of a block that is not whole.
        unpack(cut);
        return cut;
      }
      if (ahead != null) {
        decode(ahead);
      }
    }
  }

  /**
   * Decodes a block that will be read, if one may wait; for any thread.
   *
   * @return false if none may now
   */
  boolean decodeAhead() {
    Job job;
    synchronized (this) {
      job = begin();
    }
    if (job != null) {
      decode(job);
    }
    return job != null;
  }

  /** Whether a thread would find something to decode. */
  synchronized boolean wantsHelp() {
    return !ended && jobs.size() < 2 * decoding + 2;
  }

  @Override
  public synchronized void close() {
    ended = true;
  }

  /** Frees what is outside of the heap. */
  void free() {
    arena.close();
    memory.giveBack(granted);
    granted = 0;
  }

  /** A block to decode ahead, with room for it; null if there is none. */
  private @Nullable Job begin() {
    MemorySegment slot = wantsHelp() ? slot() : null;
    if (slot == null) {
      return null;
    }
    Job job = null;
    try {
      job = cut();
    } catch (IOException e) {
      // It comes again to who reads as far.
    }
    if (job == null) {
      slots.push(slot);
      return null;
    }
    job.slot = slot;
    jobs.add(job);
    decoding++;
    return job;
  }

  private @Nullable MemorySegment slot() {
    MemorySegment free = slots.poll();
    // Lines that are longer than a chunk need some of it, too.
    if (free != null || !memory.take(LEFT_BYTES + SLOT_BYTES)) {
      return free;
    }
    memory.giveBack(LEFT_BYTES);
    granted += SLOT_BYTES;
    return arena.allocate(SLOT_BYTES);
  }

  /** The block behind all that were cut; null at the end. */
  private @Nullable Job cut() throws IOException {
    if (!ended) {
      try {
        byte[] block = blocks.next();
        ended = block == null;
        return block == null ? null : new Job(block, blocks.end());
      } catch (IOException e) {
        ended = true;
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
    return null;
  }

  private void decode(Job job) {
    boolean fits = false;
    try {
      fits = unpack(job);
    } catch (IOException e) {
      job.failure = e;
    } catch (Error e) {
      job.failure = new IOException(e);
      throw e;
    } finally {
      done(job, fits);
    }
  }

  /** Unpacks a block to its end, as far as its slot holds it; false if that is not all. */
  private static boolean unpack(Job job) throws IOException {
    MemorySegment slot = job.slot;
    byte[] buffer = new byte[BUFFER_BYTES];
    boolean fits = slot != null;
    try (InputStream in = job.open()) {
      for (int n = in.read(buffer); n > 0; n = in.read(buffer)) {
        fits = fits && n <= SLOT_BYTES - job.length;
        if (fits && slot != null) {
          MemorySegment.copy(buffer, 0, slot, ValueLayout.JAVA_BYTE, job.length, n);
          job.length += n;
        }
      }
    } catch (RuntimeException e) {
      throw new IOException(e.toString(), e);
    }
    return fits;
  }

  private synchronized void done(Job job, boolean fits) {
    if (!fits) {
      giveBackSlot(job);
    }
    job.done = true;
    decoding--;
    notifyAll();
  }

  @SuppressWarnings("WaitNotInLoop") // the caller loops
  private void await() throws ClosedByInterruptException {
    try {
      wait();
    } catch (InterruptedException e) {
      throw InputBytes.interrupted();
    }
  }
}
