package io.kmodel.indexer.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Where numbers lie in files, and how files begin. */
class NumbersInFilesTest {
  private static final String FORMAT = "test";

  /** The ways to write a number, in as many bytes as it may take. */
  enum Kind {
    BYTE,
    INT,
    LONG,
    V_INT,
    V_LONG;

    void write(OutputFile out) throws IOException {
      switch (this) {
        case BYTE -> out.writeByte(-3);
        case INT -> out.writeInt(-3);
        case LONG -> out.writeLong(-3);
        case V_INT -> out.writeVInt(-3);
        case V_LONG -> out.writeVLong(-3);
      }
    }

    long read(ByteReader in) throws IOException {
      return switch (this) {
        case BYTE -> in.readByte();
        case INT -> in.readInt();
        case LONG -> in.readLong();
        case V_INT -> in.readVInt();
        case V_LONG -> in.readVLong();
      };
    }
  }

  @TempDir Path directory;

  @ParameterizedTest
  @EnumSource
  void numbersAreWrittenWhereverABufferEnds(Kind kind) throws IOException {
    Path path = directory.resolve("file");
    for (int room = 0; room <= 12; room++) {
      try (OutputFile out = OutputFile.create(path, FORMAT, 1)) {
        while (out.position() < OutputFile.BUFFER_BYTES - room) {
          out.writeByte(7);
        }
        kind.write(out);
        out.writeByte(9);
        out.commitUnforced();
      }
      try (InputFile file = InputFile.open(path, FORMAT, 1)) {
        long place = (long) OutputFile.BUFFER_BYTES - room;
        ByteReader in = file.reader(place - 1, file.bodyEnd(), 64);
        assertThat(in.readByte()).isEqualTo((byte) 7);
        assertThat(kind.read(in)).as("with %d bytes left", room).isEqualTo(-3);
        assertThat(in.readByte()).isEqualTo((byte) 9);
        assertThat(in.remaining()).isZero();
      }
    }
  }

  @Test
  void aReaderStandsBehindWhatWasConsumed() throws IOException {
    Path path = directory.resolve("file");
    try (OutputFile out = OutputFile.create(path, FORMAT, 1)) {
      for (int i = 0; i < 100; i++) {
        out.writeByte(i);
      }
      out.commitUnforced();
    }
    try (InputFile file = InputFile.map(path, FORMAT, 1)) {
      ByteReader in = file.reader(64);
      in.require(10);
      in.consume(10);
      assertThat(in.position()).isEqualTo(file.bodyStart() + 10);
      assertThat(in.readByte()).isEqualTo((byte) 10);
      in.skip(20);
      assertThat(in.readByte()).isEqualTo((byte) 31);
      assertThat(in.remaining()).isEqualTo(68);
      in.seek(file.bodyEnd());
      assertThat(in.remaining()).isZero();
      in.seek(file.bodyStart());
      assertThat(in.readByte()).isZero();
      in.seek(file.bodyStart() + 11);
      in.require(64);
      assertThat(in.buffer()[in.offset() + 63]).isEqualTo((byte) 74);
      assertThatThrownBy(() -> in.require(65))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("65 contiguous bytes requested from a buffer of 64");
    }
  }

  @Test
  void aFormatIsNamedByOneTo255Characters() throws IOException {
    for (int length : new int[] {1, 255}) {
      String format = "f".repeat(length);
      Path path = directory.resolve("file");
      try (OutputFile out = OutputFile.create(path, format, 1)) {
        out.writeInt(5);
        out.commitUnforced();
      }
      try (InputFile in = InputFile.open(path, format, 1)) {
        in.verify();
        assertThat(in.reader(64).readInt()).isEqualTo(5);
      }
    }
    for (int length : new int[] {0, 256}) {
      String format = "f".repeat(length);
      assertThatThrownBy(() -> OutputFile.create(directory.resolve("other"), format, 1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("format name must have 1 to 255 characters: " + format);
    }
  }
}
