package io.kmodel.indexer.store.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Failures to write, which say of which file they are. */
class NamingOutputTest {
  private static final Path FILE = Path.of("index", "_0.fdt");

  /** A disk with room for so many bytes. */
  private static final class Disk extends OutputStream {
    private final IOException full;
    private int room;

    Disk(int room, IOException full) {
      this.room = room;
      this.full = full;
    }

    @Override
    public void write(int b) throws IOException {
      write(new byte[1], 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      assertThat(length).isLessThanOrEqualTo(NamingOutput.MOST_AT_ONCE);
      room -= length;
      if (room < 0) {
        throw full;
      }
    }

    @Override
    public void close() throws IOException {
      throw new IOException("Quota exceeded");
    }
  }

  @Test
  void aFailureNamesTheFileAndHowMuchWasWritten() throws IOException {
    IOException full = new IOException("No space left on device");
    NamingOutput out = new NamingOutput(FILE, new Disk(20_000, full));
    out.write(7);
    assertThatThrownBy(() -> out.write(new byte[30_000]))
        .isInstanceOf(IOException.class)
        .hasMessage(FILE + ": No space left on device after 16385 bytes")
        .hasCause(full);
    assertThatThrownBy(out::close).hasMessage(FILE + ": Quota exceeded after 16385 bytes");
  }

  /** The program tells it by its class. */
  @Test
  void anInterruptionIsHandedOnAsItIs() {
    ClosedByInterruptException stopped = new ClosedByInterruptException();
    NamingOutput out = new NamingOutput(FILE, new Disk(0, stopped));
    assertThatThrownBy(() -> out.write(new byte[1])).isSameAs(stopped);
  }

  @Test
  void whatIsWrittenArrivesWholeInWhateverPieces() throws IOException {
    byte[] bytes = new byte[3 * NamingOutput.MOST_AT_ONCE + 5];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (i * 31);
    }
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    try (NamingOutput out = new NamingOutput(FILE, written)) {
      out.write(bytes[0]);
      out.write(bytes, 1, bytes.length - 2);
      out.write(bytes, bytes.length - 1, 1);
      out.write(bytes, 0, 0);
    }
    assertThat(written.toByteArray()).isEqualTo(bytes);
  }
}
