package io.kmodel.indexer.source.remote;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Counts the failures of one reading, and waits after each: exponentially longer, half of it at
 * random, so that many threads do not come back together. Not thread-safe.
 */
final class Retry {
  /** After this many bytes, earlier failures are forgotten. */
  private static final long PROGRESS_BYTES = 1 << 16;

  private final Web web;
  private final Address address;
  private int failures;
  private long received;

  Retry(Web web, Address address) {
    this.web = web;
    this.address = address;
  }

  /** Called for bytes that were received. */
  void progress(long bytes) {
    received += bytes;
    if (received >= PROGRESS_BYTES) {
      failures = 0;
    }
  }

  /**
   * Waits for the next try.
   *
   * @param asked for by the server; zero if it asked for nothing
   * @throws UnavailableException if there were enough
   */
  void again(IOException cause, Duration asked) throws ClosedByInterruptException {
    failures++;
    received = 0;
    Patience patience = web.patience();
    String why = Web.message(cause);
    boolean isUnknown = !web.hasAnswered(address);
    int tries = isUnknown ? patience.unknownTries() : patience.tries();
    if (failures >= tries) {
      String route = isUnknown ? address.route() : "";
      throw new UnavailableException(
          address,
          "%s; gave up after %d tries".formatted(why, failures)
              + (route.isEmpty() ? "" : "; " + route),
          cause);
    }
    if (asked.compareTo(patience.longestAsked()) > 0) {
      throw new UnavailableException(
          address, "%s; the server asks to wait for %d s".formatted(why, asked.toSeconds()), cause);
    }
    web.counts()
        .retry(
            "%s: %s; try %d of %d is next"
                .formatted(address.uri().getRawAuthority(), why, failures + 1, tries));
    long half = patience.delay(failures).toNanos() / 2;
    Duration delay = Duration.ofNanos(half + ThreadLocalRandom.current().nextLong(half + 1));
    Patience.sleep(asked.compareTo(delay) > 0 ? asked : delay);
  }
}
