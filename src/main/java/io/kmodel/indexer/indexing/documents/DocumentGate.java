package io.kmodel.indexer.indexing.documents;

import io.kmodel.indexer.indexing.options.MemoryPlan;
import io.kmodel.indexer.source.AheadMemory;
import io.kmodel.indexer.source.DecoderGuard;
import io.kmodel.indexer.source.DecoderGuard.Memory;
import io.kmodel.indexer.source.HeapGuard;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Keeps the documents that are being parsed, and what decodes them, within the memory. Half of the
 * heap for documents is shared out among the threads: a document that fits its thread's share goes
 * ahead. The other half is for one thread at a time with a large document; others wait for it. So
 * no document waits while it holds what another one waits for.
 *
 * <p>The heap for decoders is shared out in the same way. Decoders that fit what their thread has
 * of both leave the rest to its documents. Those that do not, and those with large windows outside
 * of the heap, wait for the same turn, and keep it while their file is read. What a decoder needs
 * beyond its first request, amid a document, it takes beside what that has. Safe for many threads;
 * each takes a {@link #guard} of its own.
 */
public final class DocumentGate {
  private final long shareBytes;
  private final long largeBytes;

  /** The same with the heap for decoders. */
  private final long shareWithDecoders;

  private final long largeWithDecoders;
  private final long largestDictionary;
  private final long largestWindow;
  private final Semaphore large = new Semaphore(1, true);
  private final AheadMemory ahead;

  public DocumentGate(MemoryPlan plan, int threads) {
    this.largeBytes = plan.documentHeapBytes() / 2;
    this.shareBytes = largeBytes / threads;
    this.largeWithDecoders = (plan.documentHeapBytes() + MemoryPlan.DECODER_HEAP_BYTES) / 2;
    this.shareWithDecoders = largeWithDecoders / threads;
    this.largestDictionary =
        Math.min(plan.largestDictionaryBytes(), shareWithDecoders + largeWithDecoders);
    this.ahead = new Ahead(plan.aheadBytes());
    this.largestWindow = Math.max(plan.windowBytes(), DecoderGuard.USUAL_OUTSIDE_BYTES);
  }

  /** A thread's way through the gate. */
  public ThreadGuard guard() {
    return new ThreadGuard();
  }

  /** What is left of so many bytes. */
  private static final class Ahead implements AheadMemory {
    private final AtomicLong left;

    Ahead(long bytes) {
      left = new AtomicLong(bytes);
    }

    @Override
    public boolean take(long bytes, long toOthers) {
      long needed = bytes + toOthers;
      return left.getAndUpdate(there -> there < needed ? there : there - bytes) >= needed;
    }

    @Override
    public void giveBack(long bytes) {
      left.addAndGet(bytes);
    }
  }

  /** For one thread. */
  public final class ThreadGuard implements HeapGuard, DecoderGuard {
    private boolean holdsLarge;
    private boolean documentIsLarge;

    /** Bytes of decoders on the heap, and outside. */
    private long dictionaries;

    private long windows;

    @Override
    public long freeBytes() {
      return Math.max(0, Math.min(shareBytes, shareWithDecoders - dictionaries));
    }

    @Override
    public long largestBytes() {
      return Math.max(
          0, Math.min(largeBytes, shareWithDecoders + largeWithDecoders - dictionaries));
    }

    @Override
    public boolean reserve(long heapBytes) throws InterruptedException {
      if (heapBytes <= freeBytes()) {
        return true;
      }
      if (heapBytes > largestBytes()) {
        return false;
      }
      takeTurn();
      documentIsLarge = true;
      return true;
    }

    @Override
    public void release() {
      documentIsLarge = false;
      endTurn();
    }

    @Override
    public DecoderGuard decoders() {
      return this;
    }

    @Override
    public boolean holdsTurn() {
      return holdsLarge;
    }

    @Override
    public AheadMemory ahead() {
      return ahead;
    }

    @Override
    public long largestBytes(Memory memory) {
      return memory == Memory.HEAP ? largestDictionary : largestWindow;
    }

    @Override
    public boolean reserve(Memory memory, long bytes) throws InterruptedException {
      boolean heap = memory == Memory.HEAP;
      long wanted = bytes + (heap ? dictionaries : windows);
      if (wanted > largestBytes(memory)) {
        return false;
      }
      if (wanted > (heap ? shareWithDecoders : DecoderGuard.USUAL_OUTSIDE_BYTES)) {
        takeTurn();
      }
      add(memory, bytes);
      return true;
    }

    @Override
    public void release(Memory memory, long bytes) {
      add(memory, -bytes);
      endTurn();
    }

    private void add(Memory memory, long bytes) {
      if (memory == Memory.HEAP) {
        dictionaries += bytes;
      } else {
        windows += bytes;
      }
    }

    private void takeTurn() throws InterruptedException {
      if (!holdsLarge) {
        large.acquire();
        holdsLarge = true;
      }
    }

    /** Unless something is still large. */
    private void endTurn() {
      boolean decoderIsLarge =
          dictionaries > shareWithDecoders || windows > DecoderGuard.USUAL_OUTSIDE_BYTES;
      if (holdsLarge && !documentIsLarge && !decoderIsLarge) {
        holdsLarge = false;
        large.release();
      }
    }
  }
}
