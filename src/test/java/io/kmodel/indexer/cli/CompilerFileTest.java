package io.kmodel.indexer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import com.google.common.reflect.ClassPath;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * config/compiler.txt: Java does not start with a line that it cannot read, and passes over one
 * that names no code.
 */
class CompilerFileTest {
  private static final Path FILE = Path.of("config/compiler.txt");
  private static final String COMMAND = "MaxNodeLimit,";
  private static final String LIMIT = ",1000";

  /** Names of all classes there are. */
  private static List<String> ofProgram = List.of();

  private static List<String> ofJava = List.of();

  @ParameterizedTest
  @MethodSource("patterns")
  void everyLineNamesCodeThatIsThere(String pattern) throws Exception {
    int dot = pattern.lastIndexOf('.');
    String ofClass = pattern.substring(0, dot).replace('/', '.');
    String ofMethod = pattern.substring(dot + 1);
    List<String> classes = classes(ofClass);
    assertThat(classes).as("classes").isNotEmpty();
    if (!ofMethod.equals("*")) {
      Class<?> named = Class.forName(classes.getFirst(), false, getClass().getClassLoader());
      assertThat(codeOf(named)).contains(ofMethod);
    }
  }

  @Test
  void javaTakesEveryLine(@TempDir Path directory) throws Exception {
    String loud = Files.readString(FILE).replace("\nquiet\n", "\n");
    Path file = Files.writeString(directory.resolve("loud.txt"), loud);
    List<String> taken = java("-XX:CompileCommandFile=" + file, "-version");
    assertThat(taken.stream().filter(line -> line.startsWith("CompileCommand:")))
        .containsExactlyElementsOf(
            patterns()
                .map("CompileCommand: MaxNodeLimit %s intx MaxNodeLimit = 1000"::formatted)
                .toList());
    assertThat(java("-XX:CompileCommandFile=" + FILE, "-version"))
        .noneMatch(line -> line.contains("CompileCommand"));
  }

  @ParameterizedTest
  @CsvSource({
    "25.0.3, build, '', true",
    "26.0.1, build, '', false",
    "25.0.3, stats, '', false",
    "25.0.3, build, -XX:-TieredCompilation, false",
    "25.0.3, build, -XX:CompilationMode=high-only, false",
    "25.0.3, build, -XX:CompileCommandFile=mine, true",
  })
  void theLauncherGivesItToBuildsWhereItDoesGood(
      String version, String command, String options, boolean given, @TempDir Path directory)
      throws Exception {
    Path java = directory.resolve("bin/java");
    Files.createDirectories(java.getParent());
    Files.writeString(java, "#!/bin/sh\nprintf '%s\\n' \"$@\"\n");
    assertThat(java.toFile().setExecutable(true)).isTrue();
    Files.createFile(directory.resolve("indexer.jar"));
    Files.writeString(directory.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
    Map<String, String> environment =
        Map.of(
            "INDEXER_JAVA_HOME", directory.toString(),
            "INDEXER_PROGRAM", directory.toString(),
            "INDEXER_JAVA_OPTIONS", options);
    Launcher.Ended ended = Launcher.run(Path.of("bin/indexer"), environment, command);
    assertThat(ended.exitCode()).as(ended.err()).isZero();
    List<String> started = ended.out().lines().toList();
    String option = "-XX:CompileCommandFile=" + FILE.toAbsolutePath();
    assertThat(started.contains(option)).isEqualTo(given);
    if (given && !options.isEmpty()) {
      assertThat(started).as("the last one counts").containsSubsequence(option, options);
    }
  }

  @Test
  void whatStandsThereIsLeftToTheQuickCompiler() throws Exception {
    List<String> compiled =
        java(
            "-Xbatch",
            "-XX:+PrintCompilation",
            "-XX:CompileCommand=quiet",
            "-XX:CompileCommand="
                + COMMAND
                + Loop.class.getName().replace('.', '/')
                + ".left"
                + LIMIT,
            "-cp",
            System.getProperty("java.class.path"),
            Loop.class.getName());
    assertThat(compiled)
        .anyMatch(line -> line.matches("\\s*\\d+\\s+\\d+\\s+b\\s+4\\s.*Loop::usual .*"))
        .noneMatch(line -> line.contains("Loop::usual") && line.contains("SKIPPED"));
    List<String> left = compiled.stream().filter(line -> line.contains("Loop::left ")).toList();
    assertThat(left)
        .anyMatch(line -> line.contains("COMPILE SKIPPED: out of nodes"))
        .as("the quick compiler's code for good")
        .anyMatch(line -> line.matches("\\s*\\d+\\s+\\d+\\s+b\\s+1\\s.*"));
  }

  /** Two methods that C2 would compile. */
  static final class Loop {
    private Loop() {}

    static int left(int x, int y) {
      return Integer.rotateLeft(x * 31, y) ^ y;
    }

    static int usual(int x, int y) {
      return Integer.rotateLeft(x * 37, y) ^ y;
    }

    public static void main(String[] arguments) {
      int x = arguments.length;
      for (int i = 0; i < 1_000_000; i++) {
        x = left(x, i) + usual(x, i);
      }
      System.out.println(x);
    }
  }

  static Stream<String> patterns() throws IOException {
    return Files.readAllLines(FILE).stream()
        .filter(line -> !line.isEmpty() && !line.startsWith("#") && !line.equals("quiet"))
        .map(CompilerFileTest::pattern);
  }

  private static String pattern(String line) {
    assertThat(line).startsWith(COMMAND).endsWith(LIMIT);
    return line.substring(COMMAND.length(), line.length() - LIMIT.length());
  }

  /** Classes of a name, or those whose names begin so where it ends in an asterisk. */
  private static List<String> classes(String name) {
    boolean isPrefix = name.endsWith("*");
    String start = isPrefix ? name.substring(0, name.length() - 1) : name;
    return (start.matches("(java|jdk|sun)\\..*") ? ofJava : ofProgram)
        .stream()
            .filter(found -> isPrefix ? found.startsWith(start) : found.equals(start))
            .toList();
  }

  @BeforeAll
  static void findClasses() throws IOException {
    ofProgram =
        ClassPath.from(CompilerFileTest.class.getClassLoader()).getAllClasses().stream()
            .map(ClassPath.ClassInfo::getName)
            .toList();
    Path base = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("modules/java.base");
    try (Stream<Path> all = Files.walk(base)) {
      ofJava =
          all.map(path -> base.relativize(path).toString())
              .filter(path -> path.endsWith(".class"))
              .map(path -> path.substring(0, path.length() - ".class".length()).replace('/', '.'))
              .toList();
    }
  }

  private static List<String> codeOf(Class<?> type) {
    return Stream.concat(
            Arrays.stream(type.getDeclaredMethods()).map(method -> method.getName()),
            Arrays.stream(type.getDeclaredConstructors()).map(constructor -> "<init>"))
        .toList();
  }

  private static List<String> java(String... options) throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(
                ImmutableList.<String>builder()
                    .add(ProcessHandle.current().info().command().orElse("java"))
                    .add(options)
                    .build())
            .redirectErrorStream(true);
    builder.environment().keySet().removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"));
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output.lines().toList();
  }
}
