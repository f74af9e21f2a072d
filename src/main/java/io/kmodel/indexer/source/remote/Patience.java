package io.kmodel.indexer.source.remote;

import java.nio.channels.ClosedByInterruptException;
import java.time.Duration;

/**
 * How long to wait for servers.
 *
 * @param tries failures in a row after which a file is given up
 * @param unknownTries the same for a host that has never answered, whose name may be wrong
 * @param firstDelay before the second try; each later one waits twice as long
 * @param longestDelay between two tries, unless the server asks for more
 * @param longestAsked the most that a server may ask for by Retry-After
 * @param connect until a connection stands
 * @param silence until the server answers, and between two pieces of its answer
 */
record Patience(
    int tries,
    int unknownTries,
    Duration firstDelay,
    Duration longestDelay,
    Duration longestAsked,
    Duration connect,
    Duration silence) {
  /** Some two minutes of delays; a server that is silent at each try takes ten minutes more. */
  static final Patience USUAL =
      new Patience(
          10,
          3,
          Duration.ofMillis(250),
          Duration.ofSeconds(40),
          Duration.ofMinutes(10),
          Duration.ofSeconds(20),
          Duration.ofSeconds(60));

  /** The delay after so many failures, at least 1, if it is not changed at random. */
  Duration delay(int failures) {
    Duration delay = firstDelay.multipliedBy(1L << Math.min(failures - 1, 20));
    return delay.compareTo(longestDelay) < 0 ? delay : longestDelay;
  }

  /** Waits; an interrupted thread stays interrupted. */
  static void sleep(Duration delay) throws ClosedByInterruptException {
    try {
      Thread.sleep(delay);
    } catch (InterruptedException e) {
      throw interrupted();
    }
  }

  /** The exception of a thread that is interrupted while it waits, as a channel throws it. */
  static ClosedByInterruptException interrupted() {
    Thread.currentThread().interrupt();
    return new ClosedByInterruptException();
  }
}
