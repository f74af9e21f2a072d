package io.kmodel.indexer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.Tier;
import io.kmodel.indexer.cli.base.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Files of one index in the place of another's, with the same names and often the same sizes. */
class ForeignFilesTest extends CommandCalls {
  private static final List<String> TEXTS =
      List.of("alpha beta gamma", "beta alpha gamma", "alpha beta delta", "alpha beta beta");

  @Test
  void aFileOfAnotherIndexIsRefusedByName() throws IOException {
    List<Path> indexes = new ArrayList<>(List.of(index("a", 0), index("b", 1)));
    if (Tier.isThorough()) {
      indexes.addAll(List.of(index("c", 2), index("d", 3), index("e", 0, 1)));
    }
    int refused = 0;
    for (Path index : indexes) {
      for (Path other : indexes) {
        for (Path file : files(index)) {
          Path foreign = other.resolve(file.getFileName());
          byte[] own = Files.readAllBytes(file);
          byte[] theirs = Files.readAllBytes(foreign);
          if (Arrays.equals(own, theirs)) {
            continue;
          }
          Files.write(file, theirs);
          for (String[] call : calls(index)) {
            String what = String.join(" ", call) + " with " + foreign;
            assertThat(run(call)).as(what).isEqualTo(ExitCode.FAILED);
            if (!file.endsWith("index.json")) {
              assertThat(err.toString()).as(what).contains(file.toString());
            }
          }
          Files.write(file, own);
          refused++;
        }
      }
    }
    assertThat(refused).isGreaterThan(Tier.pick(5, 60));
  }

  private List<String[]> calls(Path index) {
    String name = index.toString();
    String export = directory.resolve("export").toString();
    return List.of(
        new String[] {"verify", name},
        new String[] {"verify", name, "--deep"},
        new String[] {"search", name, "alpha"},
        new String[] {"export", "lucene", name, export});
  }

  private Path index(String name, int... texts) throws IOException {
    Path crawl = Files.createDirectory(directory.resolve(name));
    for (int i = 0; i < texts.length; i++) {
      Files.writeString(crawl.resolve(i + ".txt"), TEXTS.get(texts[i]));
    }
    Path index = directory.resolve(name + "-index");
    assertThat(run("build", crawl.toString(), "--output", index.toString(), "--threads", "1"))
        .as(err.toString())
        .isEqualTo(ExitCode.OK);
    return index;
  }

  private static List<Path> files(Path index) throws IOException {
    try (Stream<Path> files = Files.list(index)) {
      return files
          .filter(file -> !file.getFileName().toString().matches("report.*|skipped.jsonl"))
          .toList();
    }
  }
}
