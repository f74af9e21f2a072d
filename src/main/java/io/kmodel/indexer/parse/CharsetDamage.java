package io.kmodel.indexer.parse;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.source.ContentType;
import io.kmodel.indexer.source.RawDocument;
import org.jspecify.annotations.Nullable;

/** Recognizes documents that were decoded by a wrong charset, so that hardly a word is left. */
public final class CharsetDamage {
  /** The fields by default; others repeat them, or have another source. */
  private static final ImmutableList<String> TEXTS =
      ImmutableList.of(Schema.TITLE, Schema.CONTENTS);

  private CharsetDamage() {}

  /**
   * Returns advice about a document with bytes that are invalid in its charset; null if it has more
   * letters and digits than replacement characters. Time: linear.
   */
  public static @Nullable String advice(RawDocument raw, ParsedDocument document) {
    long letters = 0;
    long replaced = 0;
    for (String field : TEXTS) {
      String characters = document.has(field) ? document.text(field).string() : "";
      for (int i = 0; i < characters.length(); i++) {
        char c = characters.charAt(i);
        replaced += c == '\uFFFD' ? 1 : 0;
        letters += Character.isLetterOrDigit(c) ? 1 : 0;
      }
    }
    return replaced > letters ? advice(raw) : null;
  }

  private static String advice(RawDocument raw) {
    if (!raw.charset().isEmpty()) {
      return "nearly all letters are lost: '%s', which its header or format declares, is not its charset"
          .formatted(raw.charset());
    }
    return raw.type() == ContentType.PLAIN_TEXT
        ? "nearly all letters are lost: text without a charset is read as UTF-8; convert the file to UTF-8"
        : "nearly all letters are lost: a Content-Type header with a charset, or <meta charset>, would name it";
  }
}
