package io.kmodel.indexer.store.disk;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.store.FileSeal;
import io.kmodel.indexer.store.InputFile;
import io.kmodel.indexer.store.Journal;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Of a directory no byte can be read, as of a broken disk. */
class NamingInputTest {
  @TempDir Path directory;

  @Test
  void whatCannotBeReadIsNamed() throws IOException {
    Path file = Files.createDirectory(directory.resolve("file"));
    Files.createFile(file.resolve("some-name"));
    String message = file + ": Is a directory";
    assertThatThrownBy(() -> NamingInput.readAll(file)).hasMessage(message);
    assertThatThrownBy(() -> InputFile.open(file, "test", 1)).hasMessageStartingWith(file + ": ");
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      FileSeal seal = new FileSeal("file", channel.size(), 0, false);
      assertThatThrownBy(() -> seal.isIn(directory)).hasMessageStartingWith(file + ": ");
    }
    assertThatThrownBy(() -> Journal.read(file)).hasMessage(message);
  }

  @Test
  void whatHasItsNameOrIsNoFailureOfTheFileIsAsItWas() throws IOException {
    Path none = directory.resolve("none");
    assertThatThrownBy(() -> NamingInput.readAll(none))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessage(none.toString());
    Path file = Files.write(directory.resolve("file"), new byte[8]);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> NamingInput.read(file, channel, ByteBuffer.allocate(8), 0))
          .isInstanceOf(ClosedByInterruptException.class);
    } finally {
      Thread.interrupted();
    }
  }
}
