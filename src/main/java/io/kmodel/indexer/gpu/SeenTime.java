package io.kmodel.indexer.gpu;

import java.util.function.LongSupplier;

/**
 * A clock for timeouts that stops while the process is suspended. A suspended process does not see
 * its devices work and would take that for a hang, so at most one second counts between two looks
 * at the clock. Safe for many threads.
 */
public final class SeenTime {
  private static final long MOST_NANOS = 1_000_000_000;

  private final LongSupplier clock;
  private long lastLook;
  private long seen;

  /** Starts the clock. */
  public SeenTime() {
    this(System::nanoTime);
  }

  SeenTime(LongSupplier clock) {
    this.clock = clock;
    this.lastLook = clock.getAsLong();
  }

  /** Starts the clock again from 0. */
  public synchronized void restart() {
    lastLook = clock.getAsLong();
    seen = 0;
  }

  /** Returns the nanoseconds since the start. */
  public synchronized long look() {
    long now = clock.getAsLong();
    seen += Math.min(now - lastLook, MOST_NANOS);
    lastLook = now;
    return seen;
  }
}
