package io.kmodel.indexer.analysis;

import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterProperty;

/** The tokens from bytes are those of Lucene's analyzers, for whatever text. */
class FieldTokensPropertyTest {
  private final TokenComparison standard = new TokenComparison("standard");
  private final TokenComparison english = new TokenComparison("english");

  @AfterProperty
  void close() {
    standard.close();
    english.close();
  }

  @Property(tries = 20_000)
  void kindsInAnyOrderAreTokenizedAsByLucene(@ForAll("kinds") String text) {
    standard.check(text);
    english.check(text);
  }

  @Property(tries = 10_000)
  void wordsWithJoinersAreTokenizedAsByLucene(@ForAll("words") String text) {
    standard.check(text);
    english.check(text);
  }

  @Property(tries = 1_500)
  void longWordsAreTokenizedAsByLucene(@ForAll("longWords") String text) {
    standard.check(text);
    english.check(text);
  }

  @Property(tries = 3_000)
  void anyStringIsTokenizedAsByLucene(@ForAll String text) {
    // Unpaired surrogates have no UTF-8; DocumentAnalysisTest has them.
    String valid = text.replaceAll("\\p{Cs}", "\uFFFD");
    standard.check(valid);
    english.check(valid);
  }

  @Provide
  Arbitrary<String> kinds() {
    return joined(Arbitraries.of(FieldTokensTest.KINDS), 60);
  }

  @Provide
  Arbitrary<String> words() {
    Arbitrary<String> pieces =
        Arbitraries.of(
            "the",
            "The",
            "is",
            "running",
            "It",
            "'s",
            "\u2019s",
            "\uFF07S",
            "'",
            ".",
            ",",
            ":",
            "_",
            " ",
            " ",
            "3",
            "14",
            "e\u0301",
            "na\u00EFve",
            "\u05D0\u05D1",
            "\"",
            "-",
            "\n",
            "relational",
            "ies",
            "ed",
            "ing",
            "y",
            "\u0E01\u0E32",
            "\u6F22\u5B57",
            "\uD83D\uDE00",
            "\u200D",
            "\uFE0F",
            "#",
            "\u20E3",
            "\u0441\u043B\u043E\u0432\u043E");
    return joined(pieces, 30);
  }

  @Provide
  Arbitrary<String> longWords() {
    Arbitrary<String> runs =
        Arbitraries.of(FieldTokensTest.KINDS)
            .flatMap(
                kind ->
                    Arbitraries.oneOf(
                            Arbitraries.integers().between(1, 6),
                            Arbitraries.integers().between(75, 90),
                            Arbitraries.integers().between(235, 262),
                            Arbitraries.integers().between(495, 520))
                        .map(kind::repeat));
    return joined(runs, 6);
  }

  private static Arbitrary<String> joined(Arbitrary<String> pieces, int most) {
    Arbitrary<List<String>> lists = pieces.list().ofMinSize(1).ofMaxSize(most);
    return lists.map(list -> String.join("", list));
  }
}
