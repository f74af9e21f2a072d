package io.kmodel.indexer.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.store.disk.Directories;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CheckedFilesTest {
  private static final String FORMAT = "test";

  @TempDir Path directory;
  private Path path;

  @BeforeEach
  void nameTheFile() {
    path = directory.resolve("file");
  }

  @Test
  void theBytesOfAFileAreTheOnesOfItsGrammar() throws IOException {
    try (OutputFile out = OutputFile.create(path, FORMAT, 7)) {
      out.writeByte(0xAB);
      out.writeInt(1);
      out.writeVInt(300);
      out.commit();
    }
    assertThat(HexFormat.of().formatHex(Files.readAllBytes(path)))
        .isEqualTo(
            "58494d6b"
                + "04"
                + "74657374"
                + "07000000"
                + "ab01000000ac02"
                + "43d0610c"
                + "6b4d4958"
                + "43d0610c"
                + "1b8d598b00000000");
  }

  @Test
  void everyFlippedBitIsDetected() throws IOException {
    byte[] whole = small();
    for (int bit = 0; bit < 8 * whole.length; bit++) {
      byte[] damaged = whole.clone();
      damaged[bit / 8] ^= (byte) (1 << (bit % 8));
      Files.write(path, damaged);
      assertThatThrownBy(this::openAndVerify)
          .as("bit %d", bit)
          .isInstanceOf(CorruptIndexException.class)
          .hasMessageStartingWith(path.toString());
    }
  }

  @Test
  void everyTruncationAndEveryAddedByteIsDetected() throws IOException {
    byte[] whole = small();
    for (int length = 0; length < whole.length; length++) {
      Files.write(path, Arrays.copyOf(whole, length));
      assertThatThrownBy(this::openAndVerify)
          .as("%d bytes", length)
          .isInstanceOf(CorruptIndexException.class);
    }
    for (int more = 1; more < 40; more++) {
      Files.write(path, Arrays.copyOf(whole, whole.length + more));
      assertThatThrownBy(this::openAndVerify)
          .as("%d more bytes", more)
          .isInstanceOf(CorruptIndexException.class);
    }
  }

  @Test
  void aThreadThatIsInterruptedStopsToVerify() throws IOException {
    write(random(50));
    try (InputFile in = InputFile.map(path, FORMAT, 1)) {
      Thread.currentThread().interrupt();
      assertThatThrownBy(in::verify).isInstanceOf(ClosedByInterruptException.class);
      assertThat(Thread.interrupted()).isTrue();
      in.verify();
    }
  }

  @Test
  void everyFlippedBitOfAFootersFirstHalfIsFoundWhenTheFileIsOpened() throws IOException {
    byte[] whole = small();
    int footer = 8 * (whole.length - OutputFile.FOOTER_BYTES);
    for (int bit = footer; bit < footer + 64; bit++) {
      byte[] damaged = whole.clone();
      damaged[bit / 8] ^= (byte) (1 << (bit % 8));
      Files.write(path, damaged);
      assertThatThrownBy(() -> InputFile.open(path, FORMAT, 1))
          .as("bit %d", bit)
          .isInstanceOf(CorruptIndexException.class)
          .hasMessageContaining("footer is");
    }
  }

  @Test
  void aFileOfAnotherFormatOrVersionIsRefused() throws IOException {
    small();
    assertThatThrownBy(() -> InputFile.open(path, "test2", 1))
        .isInstanceOf(CorruptIndexException.class);
    assertThatThrownBy(() -> InputFile.map(path, "tost", 1))
        .isInstanceOf(CorruptIndexException.class)
        .hasMessageContaining("is not a file of format tost");
    assertThatThrownBy(() -> InputFile.map(path, FORMAT, 2))
        .isInstanceOf(CorruptIndexException.class)
        .hasMessageContaining("has version 1, expected 2");
  }

  /** Of the layout before cells: a header of the same form, a body, a checksum. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3, 4, 100, 16_384, 16_385, 16_390, 32_770, 100_000})
  void aFileOfAnOlderLayoutIsRefusedByItsVersionWhateverItsSizeIs(int bytes) throws IOException {
    write(random(bytes));
    byte[] header = Arrays.copyOf(Files.readAllBytes(path), OutputFile.headerBytes(FORMAT));
    byte[] old = Arrays.copyOf(header, header.length + bytes + 8);
    Files.write(path, old);
    for (boolean map : new boolean[] {false, true}) {
      assertThatThrownBy(() -> open(map, 2))
          .isInstanceOf(CorruptIndexException.class)
          .hasMessage(path + ": format test has version 1, expected 2");
    }
  }

  private void open(boolean map, int version) throws IOException {
    try (InputFile in =
        map ? InputFile.map(path, FORMAT, version) : InputFile.open(path, FORMAT, version)) {
      in.verify();
    }
  }

  @Test
  void aFileHasItsNameOnlyAfterItWasCommitted() throws IOException {
    try (OutputFile out = OutputFile.create(path, FORMAT, 1)) {
      out.writeLong(1);
      assertThat(path).doesNotExist();
      out.commit();
      assertThat(path).exists();
    }
    assertThat(path).exists();
    assertThat(directory).isDirectoryNotContaining(file -> file.toString().endsWith(".tmp"));
  }

  @Test
  void aFileThatIsNotCommittedIsDeletedWhenClosed() throws IOException {
    try (OutputFile out = OutputFile.create(path, FORMAT, 1)) {
      out.writeBytes(new byte[200_000], 0, 200_000);
      assertThat(directory).isNotEmptyDirectory();
    }
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void aFileThatIsNotCommittedLeavesAnOlderOneAlone() throws IOException {
    byte[] old = small();
    try (OutputFile out = OutputFile.create(path, FORMAT, 1)) {
      out.writeLong(99);
    }
    assertThat(path).hasBinaryContent(old);
  }

  @Test
  void aRenamedFileTakesItsNewName() throws IOException {
    Path other = directory.resolve("other");
    try (OutputFile out = OutputFile.create(path, FORMAT, 1)) {
      out.writeInt(5);
      out.rename(other);
      out.commitUnforced();
    }
    assertThat(path).doesNotExist();
    try (InputFile in = InputFile.open(other, FORMAT, 1)) {
      in.verify();
      assertThat(in.reader(64).readInt()).isEqualTo(5);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 65_500, 65_536, 65_537, 200_000})
  void aBodyAppendedToAnotherFileIsAsIfItWasWrittenThere(int bytes) throws IOException {
    byte[] content = random(bytes);
    Path direct = directory.resolve("direct");
    try (OutputFile out = OutputFile.create(direct, FORMAT, 1)) {
      out.writeInt(42);
      out.writeBytes(content, 0, bytes);
      out.commitUnforced();
    }
    try (OutputFile out = OutputFile.create(path, FORMAT, 1);
        OutputFile spool = OutputFile.create(directory.resolve("spool"), "another format", 3)) {
      out.writeInt(42);
      spool.writeBytes(content, 0, bytes);
      spool.appendTo(out);
      out.commitUnforced();
    }
    assertThat(path).hasSameBinaryContentAs(direct);
    assertThat(directory.resolve("spool")).doesNotExist();
  }

  @Test
  void aSpoolIsAllBodyAndTakesNoName() throws IOException {
    Path spoolPath = directory.resolve("spool");
    try (OutputFile out = OutputFile.create(path, FORMAT, 1);
        OutputFile spool = OutputFile.spool(spoolPath)) {
      spool.writeBytes(random(200_000), 0, 200_000);
      assertThat(spool.position()).isEqualTo(200_000);
      spool.appendTo(out);
      assertThatThrownBy(spool::commit)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("spool.tmp is a spool");
      out.commitUnforced();
    }
    assertThat(SealedFiles.body(path, FORMAT)).isEqualTo(random(200_000));
    assertThat(directory).isDirectoryNotContaining("glob:**spool*");
  }

  @Test
  void aSpoolThatWasAlteredOnDiskIsDetectedWhenItIsAppended() throws IOException {
    Path spoolPath = directory.resolve("spool");
    try (OutputFile out = OutputFile.create(path, FORMAT, 1);
        OutputFile spool = OutputFile.create(spoolPath, FORMAT, 1)) {
      spool.writeBytes(random(100_000), 0, 100_000);
      Path temporary = directory.resolve("spool.tmp");
      byte[] flushed = Files.readAllBytes(temporary);
      flushed[20_000] ^= 1;
      Files.write(temporary, flushed);
      assertThatThrownBy(() -> spool.appendTo(out)).isInstanceOf(CorruptIndexException.class);
    }
  }

  @Test
  void manyNumbersAtOnceAreWrittenAsEachByItself() throws IOException {
    int[] values = new Random(4).ints(700).map(v -> v >>> (v & 31)).toArray();
    Arrays.fill(values, 0, 200, -1);
    Path single = directory.resolve("single");
    try (OutputFile out = OutputFile.create(path, FORMAT, 1);
        OutputFile other = OutputFile.create(single, FORMAT, 1)) {
      // Together more than ten buffers, so that their borders lie anywhere.
      for (int count = 0; count < values.length; count++) {
        out.writeVInts(values, count);
        for (int i = 0; i < count; i++) {
          other.writeVInt(values[i]);
        }
      }
      assertThat(out.position()).isEqualTo(other.position());
      out.commitUnforced();
      other.commitUnforced();
    }
    assertThat(path).hasSameBinaryContentAs(single);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void numbersOfAllSizesAreReadBackAcrossBufferBorders(boolean map) throws IOException {
    long[] values = new Random(3).longs(60_000).map(v -> v >>> (v & 63)).toArray();
    try (OutputFile out = OutputFile.create(path, FORMAT, 1)) {
      for (long value : values) {
        out.writeVLong(value);
        out.writeVInt((int) value);
        out.writeLong(value);
        out.writeInt((int) value);
        out.writeByte((int) value);
      }
      out.writeBytes(random(150_000), 10, 149_990);
      out.commitUnforced();
    }
    try (InputFile in = map ? InputFile.map(path, FORMAT, 1) : InputFile.open(path, FORMAT, 1)) {
      in.verify();
      for (int buffer : new int[] {64, 100, 1 << 16}) {
        ByteReader reader = in.reader(buffer);
        for (long value : values) {
          assertThat(reader.readVLong() == value).isTrue();
          assertThat(reader.readVInt() == (int) value).isTrue();
          assertThat(reader.readLong() == value).isTrue();
          assertThat(reader.readInt() == (int) value).isTrue();
          assertThat(reader.readByte() == (byte) value).isTrue();
        }
        byte[] rest = new byte[149_990];
        reader.readBytes(rest, 0, rest.length);
        assertThat(rest).isEqualTo(Arrays.copyOfRange(random(150_000), 10, 150_000));
        assertThat(reader.remaining()).isZero();
        assertThatThrownBy(reader::readByte).isInstanceOf(CorruptIndexException.class);
      }
    }
  }

  @Test
  void aReaderSeeksAnywhereInItsSectionAndNowhereElse() throws IOException {
    byte[] content = random(10_000);
    write(content);
    try (InputFile in = InputFile.map(path, FORMAT, 1)) {
      long start = in.bodyStart();
      ByteReader reader = in.reader(start + 100, start + 9_000, 64);
      Random random = new Random(4);
      for (int i = 0; i < 2_000; i++) {
        int at = 100 + random.nextInt(8_890);
        reader.seek(start + at);
        reader.require(10);
        assertThat(reader.buffer()[reader.offset() + 9]).isEqualTo(content[at + 9]);
        reader.consume(random.nextInt(10));
      }
      assertThatThrownBy(() -> reader.seek(start + 99)).isInstanceOf(CorruptIndexException.class);
      assertThatThrownBy(() -> reader.seek(start + 9_001))
          .isInstanceOf(CorruptIndexException.class);
      reader.seek(start + 8_998);
      assertThatThrownBy(reader::readInt)
          .isInstanceOf(CorruptIndexException.class)
          .hasMessageContaining("4 bytes are needed at " + (start + 8_998));
      assertThatThrownBy(() -> reader.skip(Long.MAX_VALUE))
          .isInstanceOf(CorruptIndexException.class);
      assertThatThrownBy(() -> in.reader(start - 1, start, 64))
          .isInstanceOf(CorruptIndexException.class);
      assertThatThrownBy(() -> in.reader(start, in.bodyEnd() + 1, 64))
          .isInstanceOf(CorruptIndexException.class);
    }
  }

  @Test
  void integersThatDoNotFitAreReported() throws IOException {
    byte[] endless = new byte[20];
    Arrays.fill(endless, (byte) 0xFF);
    write(endless);
    checkNoInteger();
    write(HexFormat.of().parseHex("ffffffff1f" + "00000000000000"));
    try (InputFile in = InputFile.open(path, FORMAT, 1)) {
      assertThatThrownBy(() -> in.reader(64).readVInt()).isInstanceOf(CorruptIndexException.class);
    }
    write(HexFormat.of().parseHex("ffffffffffffffffff02" + "0000"));
    checkNoInteger();
  }

  private void checkNoInteger() throws IOException {
    try (InputFile in = InputFile.open(path, FORMAT, 1)) {
      assertThatThrownBy(() -> in.reader(64).readVInt()).isInstanceOf(CorruptIndexException.class);
      assertThatThrownBy(() -> in.reader(64).readVLong()).isInstanceOf(CorruptIndexException.class);
    }
  }

  @Test
  void aTreeIsDeletedWithoutFollowingLinks() throws IOException {
    Path outside = Files.writeString(directory.resolve("outside"), "stays");
    Path tree = Files.createDirectories(directory.resolve("tree/branch"));
    Files.createSymbolicLink(tree.resolve("link"), outside);
    Files.createSymbolicLink(tree.resolve("up"), directory);
    Directories.deleteTree(directory.resolve("tree"));
    assertThat(directory.resolve("tree")).doesNotExist();
    assertThat(outside).hasContent("stays");
    Directories.deleteTree(directory.resolve("tree"));
  }

  @Test
  void aMissingFileIsNoCorruptIndex() {
    assertThatThrownBy(() -> InputFile.open(path, FORMAT, 1))
        .isInstanceOf(NoSuchFileException.class);
  }

  private byte[] small() throws IOException {
    write(random(50));
    return Files.readAllBytes(path);
  }

  private void write(byte[] content) throws IOException {
    try (OutputFile out = OutputFile.create(path, FORMAT, 1)) {
      out.writeBytes(content, 0, content.length);
      out.commitUnforced();
    }
  }

  private void openAndVerify() throws IOException {
    try (InputFile in = InputFile.map(path, FORMAT, 1)) {
      in.verify();
    }
  }

  private static byte[] random(int bytes) {
    byte[] content = new byte[bytes];
    new Random(bytes).nextBytes(content);
    return content;
  }
}
