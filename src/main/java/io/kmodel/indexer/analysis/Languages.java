package io.kmodel.indexer.analysis;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.kmodel.indexer.parse.text.Suggestions;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.CharArraySet;
import org.apache.lucene.analysis.ar.ArabicAnalyzer;
import org.apache.lucene.analysis.bg.BulgarianAnalyzer;
import org.apache.lucene.analysis.bn.BengaliAnalyzer;
import org.apache.lucene.analysis.br.BrazilianAnalyzer;
import org.apache.lucene.analysis.ca.CatalanAnalyzer;
import org.apache.lucene.analysis.cjk.CJKAnalyzer;
import org.apache.lucene.analysis.ckb.SoraniAnalyzer;
import org.apache.lucene.analysis.cz.CzechAnalyzer;
import org.apache.lucene.analysis.da.DanishAnalyzer;
import org.apache.lucene.analysis.de.GermanAnalyzer;
import org.apache.lucene.analysis.el.GreekAnalyzer;
import org.apache.lucene.analysis.es.SpanishAnalyzer;
import org.apache.lucene.analysis.et.EstonianAnalyzer;
import org.apache.lucene.analysis.eu.BasqueAnalyzer;
import org.apache.lucene.analysis.fa.PersianAnalyzer;
import org.apache.lucene.analysis.fi.FinnishAnalyzer;
import org.apache.lucene.analysis.fr.FrenchAnalyzer;
import org.apache.lucene.analysis.ga.IrishAnalyzer;
import org.apache.lucene.analysis.gl.GalicianAnalyzer;
import org.apache.lucene.analysis.hi.HindiAnalyzer;
import org.apache.lucene.analysis.hu.HungarianAnalyzer;
import org.apache.lucene.analysis.hy.ArmenianAnalyzer;
import org.apache.lucene.analysis.id.IndonesianAnalyzer;
import org.apache.lucene.analysis.it.ItalianAnalyzer;
import org.apache.lucene.analysis.lt.LithuanianAnalyzer;
import org.apache.lucene.analysis.lv.LatvianAnalyzer;
import org.apache.lucene.analysis.ne.NepaliAnalyzer;
import org.apache.lucene.analysis.nl.DutchAnalyzer;
import org.apache.lucene.analysis.no.NorwegianAnalyzer;
import org.apache.lucene.analysis.pt.PortugueseAnalyzer;
import org.apache.lucene.analysis.ro.RomanianAnalyzer;
import org.apache.lucene.analysis.ru.RussianAnalyzer;
import org.apache.lucene.analysis.sr.SerbianAnalyzer;
import org.apache.lucene.analysis.sv.SwedishAnalyzer;
import org.apache.lucene.analysis.ta.TamilAnalyzer;
import org.apache.lucene.analysis.te.TeluguAnalyzer;
import org.apache.lucene.analysis.th.ThaiAnalyzer;
import org.apache.lucene.analysis.tr.TurkishAnalyzer;

/**
 * Lucene's analyzers for languages other than English, which has further options: each with
 * Lucene's stop words or with others.
 */
final class Languages {
  /** The analyzer of a language. */
  private record Language(
      String name,
      ImmutableList<String> codes,
      Supplier<Analyzer> plain,
      Function<CharArraySet, Analyzer> withStopWords) {}

  private static final ImmutableList<Language> ALL =
      ImmutableList.of(
          language("arabic", "ar", ArabicAnalyzer::new, ArabicAnalyzer::new),
          language("armenian", "hy", ArmenianAnalyzer::new, ArmenianAnalyzer::new),
          language("basque", "eu", BasqueAnalyzer::new, BasqueAnalyzer::new),
          language("bengali", "bn", BengaliAnalyzer::new, BengaliAnalyzer::new),
          language("brazilian", "pt-br br", BrazilianAnalyzer::new, BrazilianAnalyzer::new),
          language("bulgarian", "bg", BulgarianAnalyzer::new, BulgarianAnalyzer::new),
          language("catalan", "ca", CatalanAnalyzer::new, CatalanAnalyzer::new),
          // Indexes pairs of adjacent characters, not words.
          language("cjk", "zh ja ko", CJKAnalyzer::new, CJKAnalyzer::new),
          language("czech", "cs", CzechAnalyzer::new, CzechAnalyzer::new),
          language("danish", "da", DanishAnalyzer::new, DanishAnalyzer::new),
          language("dutch", "nl", DutchAnalyzer::new, DutchAnalyzer::new),
          language("estonian", "et", EstonianAnalyzer::new, EstonianAnalyzer::new),
          language("finnish", "fi", FinnishAnalyzer::new, FinnishAnalyzer::new),
          language("french", "fr", FrenchAnalyzer::new, FrenchAnalyzer::new),
          language("galician", "gl", GalicianAnalyzer::new, GalicianAnalyzer::new),
          language("german", "de", GermanAnalyzer::new, GermanAnalyzer::new),
          language("greek", "el", GreekAnalyzer::new, GreekAnalyzer::new),
          language("hindi", "hi", HindiAnalyzer::new, HindiAnalyzer::new),
          language("hungarian", "hu", HungarianAnalyzer::new, HungarianAnalyzer::new),
          language("indonesian", "id", IndonesianAnalyzer::new, IndonesianAnalyzer::new),
          language("irish", "ga", IrishAnalyzer::new, IrishAnalyzer::new),
          language("italian", "it", ItalianAnalyzer::new, ItalianAnalyzer::new),
          language("latvian", "lv", LatvianAnalyzer::new, LatvianAnalyzer::new),
          language("lithuanian", "lt", LithuanianAnalyzer::new, LithuanianAnalyzer::new),
          language("nepali", "ne", NepaliAnalyzer::new, NepaliAnalyzer::new),
          language("norwegian", "no nb", NorwegianAnalyzer::new, NorwegianAnalyzer::new),
          language("persian", "fa", PersianAnalyzer::new, PersianAnalyzer::new),
          language("portuguese", "pt", PortugueseAnalyzer::new, PortugueseAnalyzer::new),
          language("romanian", "ro", RomanianAnalyzer::new, RomanianAnalyzer::new),
          language("russian", "ru", RussianAnalyzer::new, RussianAnalyzer::new),
          language("serbian", "sr", SerbianAnalyzer::new, SerbianAnalyzer::new),
          language("sorani", "ckb", SoraniAnalyzer::new, SoraniAnalyzer::new),
          language("spanish", "es", SpanishAnalyzer::new, SpanishAnalyzer::new),
          language("swedish", "sv", SwedishAnalyzer::new, SwedishAnalyzer::new),
          language("tamil", "ta", TamilAnalyzer::new, TamilAnalyzer::new),
          language("telugu", "te", TeluguAnalyzer::new, TeluguAnalyzer::new),
          language("thai", "th", ThaiAnalyzer::new, ThaiAnalyzer::new),
          language("turkish", "tr", TurkishAnalyzer::new, TurkishAnalyzer::new));

  private static final ImmutableMap<String, Language> BY_NAME =
      ALL.stream().collect(ImmutableMap.toImmutableMap(Language::name, language -> language));

  /** Names of analyzers by language code, English included. */
  private static final ImmutableMap<String, String> CODES = codes();

  private Languages() {}

  /** Returns the analyzers' names, in order. */
  static ImmutableSet<String> names() {
    return BY_NAME.keySet();
  }

  /** Returns the codes of languages with an analyzer, English included, in order. */
  static ImmutableSet<String> knownCodes() {
    return CODES.keySet();
  }

  static boolean has(String name) {
    return BY_NAME.containsKey(name);
  }

  /**
   * Returns the name of a language's analyzer.
   *
   * @param code an ISO 639 code in any case, or {@code pt-BR}
   * @throws IllegalArgumentException if the language has no analyzer; the message lists the known
   *     codes
   */
  static String ofCode(String code) {
    String name = CODES.get(code.toLowerCase(Locale.ROOT).replace('_', '-'));
    if (name == null) {
      throw new IllegalArgumentException(
          "no analyzer for the language '%s'%s"
              .formatted(code, Suggestions.among(code.toLowerCase(Locale.ROOT), CODES.keySet())));
    }
    return name;
  }

  /** Creates an analyzer with Lucene's defaults. */
  static Analyzer plain(String name) {
    return language(name).plain().get();
  }

  static Analyzer withStopWords(String name, CharArraySet words) {
    return language(name).withStopWords().apply(words);
  }

  private static Language language(String name) {
    Language language = BY_NAME.get(name);
    if (language == null) {
      throw new IllegalArgumentException("no analyzer for a language named " + name);
    }
    return language;
  }

  private static Language language(
      String name,
      String codes,
      Supplier<Analyzer> plain,
      Function<CharArraySet, Analyzer> withStopWords) {
    return new Language(
        name, ImmutableList.copyOf(Splitter.on(' ').split(codes)), plain, withStopWords);
  }

  private static ImmutableMap<String, String> codes() {
    Map<String, String> codes = new TreeMap<>(Map.of("en", Analyzers.ENGLISH));
    ALL.forEach(language -> language.codes().forEach(code -> codes.put(code, language.name())));
    return ImmutableMap.copyOf(codes);
  }
}
