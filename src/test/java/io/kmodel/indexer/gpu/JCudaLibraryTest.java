package io.kmodel.indexer.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JCudaLibraryTest {
  @TempDir Path directory;

  @Test
  void whatWasUnpackedIsDeleted() throws IOException {
    Path unpacked = Files.createDirectories(directory.resolve("unpacked/natives"));
    Files.writeString(unpacked.resolve("library.so"), "code");
    JCudaLibrary.delete(directory.resolve("unpacked"));
    assertThat(directory).isEmptyDirectory();
  }

  /** An exception here would hide why loading the library failed. */
  @Test
  void whatCannotBeDeletedIsNoFailure() {
    Path missing = directory.resolve("missing");
    assertThatCode(() -> JCudaLibrary.delete(missing)).doesNotThrowAnyException();
  }
}
