package io.kmodel.indexer.parse.html;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.jsoup.nodes.Element;
import org.jsoup.parser.Parser;

/**
 * Measures {@link MainContent} on the pages of <a
 * href="https://github.com/scrapinghub/article-extraction-benchmark">article-extraction-benchmark</a>,
 * as its {@code evaluate.py} does: precision and recall of sequences of four words, averaged over
 * pages.
 *
 * <pre>
 * git clone https://github.com/scrapinghub/article-extraction-benchmark
 * mvn -q test-compile dependency:build-classpath -Dmdep.outputFile=target/classpath
 * java -cp target/classes:target/test-classes:$(cat target/classpath) \
 *     io.kmodel.indexer.parse.html.MainContentBenchmark article-extraction-benchmark
 * </pre>
 */
final class MainContentBenchmark {
  private static final Pattern WORD = Pattern.compile("\\w+", Pattern.UNICODE_CHARACTER_CLASS);
  private static final int WORDS = 4;

  private MainContentBenchmark() {}

  public static void main(String[] args) throws IOException {
    Path folder = Path.of(args[0]);
    HtmlText text = new HtmlText(WatchedElements.NONE);
    print("all text", folder, text::of);
    print("main content", folder, body -> text.of(MainContent.of(body)));
  }

  private static void print(String name, Path folder, Function<Element, String> extractor)
      throws IOException {
    JsonNode pages = new ObjectMapper().readTree(folder.resolve("ground-truth.json").toFile());
    List<Double> precisions = new ArrayList<>();
    List<Double> recalls = new ArrayList<>();
    for (Map.Entry<String, JsonNode> page : pages.properties()) {
      Map<List<String>, Integer> expected = sequences(page.getValue().path("articleBody").asText());
      Map<List<String>, Integer> found =
          sequences(extractor.apply(body(folder.resolve("html/" + page.getKey() + ".html.gz"))));
      double common = 0;
      for (Map.Entry<List<String>, Integer> of : found.entrySet()) {
        common += Math.min(of.getValue(), expected.getOrDefault(of.getKey(), 0));
      }
      addShare(precisions, common, found);
      addShare(recalls, common, expected);
    }
    double precision = mean(precisions);
    double recall = mean(recalls);
    System.out.printf(
        Locale.ROOT,
        "%-14s precision %.3f recall %.3f F1 %.3f (%d pages)%n",
        name,
        precision,
        recall,
        2 * precision * recall / (precision + recall),
        pages.size());
  }

  private static Element body(Path page) throws IOException {
    try (InputStream in = new GZIPInputStream(Files.newInputStream(page))) {
      String html = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return Parser.htmlParser().parseInput(html, "").body();
    }
  }

  private static Map<List<String>, Integer> sequences(String text) {
    List<String> words = WORD.matcher(text).results().map(MatchResult::group).toList();
    Map<List<String>, Integer> counts = new HashMap<>();
    for (int i = 0; i < Math.max(1, words.size() - WORDS + 1); i++) {
      List<String> sequence = words.subList(i, Math.min(words.size(), i + WORDS));
      if (!sequence.isEmpty()) {
        counts.merge(sequence, 1, Integer::sum);
      }
    }
    return counts;
  }

  private static void addShare(
      List<Double> shares, double common, Map<List<String>, Integer> counts) {
    long all = counts.values().stream().mapToLong(Integer::longValue).sum();
    if (all > 0) {
      shares.add(common / all);
    }
  }

  private static double mean(List<Double> shares) {
    return shares.stream().mapToDouble(Double::doubleValue).average().orElse(0);
  }
}
