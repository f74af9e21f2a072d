package io.kmodel.indexer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Writes how long each test class took into the file that the property {@code test.times} names,
 * and prints the slowest of all such files when the build's tests are done. Surefire's reports do
 * not suffice: of a class that two engines run, they keep one engine's tests.
 */
public final class SlowestTests implements TestExecutionListener {
  private static final int SHOWN = 20;
  private static final double LIMIT_SECONDS = 20;

  private final Map<String, Long> starts = new ConcurrentHashMap<>();
  private final Map<String, Double> seconds = new ConcurrentHashMap<>();

  @Override
  public void executionStarted(TestIdentifier test) {
    if (className(test).isPresent()) {
      starts.put(test.getUniqueId(), System.nanoTime());
    }
  }

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    Long start = starts.remove(test.getUniqueId());
    if (start != null) {
      double took = (System.nanoTime() - start) / 1e9;
      className(test).ifPresent(name -> seconds.merge(name, took, Double::sum));
    }
  }

  private static Optional<String> className(TestIdentifier test) {
    return test.getSource()
        .filter(ClassSource.class::isInstance)
        .map(source -> ((ClassSource) source).getClassName());
  }

  @Override
  public void testPlanExecutionFinished(TestPlan plan) {
    String file = System.getProperty("test.times");
    if (file == null || seconds.isEmpty()) {
      return;
    }
    List<String> lines =
        seconds.entrySet().stream().map(one -> one.getValue() + " " + one.getKey()).toList();
    try {
      Files.createDirectories(Path.of(file).toAbsolutePath().getParent());
      Files.write(Path.of(file), lines);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Prints and deletes what the build's processes have written into a folder. */
  public static void main(String[] folder) throws IOException {
    Map<String, Double> all = new TreeMap<>();
    try (Stream<Path> files = Files.list(Files.createDirectories(Path.of(folder[0])))) {
      for (Path file : (Iterable<Path>) files::iterator) {
        for (String line : Files.readAllLines(file)) {
          int space = line.indexOf(' ');
          all.merge(
              line.substring(space + 1), Double.valueOf(line.substring(0, space)), Double::sum);
        }
        Files.delete(file);
      }
    }
    print(all);
  }

  private static void print(Map<String, Double> seconds) {
    List<Map.Entry<String, Double>> slowest = new ArrayList<>(seconds.entrySet());
    slowest.sort(Map.Entry.<String, Double>comparingByValue(Comparator.reverseOrder()));
    double sum = seconds.values().stream().mapToDouble(Double::doubleValue).sum();
    System.out.printf(
        Locale.ROOT, "The slowest of %d test classes, %.0f s in all:%n", seconds.size(), sum);
    for (Map.Entry<String, Double> one : slowest.subList(0, Math.min(SHOWN, slowest.size()))) {
      String mark = one.getValue() > LIMIT_SECONDS ? "  over 20 s" : "";
      System.out.printf(Locale.ROOT, "%7.1f s  %s%s%n", one.getValue(), one.getKey(), mark);
    }
  }
}
