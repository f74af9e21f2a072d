package io.kmodel.indexer.parse.text;

import java.nio.charset.Charset;
import java.util.Locale;

/**
 * The first byte of a document that is invalid in its charset. The text has U+FFFD, which is not a
 * letter, instead.
 *
 * @param at its offset in the document; -1 if the charset's decoder does not tell
 */
public record Undecodable(Charset charset, int at, byte value) {
  /** Describes the byte for reports. */
  @Override
  public String toString() {
    return at < 0
        ? "contains bytes that are not " + charset.name()
        : String.format(Locale.ROOT, "invalid %s at byte %,d: %02X", charset.name(), at, value);
  }
}
