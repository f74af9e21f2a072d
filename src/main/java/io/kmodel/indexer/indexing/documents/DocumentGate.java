package io.kmodel.indexer.indexing.documents;

import io.kmodel.indexer.indexing.options.MemoryPlan;
import io.kmodel.indexer.source.AheadMemory;
import io.kmodel.indexer.source.DecoderGuard;
import io.kmodel.indexer.source.DecoderGuard.Memory;
import io.kmodel.indexer.source.HeapGuard;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Keeps the documents that are being parsed, and their decoders, within the memory. Half of the
 * heap for documents is divided among the threads: a document that fits its thread's share
 * proceeds. The other half is for one large document at a time, in addition to its thread's share;
 * one semaphore guards it. So no document waits while it holds memory that another one waits for.
 *
 * <p>The heap for decoders is divided in the same way. Decoders that fit their thread's two shares
 * leave the rest to its documents. Larger ones, and those with large windows off the heap, take the
 * same semaphore and hold it while their file is read. If a decoder needs more memory in the middle
 * of a document, it gets it in addition to the document's. Safe for many threads; each needs its
 * own {@link #guard}.
 */
public final class DocumentGate {
  private final int heapPerTextByte;
  private final long shareBytes;
  private final long largeBytes;

  /** The same, including the heap for decoders. */
  private final long shareWithDecoders;

  private final long largeWithDecoders;
  private final long largestDictionary;
  private final long largestWindow;
  private final Semaphore large = new Semaphore(1, true);
  private final AheadMemory ahead;

  public DocumentGate(MemoryPlan plan, int threads) {
    this.heapPerTextByte = plan.heapPerTextByte();
    this.largeBytes = plan.documentHeapBytes() / 2;
    this.shareBytes = largeBytes / threads;
    this.largeWithDecoders = (plan.documentHeapBytes() + MemoryPlan.DECODER_HEAP_BYTES) / 2;
    this.shareWithDecoders = largeWithDecoders / threads;
    this.largestDictionary =
        Math.min(plan.largestDictionaryBytes(), shareWithDecoders + largeWithDecoders);
    this.ahead = new Ahead(plan.aheadBytes());
    this.largestWindow = Math.max(plan.windowBytes(), DecoderGuard.USUAL_OUTSIDE_BYTES);
  }

  /** A guard for one thread. */
  public ThreadGuard guard() {
    return new ThreadGuard();
  }

  /** Memory for decompressed data that all threads share. */
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

    /** Bytes of decoders on the heap, and off the heap below. */
    private long dictionaries;

    private long windows;

    @Override
    public long freeBytes() {
      return Math.max(0, Math.min(shareBytes, shareWithDecoders - dictionaries));
    }

    @Override
    public long largestBytes() {
      return Math.max(
          0,
          Math.min(shareBytes + largeBytes, shareWithDecoders + largeWithDecoders - dictionaries));
    }

    /** What a user can do about a document that needs a run of so many bytes. */
    String adviceForRun(long runBytes) {
      return MemoryPlan.advice(plan -> plan.runBytes() >= runBytes);
    }

    @Override
    public int heapPerTextByte() {
      return heapPerTextByte;
    }

    @Override
    public String advice(long heapBytes) {
      return MemoryPlan.advice(
          plan -> new DocumentGate(plan, 1).guard().largestBytes() >= heapBytes);
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
    public long reservedBytes(Memory memory) {
      return memory == Memory.HEAP ? dictionaries : windows;
    }

    @Override
    public boolean reserve(Memory memory, long bytes) throws InterruptedException {
      boolean heap = memory == Memory.HEAP;
      long wanted = bytes + reservedBytes(memory);
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

    /** Releases the semaphore unless a document or decoder is still large. */
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
