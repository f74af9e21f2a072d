package io.kmodel.indexer.gpu;

import java.util.function.LongSupplier;

/**
 * Time that has passed while somebody looked. A process that is suspended sees nothing of what its
 * devices do meanwhile, and would take it for their silence: so of the time between two looks at
 * most a second counts. Safe for many threads.
 */
public final class SeenTime {
  private static final long MOST_NANOS = 1_000_000_000;

  private final LongSupplier clock;
  private long lastLook;
  private long seen;

  /** Begins now. */
  public SeenTime() {
    this(System::nanoTime);
  }

  SeenTime(LongSupplier clock) {
    this.clock = clock;
    this.lastLook = clock.getAsLong();
  }

  /** Begins again. */
  public synchronized void restart() {
    lastLook = clock.getAsLong();
    seen = 0;
  }

  /** Looks, and returns the nanoseconds since the beginning. */
  public synchronized long look() {
    long now = clock.getAsLong();
    seen += Math.min(now - lastLook, MOST_NANOS);
    lastLook = now;
    return seen;
  }
}
