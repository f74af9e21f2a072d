package io.kmodel.indexer.store;

import java.io.IOException;
import java.util.regex.Pattern;

/** What is wrong with JSON, without what Jackson says about itself: its options and its places. */
public final class JsonProblem {
  /** Where it is, of which Jackson says that it does not show what is there. */
  private static final Pattern PLACE = Pattern.compile("\\[Source:[^\\]]*column: (\\d+)\\]");

  private static final Pattern OPTION =
      Pattern.compile(
          ":? enable `[^`]*` to allow|,? from `[^`]*`| \\(not recognized as one since [^)]*\\)");

  private JsonProblem() {}

  /**
   * In a line.
   *
   * @param message of what Jackson has thrown
   */
  public static String of(String message) {
    String first = message.lines().findFirst().orElse("");
    return OPTION.matcher(PLACE.matcher(first).replaceAll("column $1")).replaceAll("");
  }

  /** The same of what was thrown. */
  public static String of(IOException e) {
    return of(String.valueOf(e.getMessage()));
  }
}
