package io.kmodel.indexer.experiment.paper;

import io.kmodel.indexer.experiment.paper.Figure.Line;
import io.kmodel.indexer.experiment.paper.Figure.Point;
import io.kmodel.indexer.experiment.strings.ByteStrings;
import io.kmodel.indexer.experiment.strings.StringTies;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.IntToDoubleFunction;

/** Ties and lengths of the strings of Davidson et al.: Figures 8 and 9. */
final class DavidsonTies {
  /** The paper's keys, and those of the sorter here, in bytes. */
  private static final int[] KEY_BYTES = {4, 8};

  private static final int MOST_SHARED = 100;
  private static final int MOST_LENGTH = 200;

  /** Bytes that no two words of the paper exceed. */
  private static final int PAPER_WORDS_SHARED = 20;

  private final List<Data> all = new ArrayList<>();

  /** Strings of one kind. */
  private record Data(String name, int strings, StringTies ties) {}

  /** Adds words first, then sentences. */
  void add(String name, ByteStrings strings, int[] order) {
    all.add(new Data(name, strings.count(), new StringTies(strings, order)));
  }

  List<Figure> figures() {
    return List.of(
        ofKeys(
            "figure-8a",
            "Figure 8a: ties of each step of a merge sort (at most a million strings)",
            "strings of a list",
            "ties",
            StringTies::tiesOfSteps),
        ofKeys(
            "figure-8b",
            "Figure 8b: sets of tied strings after the sort, from each power of two to the next",
            "strings of a set",
            "sets",
            StringTies::setsBySize),
        histogram(
            "figure-9a",
            "Figure 9a: strings by length, 200 and more as 200",
            "bytes",
            ties -> ties.byLength(MOST_LENGTH)),
        histogram(
            "figure-9b",
            "Figure 9b: strings by the bytes that they share with the one before, 100 and more as"
                + " 100",
            "shared bytes",
            ties -> ties.byShared(MOST_SHARED)));
  }

  /** Counts by the logarithm of something, for keys of some bytes. */
  @FunctionalInterface
  private interface KeyCounts {
    long[] of(StringTies ties, int keyBytes);
  }

  private Figure ofKeys(String id, String title, String xAxis, String yAxis, KeyCounts counts) {
    List<Line> lines = new ArrayList<>();
    for (Data data : all) {
      for (int keyBytes : KEY_BYTES) {
        String name = "%s, keys of %d bytes".formatted(data.name(), keyBytes);
        lines.add(line(name, counts.of(data.ties(), keyBytes), log -> Math.pow(2, log)));
      }
    }
    return new Figure(id, title, xAxis, yAxis, true, true, lines);
  }

  private Figure histogram(
      String id, String title, String xAxis, Function<StringTies, long[]> counts) {
    List<Line> lines =
        all.stream().map(data -> line(data.name(), counts.apply(data.ties()), at -> at)).toList();
    return new Figure(id, title, xAxis, "strings", false, true, lines);
  }

  /** Counts that are not 0. */
  private static Line line(String name, long[] counts, IntToDoubleFunction place) {
    List<Point> points = new ArrayList<>();
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] > 0) {
        points.add(Point.of(place.applyAsDouble(i), (double) counts[i]));
      }
    }
    return new Line(name, false, points);
  }

  String stepsFinding() {
    return String.format(
        Locale.ROOT,
        "The paper: longer lists have more ties, sentences most. Here a string of the last merge has %.2f ties with keys of 4 bytes among words and %.2f among sentences, and %.2f and %.2f with keys of 8.",
        lastTies(all.getFirst(), 4),
        lastTies(all.getLast(), 4),
        lastTies(all.getFirst(), 8),
        lastTies(all.getLast(), 8));
  }

  /** Ties of the last step for each string. */
  private static double lastTies(Data data, int keyBytes) {
    long[] ties = data.ties().tiesOfSteps(keyBytes);
    return (double) ties[ties.length - 1] / data.strings();
  }

  String sharedFinding() {
    return String.format(
        Locale.ROOT,
        "The paper: no two words share more than %d bytes, sentences often 10 to 20 and some more than 100. Here %.1f %% of neighboring words share more than %d, and %.1f %% of sentences 100 or more.",
        PAPER_WORDS_SHARED,
        100 * share(all.getFirst(), PAPER_WORDS_SHARED + 1),
        PAPER_WORDS_SHARED,
        100 * share(all.getLast(), MOST_SHARED));
  }

  /** Of strings that share so many bytes with the one before. */
  private static double share(Data data, int bytes) {
    long[] counts = data.ties().byShared(MOST_SHARED);
    long those = Arrays.stream(counts).skip(bytes).sum();
    return (double) those / Math.max(1, Arrays.stream(counts).sum());
  }
}
