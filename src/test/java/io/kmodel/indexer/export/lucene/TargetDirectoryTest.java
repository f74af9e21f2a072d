package io.kmodel.indexer.export.lucene;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TargetDirectoryTest {
  @TempDir Path directory;

  @Test
  void whatHasComeToTheTargetMeanwhileIsNotReplaced() throws Exception {
    Path path = directory.resolve("index");
    TargetDirectory target = TargetDirectory.absentOrEmpty(path);
    target.requireFree();
    Path made = Files.createDirectories(target.made());
    Files.writeString(made.resolve("segments_1"), "an index");
    Path other = Files.writeString(Files.createDirectory(path).resolve("other"), "work");
    assertThatThrownBy(() -> target.moveIn(made)).isInstanceOf(FileAlreadyExistsException.class);
    assertThat(other).hasContent("work");
    assertThat(made.resolve("segments_1")).exists();
    Files.delete(other);
    target.moveIn(made);
    assertThat(path.resolve("segments_1")).hasContent("an index");
  }
}
