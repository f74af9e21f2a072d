package io.kmodel.indexer.parse.html;

import io.kmodel.indexer.source.record.WellFormed;

/**
 * Collects the words of a page, with one space for each sequence of separators and white space, as
 * {@link HtmlText} defines them. Not thread-safe.
 */
final class SpacedText {
  private final StringBuilder text = new StringBuilder();
  private boolean separated;

  void clear() {
    text.setLength(0);
    separated = false;
  }

  int length() {
    return text.length();
  }

  /** Separates the words before from those that follow. */
  void separate() {
    separated = true;
  }

  void append(String characters) {
    for (int i = 0; i < characters.length(); i++) {
      char c = characters.charAt(i);
      if (c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' || c == '\u00A0') {
        separated = true;
      } else if (c != '\u200B' && c != '\u00AD') {
        if (separated && !text.isEmpty()) {
          text.append(' ');
        }
        separated = false;
        text.append(c);
      }
    }
  }

  /** Returns the text, in which U+FFFD replaces unpaired surrogates. */
  @Override
  public String toString() {
    return WellFormed.text(text.toString());
  }
}
