package io.kmodel.indexer.analysis;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.TermToBytesRefAttribute;
import org.apache.lucene.util.BytesRef;

/**
 * Measures tokens per second of CPU time on one thread: Lucene's analyzers from Strings, and the
 * way from bytes, in turn, in memory, into a sink that looks at a byte of each term. All texts are
 * first tokenized both ways and compared. Arguments: a directory of UTF-8 text; how many MB of it
 * to take, every so many files; the analyzer (one per JVM, as in a build). After {@code mvn
 * test-compile}, with the test class path in CP: {@code java -cp $CP
 * io.kmodel.indexer.analysis.TokenSpeed corpus/text 25 standard}.
 */
final class TokenSpeed {
  private static final int WARM_UP = 3;
  private static final int ROUNDS = 7;

  private final List<String> strings = new ArrayList<>();
  private final List<byte[]> bytes = new ArrayList<>();
  private long checksum;

  private TokenSpeed(Path directory, long most) throws IOException {
    List<Path> files;
    long all = 0;
    try (Stream<Path> walk = Files.walk(directory)) {
      files = walk.filter(Files::isRegularFile).sorted().toList();
    }
    for (Path file : files) {
      all += Files.size(file);
    }
    long step = Math.max(1, all / most);
    for (int i = 0; i < files.size(); i += Math.toIntExact(step)) {
      String text = new String(Files.readAllBytes(files.get(i)), StandardCharsets.UTF_8);
      strings.add(text);
      bytes.add(text.getBytes(StandardCharsets.UTF_8));
    }
  }

  /** Runs it. */
  public static void main(String[] arguments) throws IOException {
    TokenSpeed speed =
        new TokenSpeed(Path.of(arguments[0]), Long.parseLong(arguments[1]) * 1_000_000);
    speed.measure(arguments[2]);
  }

  private void measure(String name) throws IOException {
    long tokens = 0;
    try (TokenComparison comparison = new TokenComparison(name)) {
      for (String text : strings) {
        tokens += comparison.check(text);
      }
    }
    long size = bytes.stream().mapToLong(text -> text.length).sum();
    FieldTokens fromBytes = Analyzers.fieldTokens(name).orElseThrow();
    double[] lucene = new double[ROUNDS];
    double[] ours = new double[ROUNDS];
    try (Analyzer analyzer = Analyzers.named(name)) {
      for (int round = -WARM_UP; round < ROUNDS; round++) {
        long start = cpuTime();
        fromStrings(analyzer);
        long middle = cpuTime();
        fromBytes(fromBytes);
        long end = cpuTime();
        lucene[Math.max(round, 0)] = (middle - start) / 1e9;
        ours[Math.max(round, 0)] = (end - middle) / 1e9;
      }
    }
    report(name + ", Lucene from Strings", tokens, size, lucene);
    report(name + ", from bytes", tokens, size, ours);
  }

  private void fromStrings(Analyzer analyzer) throws IOException {
    for (String text : strings) {
      try (TokenStream stream = analyzer.tokenStream("", text)) {
        TermToBytesRefAttribute term = stream.getAttribute(TermToBytesRefAttribute.class);
        stream.reset();
        while (stream.incrementToken()) {
          BytesRef ref = term.getBytesRef();
          checksum += ref.bytes[ref.offset + ref.length - 1];
        }
        stream.end();
      }
    }
  }

  private void fromBytes(FieldTokens tokens) {
    TokenSink sink =
        (field, term, offset, length, position) -> checksum += term[offset + length - 1];
    for (byte[] text : bytes) {
      tokens.tokens(0, text, 0, text.length, sink);
    }
  }

  private static long cpuTime() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    return threads.getCurrentThreadCpuTime();
  }

  private void report(String what, long tokens, long size, double[] seconds) {
    Arrays.sort(seconds);
    double median = seconds[seconds.length / 2];
    System.out.printf(
        Locale.ROOT,
        "%-32s %6.2f Mtok/s (%.2f to %.2f), %4.0f MB/s; %d tokens, %d files, checksum %d%n",
        what,
        tokens / median / 1e6,
        tokens / seconds[seconds.length - 1] / 1e6,
        tokens / seconds[0] / 1e6,
        size / median / 1e6,
        tokens,
        strings.size(),
        checksum);
  }
}
