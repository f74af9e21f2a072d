package io.kmodel.indexer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;

/** Any bytes as a file of settings: known keys as they stand there, or a mistake with its place. */
class SettingsFileFuzzTest {
  private static final List<String> KNOWN =
      List.of("log", "build.memory", "build.threads", "build.max-document", "search.top");

  @TempDir Path directory;

  @FuzzTest
  void aFileIsItsSettingsOrAMistakeInALine(byte[] input) throws IOException {
    Path file = Files.write(directory.resolve("file"), input);
    try {
      SettingsFile settings = SettingsFile.read(file, KNOWN);
      List<String> lines =
          new String(input, StandardCharsets.UTF_8).replaceFirst("^\uFEFF", "").lines().toList();
      for (Map.Entry<String, SettingsFile.Entry> entry : settings.entries().entrySet()) {
        assertThat(KNOWN).contains(entry.getKey());
        String line = lines.get(entry.getValue().line() - 1);
        assertThat(line.strip()).startsWith(entry.getKey()).endsWith(entry.getValue().value());
      }
      long set =
          lines.stream().map(String::strip).filter(l -> !l.isEmpty() && l.charAt(0) != '#').count();
      assertThat(settings.entries()).hasSize((int) set);
    } catch (IllegalArgumentException e) {
      assertThat(e).hasMessageStartingWith(file.toString());
      assertThat(e.getMessage())
          .containsAnyOf(
              ": is not text in UTF-8",
              ": expected key = value; got '",
              ": there is no setting '",
              " already");
    }
  }
}
