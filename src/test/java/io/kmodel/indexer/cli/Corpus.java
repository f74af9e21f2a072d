package io.kmodel.indexer.cli;

import io.kmodel.indexer.Tier;
import io.kmodel.indexer.indexing.report.BuildReport;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Some megabytes of text, a file in each of many directories, because splits can end there. */
final class Corpus {
  private static final int PARTS = Tier.pick(30, 60);
  private static final int FILE_BYTES = 80_000;

  private Corpus() {}

  /** Writes text of a vocabulary with a long tail; the directories. */
  static List<Path> write(Path root) throws IOException {
    Random random = new Random(6);
    List<Path> parts = new ArrayList<>();
    for (int part = 0; part < PARTS; part++) {
      Path directory = Files.createDirectories(root.resolve("part-%02d".formatted(part)));
      parts.add(directory);
      writeText(directory.resolve("page.txt"), random, FILE_BYTES, 11);
    }
    return parts;
  }

  /**
   * Writes a file of random words and line ends.
   *
   * @param bytes how long it is at least
   * @param exponent of e, below which the ranks of the words are; the vocabulary has a long tail
   */
  static void writeText(Path file, Random random, int bytes, int exponent) throws IOException {
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      for (int written = 0; written < bytes; ) {
        int rank = (int) Math.exp(random.nextDouble() * exponent);
        String word = Integer.toString(rank * 7919 + 10_000, 36);
        out.write(word);
        out.write(random.nextInt(12) == 0 ? '\n' : ' ');
        written += word.length() + 1;
      }
    }
  }

  /** Of a build that seals at once, and goes on if there is one to go on with. */
  static String[] arguments(List<Path> parts, Path index, String... more) {
    List<String> arguments = new ArrayList<>(List.of("build"));
    parts.forEach(part -> arguments.add(part.toString()));
    arguments.addAll(List.of("--output", index.toString(), "--threads", "3"));
    arguments.addAll(List.of("--seal-every", "0", "--resume"));
    arguments.addAll(List.of(more));
    return arguments.toArray(String[]::new);
  }

  /** Every file of an index but the report, by the hash of its bytes. */
  static SortedMap<String, Integer> files(Path index) throws IOException {
    SortedMap<String, Integer> files = new TreeMap<>();
    try (Stream<Path> entries = Files.list(index)) {
      for (Path file : (Iterable<Path>) entries::iterator) {
        if (!BuildReport.isReport(file)) {
          files.put(file.getFileName().toString(), Arrays.hashCode(Files.readAllBytes(file)));
        }
      }
    }
    return files;
  }
}
