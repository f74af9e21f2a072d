package io.kmodel.indexer.analysis;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Compares the tokens from bytes with Lucene's for all text below a folder: terms, positions and
 * offsets, of {@code standard} and {@code english}.
 *
 * <pre>
 * mvn -q test-compile dependency:build-classpath -Dmdep.outputFile=target/classpath
 * java -cp target/classes:target/test-classes:$(cat target/classpath) \
 *     io.kmodel.indexer.analysis.TokenSweep FOLDER
 * </pre>
 *
 * <p>Exits with 1 if a token differs. Memory: the largest file, some ten times.
 */
final class TokenSweep {
  private TokenSweep() {}

  public static void main(String[] arguments) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.walk(Path.of(arguments[0]))) {
      files = all.filter(Files::isRegularFile).sorted().toList();
    }
    boolean same = true;
    for (String name : List.of(Analyzers.STANDARD, Analyzers.ENGLISH)) {
      same &= sweep(name, files);
    }
    if (!same) {
      System.exit(1);
    }
  }

  private static boolean sweep(String name, List<Path> files) throws IOException {
    long bytes = 0;
    long tokens = 0;
    int different = 0;
    try (TokenComparison comparison = new TokenComparison(name)) {
      for (Path file : files) {
        byte[] content = Files.readAllBytes(file);
        bytes += content.length;
        try {
          tokens += comparison.check(new String(content, StandardCharsets.UTF_8));
        } catch (AssertionError e) {
          different++;
          System.out.println("different " + file + ": " + e.getMessage());
        }
      }
    }
    System.out.printf(
        "%s: %d files of %d bytes, %d tokens; %d files different%n",
        name, files.size(), bytes, tokens, different);
    return different == 0;
  }
}
