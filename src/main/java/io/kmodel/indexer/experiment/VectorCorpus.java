package io.kmodel.indexer.experiment;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Made-up sparse vectors, one JSON object per line as Python writes them: distinct terms by Zipf's
 * law, weights uniform. A document depends on its number alone, so a smaller corpus is the start of
 * a larger one.
 *
 * @param documents number of vectors
 * @param terms of each vector, at most a tenth of the vocabulary
 * @param vocabulary number of different terms
 * @param largestWeight the largest weight; the least is 1
 */
public record VectorCorpus(int documents, int terms, int vocabulary, int largestWeight) {
  private static final int QUERY_SHARE = 10;
  private static final long SEED = 0x9E3779B97F4A7C15L;
  private static final int LETTERS = 26;

  public VectorCorpus {
    if (documents < 1 || terms < 1 || terms > vocabulary / 10) {
      throw new IllegalArgumentException(
          "vectors need documents, and at most a tenth of the vocabulary as terms; got %d, %d of %d"
              .formatted(documents, terms, vocabulary));
    }
    if (largestWeight < 1) {
      throw new IllegalArgumentException("weights are at least 1; got at most " + largestWeight);
    }
  }

  /** Writes the vectors to a file. */
  public void write(Path file) throws IOException {
    Sampler sampler = new Sampler(vocabulary);
    try (BufferedWriter out = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
      StringBuilder line = new StringBuilder();
      for (int doc = 0; doc < documents; doc++) {
        SplittableRandom random = new SplittableRandom(SEED + doc);
        line.setLength(0);
        line.append("{\"id\": \"").append(doc).append("\", \"contents\": \"\", \"vector\": {");
        for (int i = 0; i < terms; i++) {
          line.append(i == 0 ? "\"" : ", \"");
          appendTerm(line, sampler.next(random, doc));
          line.append("\": ").append(1 + random.nextInt(largestWeight));
        }
        out.append(line.append("}}\n"));
      }
    }
  }

  /**
   * Writes queries, {@code id<TAB>tokens} lines in which a token is repeated as often as its weight
   * says.
   */
  public void writeQueries(Path file, int count) throws IOException {
    Sampler sampler = new Sampler(vocabulary);
    try (BufferedWriter out = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
      for (int query = 0; query < count; query++) {
        SplittableRandom random = new SplittableRandom(~(SEED + query));
        StringBuilder line = new StringBuilder().append(query + 1).append('\t');
        for (int i = 0; i < Math.max(1, terms / QUERY_SHARE); i++) {
          StringBuilder term = new StringBuilder();
          appendTerm(term, sampler.next(random, query));
          line.repeat(term.append(' '), 1 + random.nextInt(QUERY_SHARE));
        }
        out.append(line.append('\n'));
      }
    }
  }

  /** The rank in letters; every third term continues a word, like BERT's pieces. */
  private static void appendTerm(StringBuilder out, int rank) {
    out.append(rank % 3 == 2 ? "##" : "");
    for (int left = rank + LETTERS; left > 0; left /= LETTERS) {
      out.append((char) ('a' + left % LETTERS));
    }
  }

  /** Draws ranks by Zipf's law, each once per document. */
  private static final class Sampler {
    /** Sums of 1 / rank. */
    private final double[] sums;

    /** The last document that has a rank, by rank. */
    private final int[] lastOf;

    Sampler(int vocabulary) {
      sums = new double[vocabulary];
      lastOf = new int[vocabulary];
      Arrays.fill(lastOf, -1);
      double sum = 0;
      for (int rank = 0; rank < vocabulary; rank++) {
        sum += 1.0 / (rank + 1);
        sums[rank] = sum;
      }
    }

    int next(SplittableRandom random, int document) {
      while (true) {
        int found = Arrays.binarySearch(sums, random.nextDouble(sums[sums.length - 1]));
        int rank = found < 0 ? ~found : found;
        if (lastOf[rank] != document) {
          lastOf[rank] = document;
          return rank;
        }
      }
    }
  }
}
