package io.kmodel.indexer.parse;

import java.nio.charset.Charset;
import java.util.Locale;

/**
 * The first byte of a document that its charset cannot be read by: U+FFFD, which is no letter,
 * stands in its place.
 *
 * @param at its offset in the document, -1 where the charset's decoder does not say
 */
record Undecodable(Charset charset, int at, byte value) {
  /** What reports say of it. */
  @Override
  public String toString() {
    return at < 0
        ? "not all of it is " + charset.name()
        : String.format(Locale.ROOT, "no %s at byte %,d, which is %02X", charset.name(), at, value);
  }
}
