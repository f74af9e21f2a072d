package io.kmodel.indexer.export.lucene.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.store.disk.NamingOutput;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.List;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NamingDirectoryTest {
  @TempDir Path root;

  /** Who is told to stop does not write all of an index before. */
  @Test
  void aThreadThatIsInterruptedWritesNoMore() throws IOException {
    try (NamingDirectory directory = new NamingDirectory(FSDirectory.open(root))) {
      IndexOutput output = directory.createOutput("a", IOContext.DEFAULT);
      output.writeByte((byte) 1);
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> write(output)).isInstanceOf(ClosedByInterruptException.class);
      assertThat(Thread.interrupted()).isTrue();
      assertThatThrownBy(output::close).isInstanceOf(IOException.class);
      assertThat(directory.fileLength("a")).isZero();
    }
  }

  @Test
  void aFileThatIsThereIsNotWrittenOver() throws IOException {
    try (NamingDirectory directory = new NamingDirectory(FSDirectory.open(root))) {
      try (IndexOutput output = directory.createOutput("a", IOContext.DEFAULT)) {
        write(output);
      }
      assertThatThrownBy(() -> directory.createOutput("a", IOContext.DEFAULT))
          .isInstanceOf(FileAlreadyExistsException.class);
      assertThat(directory.fileLength("a")).isEqualTo(2 * NamingOutput.MOST_AT_ONCE);
    }
  }

  @Test
  void filesInPassingHaveNamesOfTheirOwn() throws IOException {
    try (NamingDirectory directory = new NamingDirectory(FSDirectory.open(root));
        IndexOutput one = directory.createTempOutput("_0", "ids", IOContext.DEFAULT);
        IndexOutput other = directory.createTempOutput("_0", "ids", IOContext.DEFAULT)) {
      assertThat(directory.listAll()).containsExactlyInAnyOrder(one.getName(), other.getName());
      assertThat(one.getName()).isNotEqualTo(other.getName());
    }
  }

  @Test
  void whatCannotBeForcedToDiskIsNamed() throws IOException {
    try (NamingDirectory directory = new NamingDirectory(FSDirectory.open(root))) {
      directory.createOutput("a", IOContext.DEFAULT).close();
      directory.sync(List.of("a"));
      assertThatThrownBy(() -> directory.sync(List.of("a", "absent")))
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith(root.resolve("absent") + ": ")
          .hasCauseInstanceOf(IOException.class);
    }
  }

  @Test
  void whoIsToldToStopForcesNothingToDisk() throws IOException {
    try (NamingDirectory directory = new NamingDirectory(FSDirectory.open(root))) {
      directory.createOutput("a", IOContext.DEFAULT).close();
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> directory.sync(List.of("a")))
          .isInstanceOf(ClosedByInterruptException.class);
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  void nothingIsMadeWhereItIsClosed() throws IOException {
    NamingDirectory directory = new NamingDirectory(FSDirectory.open(root));
    directory.close();
    assertThatThrownBy(() -> directory.createOutput("a", IOContext.DEFAULT))
        .isInstanceOf(AlreadyClosedException.class);
    assertThat(root).isEmptyDirectory();
  }

  private static void write(IndexOutput output) throws IOException {
    output.writeBytes(new byte[2 * NamingOutput.MOST_AT_ONCE], 2 * NamingOutput.MOST_AT_ONCE);
  }
}
