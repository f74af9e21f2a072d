package io.kmodel.indexer.parse.metadata;

import com.google.common.annotations.VisibleForTesting;
import com.google.common.collect.ImmutableMap;
import io.kmodel.indexer.parse.field.FieldText;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import opennlp.tools.langdetect.Language;
import opennlp.tools.langdetect.LanguageDetectorME;
import opennlp.tools.langdetect.LanguageDetectorModel;
import org.jspecify.annotations.Nullable;

/**
 * Detects the language of texts by Apache OpenNLP's model of 103 languages, from the frequencies of
 * one to three characters in a row. Of a long text it reads {@value #SAMPLE_BYTES} bytes, from a
 * third of it on, where navigation has ended. The model is loaded once, for the first text. Memory:
 * up to {@value #HEAP_BYTES} bytes of heap while it is loaded, then less than half of that. Not
 * thread-safe.
 */
public final class TextLanguage {
  /** Heap for the model. */
  public static final long HEAP_BYTES = 80L << 20;

  private static final String MODEL = "/langdetect-183.bin";

  @VisibleForTesting static final int SAMPLE_BYTES = 500;

  /**
   * How many times as probable as any other language one must be. Of samples of 400 characters from
   * pages in 26 languages, 97 % then have a language, of 60 characters 74 %.
   */
  private static final double MARGIN = 1.3;

  /** Languages of the model that are kinds of one with a code of ISO 639-1. */
  private static final ImmutableMap<String, String> KINDS =
      ImmutableMap.of(
          "cmn", "zh", "nan", "zh", "pes", "fa", "lvs", "lv", "ekk", "et", "plt", "mg", "pnb",
          "pa");

  private static @Nullable LanguageDetectorModel model;

  private @Nullable LanguageDetectorME detector;

  private static synchronized LanguageDetectorModel model() {
    LanguageDetectorModel loaded = model;
    if (loaded == null) {
      try (InputStream in = TextLanguage.class.getResourceAsStream(MODEL)) {
        loaded = new LanguageDetectorModel(Objects.requireNonNull(in, MODEL));
      } catch (IOException e) {
        throw new UncheckedIOException("the model of languages cannot be read", e);
      }
      model = loaded;
    }
    return loaded;
  }

  /** The code of a text's language; empty if none is certain. */
  String of(FieldText text) {
    String sample = sample(text);
    return sample.isBlank() ? "" : detect(sample);
  }

  /** Whole characters from the middle of a text, or all of a short one. */
  @VisibleForTesting
  static String sample(FieldText text) {
    byte[] bytes = text.bytes();
    int end = text.offset() + text.length();
    int from = text.offset();
    if (text.length() > SAMPLE_BYTES) {
      from = Math.min(from + text.length() / 3, end - SAMPLE_BYTES);
      end = from + SAMPLE_BYTES;
    }
    while (from < end && isWithin(bytes[from])) {
      from++;
    }
    while (end > from && end < text.offset() + text.length() && isWithin(bytes[end])) {
      end--;
    }
    return new String(bytes, from, end - from, StandardCharsets.UTF_8);
  }

  private static boolean isWithin(byte utf8) {
    return (utf8 & 0xC0) == 0x80;
  }

  private String detect(String sample) {
    if (detector == null) {
      detector = new LanguageDetectorME(model());
    }
    Language[] languages = detector.predictLanguages(sample);
    String best = code(languages[0]);
    for (Language other : languages) {
      if (!code(other).equals(best)) {
        return languages[0].getConfidence() >= MARGIN * other.getConfidence() ? best : "";
      }
    }
    return best;
  }

  private static String code(Language language) {
    String code = LanguageTag.parse(language.getLang());
    return KINDS.getOrDefault(language.getLang(), code == null ? "" : code);
  }
}
