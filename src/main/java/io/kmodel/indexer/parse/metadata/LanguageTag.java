package io.kmodel.indexer.parse.metadata;

import com.google.common.collect.ImmutableMap;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads language tags as BCP 47 writes them, in lower case: {@code pt-br}. Three letters of ISO 639
 * for a language that has two become those two, also those for bibliographies ({@code ger}), and an
 * underscore becomes a hyphen.
 */
final class LanguageTag {
  private static final Pattern TAG = Pattern.compile("[a-z]{2,3}(?:-[a-z0-9]{1,8})*");

  /** The codes of ISO 639-2/B that differ from those of ISO 639-2/T, which Java knows. */
  private static final ImmutableMap<String, String> BIBLIOGRAPHIC =
      ImmutableMap.<String, String>builder()
          .put("alb", "sq")
          .put("arm", "hy")
          .put("baq", "eu")
          .put("bur", "my")
          .put("chi", "zh")
          .put("cze", "cs")
          .put("dut", "nl")
          .put("fre", "fr")
          .put("geo", "ka")
          .put("ger", "de")
          .put("gre", "el")
          .put("ice", "is")
          .put("mac", "mk")
          .put("mao", "mi")
          .put("may", "ms")
          .put("per", "fa")
          .put("rum", "ro")
          .put("slo", "sk")
          .put("tib", "bo")
          .put("wel", "cy")
          .buildOrThrow();

  /** The codes of three letters for languages with a code of two. */
  private static final ImmutableMap<String, String> SHORT = shortCodes();

  private LanguageTag() {}

  /** Returns the tag of a text; null if it is not one tag. */
  static @Nullable String parse(String text) {
    String tag = text.strip().toLowerCase(Locale.ROOT).replace('_', '-');
    if (!TAG.matcher(tag).matches()) {
      return null;
    }
    int end = tag.indexOf('-');
    String primary = end < 0 ? tag : tag.substring(0, end);
    return SHORT.getOrDefault(primary, primary) + tag.substring(primary.length());
  }

  private static ImmutableMap<String, String> shortCodes() {
    Map<String, String> codes = new HashMap<>(BIBLIOGRAPHIC);
    for (String code : Locale.getISOLanguages()) {
      codes.putIfAbsent(Locale.of(code).getISO3Language(), Locale.of(code).getLanguage());
    }
    return ImmutableMap.copyOf(codes);
  }
}
