package io.kmodel.indexer.parse;

import org.jspecify.annotations.Nullable;

/**
 * Whether the text of a page is to be relied on; the first reason not to is the one that counts.
 */
final class HtmlDoubt {
  private @Nullable HtmlUnsure reason;

  void reset() {
    reason = null;
  }

  void raise(HtmlUnsure why) {
    if (reason == null) {
      reason = why;
    }
  }

  /** Null if there is none. */
  @Nullable HtmlUnsure reason() {
    return reason;
  }
}
