package io.kmodel.indexer.browse;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Limits the requests that may walk over all terms of an index, which can take minutes, so that
 * threads stay free for the others. Thread-safe.
 */
final class WalkLimit {
  private static final int MOST = 4;
  private static final int TRY_AGAIN_LATER = 503;

  private final Semaphore permits = new Semaphore(MOST);
  private final long milliseconds;

  /**
   * Creates a limit.
   *
   * @param milliseconds how long a request waits before it is refused
   */
  WalkLimit(long milliseconds) {
    this.milliseconds = milliseconds;
  }

  /** Work that may walk over all terms. */
  @FunctionalInterface
  interface Walk {
    byte[] run() throws IOException, RefusedRequestException;
  }

  byte[] run(Walk walk) throws IOException, RefusedRequestException {
    try {
      if (!permits.tryAcquire(milliseconds, TimeUnit.MILLISECONDS)) {
        throw new RefusedRequestException(
            TRY_AGAIN_LATER, "other requests are counting terms; try again in a while");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ClosedByInterruptException();
    }
    try {
      return walk.run();
    } finally {
      permits.release();
    }
  }
}
