package io.kmodel.indexer.cli.option;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;

/** What is said of a path that is no index of ours. */
class IndexArgumentTest {
  private static final class Holder {
    @Mixin private IndexArgument index = new IndexArgument();
  }

  @TempDir Path directory;

  private static void assertRefused(Path path, String why) {
    Holder holder = new Holder();
    new CommandLine(holder).parseArgs(path.toString());
    assertThatThrownBy(holder.index::directory)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("no index at %s: %s", path, why);
  }

  @Test
  void everyOtherPathHasItsReason() throws Exception {
    assertRefused(directory.resolve("none"), "no such directory");
    assertRefused(Files.writeString(directory.resolve("file"), "text"), "not a directory");
    assertRefused(directory, "it has no index.json (make one with 'indexer build')");
  }

  /** The superuser may look into every directory. */
  @Test
  void aDirectoryWithoutPermissionIsNamedAsSuch() throws Exception {
    Path locked = Files.createDirectory(directory.resolve("locked"));
    Files.setPosixFilePermissions(locked, Set.of());
    try {
      assumeThat(Files.isExecutable(locked)).isFalse();
      assertThatThrownBy(() -> IndexArgument.require(locked))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("permission denied: %s cannot be searched for an index", locked);
    } finally {
      Files.setPosixFilePermissions(locked, PosixFilePermissions.fromString("rwx------"));
    }
  }

  @Test
  void aLuceneIndexIsNamedAsSuch() throws Exception {
    try (Directory lucene = FSDirectory.open(directory);
        IndexWriter writer = new IndexWriter(lucene, new IndexWriterConfig())) {
      writer.commit();
    }
    assertRefused(
        directory, "it is a Lucene index; this command reads indexes made with 'build --output'");
  }
}
