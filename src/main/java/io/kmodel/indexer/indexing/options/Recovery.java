package io.kmodel.indexer.indexing.options;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * What a build does about the work of one that was interrupted, and for its own interruption.
 *
 * @param start what happens to finished work that is there
 * @param sealEvery how much time's work may be lost, beside what is not finished; see {@link
 *     BuildJournal}
 * @param notices is told in words what the user may want to know while the build goes on; by any
 *     thread
 * @param warnings is told in the same way what went wrong, or is left for the user to do
 */
public record Recovery(
    Start start, Duration sealEvery, Consumer<String> notices, Consumer<String> warnings) {
  /** Long enough that a short build pays nothing. */
  public static final Duration SEAL_EVERY = Duration.ofSeconds(30);

  /** For builds that nobody watches. */
  public static final Recovery DEFAULT = new Recovery(Start.ANEW, SEAL_EVERY, line -> {});

  /** What happens to finished work of a build into the same output. */
  public enum Start {
    /** It is an error, so that nothing is lost by mistake; without any, the build begins. */
    ANEW,
    /** The build goes on with it; without any, it begins. */
    RESUME,
    /** It is deleted. */
    RESTART
  }

  /** With one who is told all of it. */
  public Recovery(Start start, Duration sealEvery, Consumer<String> notices) {
    this(start, sealEvery, notices, notices);
  }

  public Recovery {
    if (sealEvery.isNegative()) {
      throw new IllegalArgumentException("sealEvery must not be negative; got " + sealEvery);
    }
  }
}
