package io.kmodel.indexer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Counts words and idioms that make our English hard to read, in comments, messages and guides. A
 * file may hold as many as the resource {@code marker-words.txt} grants it; a file that is not
 * listed may hold none. Lower a file's number when you mend it; never raise one.
 */
class PlainEnglishTest {
  private static final String GRANTS = "marker-words.txt";

  /** Marker words per 1,000 words: in sources, and in README and the guides. */
  private static final double MOST_IN_SOURCES = 4;

  private static final double MOST_IN_GUIDES = 3;

  private static final Pattern MARKERS =
      Pattern.compile(
          "\\b(?:"
              + String.join(
                  "|",
                  "nobody|whoever|whatever|anew|begun|midst|seldom|nor",
                  "(?:go|goes|going|gone|went) on",
                  "(?:is|are|was|were) none",
                  "of (?:its|their) own|of ours",
                  "in place of|but for|hands? on|gives no",
                  "by (?:itself|themselves)",
                  "what (?:is|are|was|were|has|it|they|there|comes|stands|lies)",
                  "who (?:has|is|reads|does|can|wants|asks|comes|makes|writes)",
                  "(?:is|are) believed|is told|no longer than",
                  "looked at|looks (?:at|whether)")
              + ")\\b",
          Pattern.CASE_INSENSITIVE);

  private static final Pattern WORD = Pattern.compile("[A-Za-z][\\w'-]*");

  /** A comment, a text block, a string or a character of Java, whichever starts first. */
  private static final Pattern PROSE =
      Pattern.compile(
          "(?s)/\\*.*?\\*/|//[^\\n"
              + "]*|\"\"\".*?\"\"\"|\"(?:\\\\.|[^\"\\\\\\n"
              + "])*\"|'(?:\\\\.|[^'\\\\\\n"
              + "])+'");

  private record Prose(String file, List<String> markers, long words) {}

  @Test
  void noFileHoldsMoreMarkerWordsThanItIsGranted() throws IOException {
    Map<String, Integer> grants = grants();
    List<String> worse = new ArrayList<>();
    for (Prose prose : all()) {
      int granted = grants.getOrDefault(prose.file(), 0);
      if (prose.markers().size() > granted) {
        worse.add("%s: %d granted; found %s".formatted(prose.file(), granted, prose.markers()));
      }
    }
    assertThat(worse).isEmpty();
  }

  @Test
  void everyGrantIsUsedUp() throws IOException {
    Map<String, Integer> found =
        all().stream().collect(Collectors.toMap(Prose::file, prose -> prose.markers().size()));
    grants()
        .forEach(
            (file, granted) ->
                assertThat(found.getOrDefault(file, 0))
                    .as("%s needs fewer: lower its number in %s", file, GRANTS)
                    .isEqualTo(granted));
  }

  @Test
  void sourcesAndGuidesStayBelowTheirShares() throws IOException {
    assertThat(perThousand(prose(Path.of("src/main")))).isLessThan(MOST_IN_SOURCES);
    List<Prose> guides = new ArrayList<>(prose(Path.of("docs")));
    guides.addAll(prose(Path.of("README.md")));
    assertThat(perThousand(guides)).isLessThan(MOST_IN_GUIDES);
  }

  private static double perThousand(List<Prose> prose) {
    double markers = prose.stream().mapToInt(p -> p.markers().size()).sum();
    return 1000 * markers / prose.stream().mapToLong(Prose::words).sum();
  }

  private static Map<String, Integer> grants() throws IOException {
    Map<String, Integer> grants = new TreeMap<>();
    for (String line :
        Files.readAllLines(Path.of("src/test/resources/io/kmodel/indexer", GRANTS))) {
      if (!line.startsWith("#") && !line.isBlank()) {
        String[] parts = line.strip().split(" ", 2);
        grants.put(parts[1], Integer.valueOf(parts[0]));
      }
    }
    return grants;
  }

  private static List<Prose> all() throws IOException {
    List<Prose> all = new ArrayList<>();
    for (String place :
        List.of("src/main", "docs", "README.md", "ARCHITECTURE.md", "CHANGELOG.md")) {
      if (Files.exists(Path.of(place))) {
        all.addAll(prose(Path.of(place)));
      }
    }
    return all;
  }

  private static List<Prose> prose(Path place) throws IOException {
    try (Stream<Path> files = Files.walk(place)) {
      return files
          .filter(file -> file.toString().endsWith(".java") || file.toString().endsWith(".md"))
          .map(PlainEnglishTest::read)
          .toList();
    }
  }

  private static Prose read(Path file) {
    try {
      String text = Files.readString(file);
      if (file.toString().endsWith(".java")) {
        text =
            PROSE
                .matcher(text)
                .results()
                .map(MatchResult::group)
                .filter(part -> !part.startsWith("'"))
                .map(part -> part.replaceAll("\\n\\s*(?:\\*|//)", "\n"))
                .collect(Collectors.joining("\n"));
      }
      String plain = text.replaceAll("\\s+", " ");
      return new Prose(
          file.toString(),
          MARKERS.matcher(plain).results().map(MatchResult::group).toList(),
          WORD.matcher(plain).results().count());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
