package io.kmodel.indexer.source.crawl;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.source.SourceOptions;
import io.kmodel.indexer.source.SourceReading;
import io.kmodel.indexer.store.disk.Directories;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class CrawlOrderTest {
  @Property(tries = 60)
  void theOrderIsThatOfTheSortedListOfWholePaths(@ForAll("trees") Set<String> paths)
      throws IOException, InterruptedException {
    Path root = Files.createTempDirectory("crawl");
    try {
      List<byte[]> expected = new ArrayList<>();
      for (String path : paths) {
        Path file = root.resolve(path);
        if (isFree(root, file)) {
          Files.createDirectories(file.resolveSibling("."));
          Files.writeString(file, path);
          expected.add(path.getBytes(StandardCharsets.UTF_8));
        }
      }
      expected.sort(Arrays::compareUnsigned);
      assertThat(ids(root))
          .containsExactlyElementsOf(
              expected.stream().map(p -> new String(p, StandardCharsets.UTF_8)).toList());
    } finally {
      Directories.deleteTree(root);
    }
  }

  @Provide
  Arbitrary<Set<String>> trees() {
    // Few characters, so that names are prefixes of each other; some on either side of the slash,
    // and two that Java's order of chars and the order of UTF-8 bytes put differently.
    Arbitrary<String> names =
        Arbitraries.of("a", "b", ".", "-", "0", "~", "é", "\uFFEE", "\uD83D\uDC26")
            .list()
            .ofMinSize(1)
            .ofMaxSize(3)
            .map(parts -> String.join("", parts))
            .filter(name -> !name.equals(".") && !name.equals(".."));
    return names
        .list()
        .ofMinSize(1)
        .ofMaxSize(3)
        .map(parts -> String.join("/", parts))
        .set()
        .ofMaxSize(40)
        .map(TreeSet::new);
  }

  /** Neither it nor a directory on the way to it is a file, and it is no directory. */
  private static boolean isFree(Path root, Path file) {
    if (Files.exists(file)) {
      return false;
    }
    for (Path up = file.getParent(); up != null && !up.equals(root); up = up.getParent()) {
      if (Files.isRegularFile(up)) {
        return false;
      }
    }
    return true;
  }

  private static List<String> ids(Path root) throws IOException, InterruptedException {
    SourceReading reading = SourceReading.of(root, SourceOptions.withLimit(1000), 1);
    assertThat(reading.skips.all()).isEmpty();
    return reading.ids();
  }
}
