package io.kmodel.indexer.indexing.options;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * How a build treats an interrupted one, and its own interruption.
 *
 * @param start what happens to the work of an interrupted build
 * @param sealEvery time between two saves; a crash loses the work since the last one
 * @param notices gets messages for the user while the build runs; called by any thread
 * @param warnings gets messages about what went wrong, or what the user has to do
 */
public record Recovery(
    Start start, Duration sealEvery, Consumer<String> notices, Consumer<String> warnings) {
  /** Long enough that a short build never saves. */
  public static final Duration SEAL_EVERY = Duration.ofSeconds(30);

  /** Defaults, without messages. */
  public static final Recovery DEFAULT = new Recovery(Start.FRESH, SEAL_EVERY, line -> {});

  /** What happens to saved work of a build into the same output. */
  public enum Start {
    /** The build is refused if there is any, so that nothing is lost by mistake. */
    FRESH,
    /** The build continues it; if there is none, it starts from scratch. */
    RESUME,
    /** It is deleted. */
    RESTART
  }

  /** With one consumer for notices and warnings. */
  public Recovery(Start start, Duration sealEvery, Consumer<String> notices) {
    this(start, sealEvery, notices, notices);
  }

  public Recovery {
    if (sealEvery.isNegative()) {
      throw new IllegalArgumentException("sealEvery must not be negative; got " + sealEvery);
    }
  }
}
