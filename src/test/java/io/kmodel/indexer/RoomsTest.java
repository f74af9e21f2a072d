package io.kmodel.indexer;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableMap;
import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The borders between packages, as docs/dev/ARCHITECTURE.md draws them. */
class RoomsTest {
  private static final String ROOT = "io.kmodel.indexer.";

  private static final int MOST_FILES = 30;

  /** Which rooms each room may use. A room includes its sub-packages. */
  private static final Map<String, List<String>> BORDERS =
      ImmutableMap.<String, List<String>>builder()
          .put("memory", List.of())
          .put("task", List.of("memory"))
          .put("store", List.of("task", "memory"))
          .put("source", List.of("store"))
          .put("gpu", List.of("store"))
          .put("sort", List.of("gpu", "memory"))
          .put("index", List.of("store", "task"))
          .put("parse", List.of("source", "index"))
          .put("analysis", List.of("parse", "source", "index"))
          .put("run", List.of("index", "sort", "memory", "store"))
          .put(
              "inversion",
              List.of(
                  "gpu",
                  "sort",
                  "run",
                  "merge",
                  "index",
                  "analysis",
                  "source",
                  "memory",
                  "store",
                  "export.lucene"))
          .put("merge", List.of("run", "index"))
          .put("export.lucene", List.of("index", "analysis", "store", "task"))
          .put("export.ciff", List.of("index", "store", "task"))
          .put("export.ndjson", List.of("index", "store"))
          .put(
              "export.opensearch",
              List.of("index", "store", "analysis", "export.lucene", "export.ndjson"))
          .put("evaluate", List.of("store"))
          .put("search", List.of("index", "export.lucene", "analysis", "parse", "store", "task"))
          .put("browse", List.of("index", "export.lucene", "analysis", "search", "task"))
          .put(
              "indexing",
              List.of(
                  "memory",
                  "task",
                  "store",
                  "source",
                  "parse",
                  "analysis",
                  "index",
                  "run",
                  "sort",
                  "inversion",
                  "merge",
                  "export.lucene",
                  "export.ciff"))
          .put("spark", List.of("indexing", "cli", "source"))
          .put(
              "api",
              List.of(
                  "indexing",
                  "index",
                  "search",
                  "export.lucene",
                  "export.ciff",
                  "analysis",
                  "parse",
                  "source",
                  "store"))
          .put(
              "experiment",
              List.of(
                  "memory",
                  "task",
                  "store",
                  "source",
                  "parse",
                  "analysis",
                  "index",
                  "run",
                  "sort",
                  "gpu",
                  "inversion",
                  "merge",
                  "export.lucene",
                  "search",
                  "indexing"))
          .buildOrThrow();

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("io.kmodel.indexer");

  @Test
  void everyRoomLooksOnlyIntoTheRoomsItMay() {
    BORDERS.forEach(
        (room, neighbours) ->
            noClasses()
                .that()
                .resideInAPackage(ROOT + room + "..")
                .should()
                .dependOnClassesThat(forbidden(room, neighbours))
                .allowEmptyShould(true)
                .check(CLASSES));
  }

  @Test
  void packagesFormNoCycle() {
    slices().matching(ROOT + "(**)").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void noPackageHasTooManyFiles() throws IOException {
    try (Stream<Path> directories =
        Files.find(Path.of("src/main/java"), 20, (path, file) -> file.isDirectory())) {
      for (Path directory : directories.toList()) {
        try (Stream<Path> files = Files.list(directory)) {
          assertThat(files.filter(file -> file.toString().endsWith(".java")))
              .as(directory.toString())
              .hasSizeLessThanOrEqualTo(MOST_FILES);
        }
      }
    }
  }

  @Test
  void roomsFormNoCycle() {
    slices().matching(ROOT + "(*)..").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void onlyParseKnowsJsoup() {
    noClasses()
        .that()
        .resideOutsideOfPackages(ROOT + "parse..", ROOT + "experiment..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.jsoup..")
        .check(CLASSES);
  }

  @Test
  void onlyGpuKnowsJcuda() {
    noClasses()
        .that()
        .resideOutsideOfPackage(ROOT + "gpu")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("jcuda..")
        .check(CLASSES);
  }

  @Test
  void onlyTheAdapterKnowsSpark() {
    noClasses()
        .that()
        .resideOutsideOfPackage(ROOT + "spark")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "org.apache.spark..", "org.apache.hadoop..", "scala..", ROOT + "spark..")
        .check(CLASSES);
  }

  @Test
  void everyRoomIsInTheTable() {
    assertThat(CLASSES)
        .allSatisfy(
            c ->
                assertThat(BORDERS.containsKey(room(c)) || room(c).equals("cli"))
                    .as(c.getName())
                    .isTrue());
  }

  @Test
  void everyPathThatArchitectureNamesExists() throws IOException {
    String text = Files.readString(Path.of("docs/dev/ARCHITECTURE.md"));
    Matcher names = Pattern.compile("`([\\w.-]+/[\\w./-]*)`").matcher(text);
    while (names.find()) {
      String name = names.group(1);
      assertThat(
              List.of(
                  Path.of(name),
                  Path.of("src/main/java/io/kmodel/indexer/" + name),
                  Path.of("src/main/java/io/kmodel/indexer/" + name + ".java")))
          .as(name)
          .anyMatch(Files::exists);
    }
  }

  /** The room of a class: the first part of its package, or two in {@code export}. */
  private static String room(JavaClass c) {
    String name = c.getPackageName().substring(ROOT.length());
    return BORDERS.keySet().stream()
        .filter(room -> name.equals(room) || name.startsWith(room + "."))
        .findFirst()
        .orElse(name.startsWith("cli") ? "cli" : name);
  }

  private static DescribedPredicate<JavaClass> forbidden(String room, List<String> neighbours) {
    DescribedPredicate<JavaClass> allowed = resideInAPackage(ROOT + room + "..");
    for (String neighbour : neighbours) {
      allowed = allowed.or(resideInAPackage(ROOT + neighbour + ".."));
    }
    return resideInAPackage("io.kmodel.indexer..").and(DescribedPredicate.not(allowed));
  }
}
