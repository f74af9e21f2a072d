package io.kmodel.indexer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Whether the guides that sources and scripts point to exist. */
class NamedGuidesTest {
  private static final List<String> READ = List.of("src", "config", "bin", "kernels", "pom.xml");

  private static final Pattern GUIDE = Pattern.compile("(?<![\\w./-])docs/[\\w./-]+\\.md\\b");

  @Test
  void everyGuideThatAFileNamesExists() throws IOException {
    List<String> missing = new ArrayList<>();
    for (String place : READ) {
      try (Stream<Path> files = Files.walk(Path.of(place))) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          // Any bytes are valid in this charset; the names that count are ASCII.
          Matcher guides = GUIDE.matcher(Files.readString(file, StandardCharsets.ISO_8859_1));
          while (guides.find()) {
            if (!Files.exists(Path.of(guides.group()))) {
              missing.add(file + " names " + guides.group());
            }
          }
        }
      }
    }
    assertThat(missing).isEmpty();
  }
}
