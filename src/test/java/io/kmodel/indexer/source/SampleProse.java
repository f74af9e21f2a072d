package io.kmodel.indexer.source;

import io.kmodel.indexer.source.SampleResources.Theme;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/** Sentences of a theme, made up: the words of a list are drawn by Zipf's law. */
final class SampleProse {
  private static final List<String> PATTERNS =
      List.of(
          "The {adjective} {noun} {intransitive} {place}.",
          "{place}, the {noun} {intransitive} {adverb}.",
          "{time} the {noun} {transitive} every {adjective} {noun}.",
          "A {noun} {intransitive} before it {transitive} the {adjective} {noun} {place}.",
          "Where the {noun} {intransitive}, no {noun} {intransitive} {adverb}.",
          "Many a {adjective} {noun} {transitive} the {noun}, and few people notice.",
          "Nobody knows why one {noun} {transitive} another {noun} {time}.");
  private static final List<String> ADVERBS =
      List.of("slowly", "again", "often", "quietly", "rarely", "suddenly", "twice", "reliably");
  private static final List<String> TIMES =
      List.of("in spring", "at dawn", "every year", "after dark", "since 1987", "on 12 May");

  private final Theme theme;
  private final Random random;

  SampleProse(Theme theme, Random random) {
    this.theme = theme;
    this.random = random;
  }

  /** Several sentences, a fact of the theme among them now and then. */
  String paragraph(int sentences) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < sentences; i++) {
      String next = random.nextInt(5) == 0 ? draw(theme.facts()) : sentence();
      text.append(i == 0 ? "" : " ").append(next);
    }
    return text.toString();
  }

  String heading() {
    return capital(fill("the {adjective} {noun} {place}"));
  }

  String noun() {
    return draw(theme.words("noun"));
  }

  private String sentence() {
    return capital(fill(PATTERNS.get(random.nextInt(PATTERNS.size()))));
  }

  private String fill(String pattern) {
    StringBuilder filled = new StringBuilder();
    int at = 0;
    for (int open = pattern.indexOf('{'); open >= 0; open = pattern.indexOf('{', at)) {
      int close = pattern.indexOf('}', open);
      filled.append(pattern, at, open).append(word(pattern.substring(open + 1, close)));
      at = close + 1;
    }
    return filled.append(pattern, at, pattern.length()).toString();
  }

  private String word(String kind) {
    return switch (kind) {
      case "adverb" -> draw(ADVERBS);
      case "time" -> draw(TIMES);
      default -> draw(theme.words(kind)).strip();
    };
  }

  /** The word of rank r with a probability of about 1/r; the same on every machine. */
  private String draw(List<String> words) {
    double power = random.nextDouble() * StrictMath.log(words.size() + 1.0);
    int rank = (int) StrictMath.exp(power) - 1;
    return words.get(Math.clamp(rank, 0, words.size() - 1));
  }

  private static String capital(String text) {
    return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
  }
}
