package io.kmodel.indexer.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.source.record.RecordedSkips;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files whose names are bytes that no string holds. */
class FileNamesTest {
  @TempDir Path root;

  @Test
  void namesThatAreNotUtf8AreReadAndOrderedByTheirBytes() throws IOException, InterruptedException {
    String base = root.toUri().toString();
    for (String name : List.of("a%FFb.txt", "%80%25.txt", "z.txt", "%EF%BF%BD.txt", "d%FE/x.txt")) {
      Path path = Path.of(URI.create(base + name));
      Files.createDirectories(path.getParent());
      Files.writeString(path, name);
    }
    SourceReading read = SourceReading.of(root);
    assertThat(read.texts())
        .containsExactly("a%FFb.txt", "d%FE/x.txt", "z.txt", "%80%25.txt", "%EF%BF%BD.txt");
    assertThat(read.skips.all()).isEmpty();
  }

  @Test
  void whateverBytesNamesHoldNoTwoFilesHaveTheSameId() throws IOException, InterruptedException {
    String base = root.toUri().toString();
    List<String> names =
        List.of(
            "%FE.txt",
            "%FF.txt",
            "%25FF.txt",
            "%EF%BF%BD.txt",
            "%25%FF.txt",
            "%2525%FF.txt",
            "%EF%BF%BD%FF.txt",
            "%C3%A9%E9.txt",
            "%F0%9F%92.txt",
            "%FF/%25.txt",
            "%E9.tsv");
    for (String name : names) {
      Path path = Path.of(URI.create(base + name));
      Files.createDirectories(path.getParent());
      Files.writeString(path, "1\t" + name);
    }
    for (String name : List.of("l%FE", "l%FF")) {
      Files.createSymbolicLink(Path.of(URI.create(base + name)), Path.of("nowhere"));
    }
    SourceReading read = SourceReading.of(root);
    assertThat(read.docs.stream().map(doc -> doc.id() + " " + doc.text()))
        .containsExactlyInAnyOrder(
            "./%FE.txt 1\t%FE.txt",
            "./%FF.txt 1\t%FF.txt",
            "%FF.txt 1\t%25FF.txt",
            "\uFFFD.txt 1\t%EF%BF%BD.txt",
            "./%25%FF.txt 1\t%25%FF.txt",
            "./%2525%FF.txt 1\t%2525%FF.txt",
            "./\uFFFD%FF.txt 1\t%EF%BF%BD%FF.txt",
            "./\u00E9%E9.txt 1\t%C3%A9%E9.txt",
            "./%F0%9F%92.txt 1\t%F0%9F%92.txt",
            "./%FF/%25.txt 1\t%FF/%25.txt",
            "1 %E9.tsv");
    assertThat(read.places.stream().map(Location::toString))
        .doesNotHaveDuplicates()
        .contains(root + "/./%FE.txt");
    assertThat(read.skips.all().stream().map(RecordedSkips.Skip::place))
        .containsExactly(root + "/./l%FE", root + "/./l%FF");
  }
}
