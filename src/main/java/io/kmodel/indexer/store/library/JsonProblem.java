package io.kmodel.indexer.store.library;

import java.io.IOException;
import java.util.regex.Pattern;

/** Turns Jackson's messages about invalid JSON into short ones without hints at its options. */
public final class JsonProblem {
  /** Jackson's location, including its note that the source is not shown. */
  private static final Pattern PLACE = Pattern.compile("\\[Source:[^\\]]*column: (\\d+)\\]");

  private static final Pattern OPTION =
      Pattern.compile(
          ":? enable `[^`]*` to allow|,? from `[^`]*`| \\(not recognized as one since [^)]*\\)");

  private JsonProblem() {}

  /**
   * Describes a problem in one line.
   *
   * @param message message of an exception thrown by Jackson
   */
  public static String of(String message) {
    String first = message.lines().findFirst().orElse("");
    return OPTION.matcher(PLACE.matcher(first).replaceAll("column $1")).replaceAll("");
  }

  /** Describes the problem that an exception reports. */
  public static String of(IOException e) {
    return of(String.valueOf(e.getMessage()));
  }
}
