package io.kmodel.indexer.parse.html;

import org.jspecify.annotations.Nullable;

/** Records why the text of a page is unreliable; the first reason counts. */
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

  /** Returns the reason, or null. */
  @Nullable HtmlUnsure reason() {
    return reason;
  }
}
