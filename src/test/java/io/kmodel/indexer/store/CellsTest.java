package io.kmodel.indexer.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CellsTest {
  private static final String FORMAT = "cells";
  private static final int HEADER = OutputFile.headerBytes(FORMAT);
  private static final int CELL = Cells.BYTES;

  @TempDir Path directory;
  private Path path;

  @BeforeEach
  void nameTheFile() {
    path = directory.resolve("file");
  }

  /** Against a plain computation of the same, see {@link SealedFiles}. */
  @ParameterizedTest
  @ValueSource(
      ints = {0, 1, CELL - 1, CELL, CELL + 1, 2 * CELL, 4 * CELL - 1, 4 * CELL, 70_000, 1_000_000})
  void aFileIsAsItsGrammarSays(int bytes) throws IOException {
    byte[] body = random(Math.max(0, bytes - HEADER));
    write(body);
    Path other = directory.resolve("other");
    SealedFiles.write(other, FORMAT, 1, body);
    assertThat(path).hasSameBinaryContentAs(other);
    assertThat(SealedFiles.body(path, FORMAT)).isEqualTo(body);
    try (InputFile mapped = InputFile.map(path, FORMAT, 1);
        InputFile open = InputFile.open(path, FORMAT, 1)) {
      assertThat(mapped.bodyEnd()).isEqualTo(HEADER + body.length);
      assertThat(mapped.bytes()).isEqualTo(Files.size(path));
      assertThat(read(mapped)).isEqualTo(body);
      assertThat(read(open)).isEqualTo(body);
      mapped.verify();
      assertThat(read(mapped)).isEqualTo(body);
    }
  }

  /** A size that no number of cells gives is refused, as is one that has no room for a header. */
  @Test
  void everySizeIsThatOfABodyOrRefused() {
    int expected = 0;
    for (int bytes = 1; bytes < 5 * CELL; bytes++) {
      long end = Cells.end(bytes);
      if (end >= 0) {
        assertThat(end + 4L * Cells.count(end)).isEqualTo(bytes);
        assertThat(end).isEqualTo(++expected);
      }
    }
    assertThat(expected).isEqualTo(5 * CELL - 1 - 4 * 5);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anAlteredByteIsRefusedWhereItsCellIsReadAndNowhereElse(boolean map) throws IOException {
    byte[] body = random(5 * CELL + 100);
    write(body);
    byte[] whole = Files.readAllBytes(path);
    for (int altered : new int[] {HEADER, CELL - 1, CELL, 3 * CELL + 7, 5 * CELL + HEADER + 99}) {
      byte[] damaged = whole.clone();
      damaged[altered] ^= 4;
      Files.write(path, damaged);
      try (InputFile in = open(map)) {
        for (int at = HEADER; at < HEADER + body.length; at += 50) {
          int last = Math.min(at + 49, HEADER + body.length - 1);
          if (altered / CELL < at / CELL || altered / CELL > last / CELL) {
            byte[] read = new byte[last + 1 - at];
            in.reader(at, last + 1, 64).readBytes(read, 0, read.length);
            assertThat(read).isEqualTo(Arrays.copyOfRange(whole, at, last + 1));
          } else {
            ByteReader reader = in.reader(at, last + 1, 64);
            assertThatThrownBy(reader::readByte)
                .isInstanceOf(CorruptIndexException.class)
                .hasMessageStartingWith(path.toString())
                .hasMessageContaining("bytes %d to ", altered / CELL * CELL)
                .hasMessageContaining("the byte at offset %d flipped", altered);
          }
        }
        assertThatThrownBy(in::verify)
            .isInstanceOf(CorruptIndexException.class)
            .hasMessageContaining("the byte at offset %d flipped", altered);
      }
    }
  }

  @Test
  void everyFlippedBitOfTheChecksumsIsFoundWhereItIs() throws IOException {
    byte[] body = random(3 * CELL);
    write(body);
    byte[] whole = Files.readAllBytes(path);
    int table = HEADER + body.length;
    for (int bit = 8 * table; bit < 8 * (table + 4 * 4); bit++) {
      byte[] damaged = whole.clone();
      damaged[bit / 8] ^= (byte) (1 << (bit % 8));
      Files.write(path, damaged);
      int cell = (bit / 8 - table) / 4;
      String message = "the byte at offset %d flipped".formatted(bit / 8);
      if (cell == 0) {
        assertThatThrownBy(() -> InputFile.map(path, FORMAT, 1)) // the footer repeats it
            .isInstanceOf(CorruptIndexException.class)
            .hasMessageContaining(message);
        continue;
      }
      try (InputFile in = InputFile.map(path, FORMAT, 1)) {
        for (int other = 0; other < 4; other++) {
          int at = Math.max(HEADER, other * CELL);
          if (other == cell) {
            assertThatThrownBy(() -> in.mapped(at, 1))
                .isInstanceOf(CorruptIndexException.class)
                .hasMessageContaining(message);
          } else {
            assertThat(in.mapped(at, 1).get(ValueLayout.JAVA_BYTE, at)).isEqualTo(whole[at]);
          }
        }
        assertThatThrownBy(in::verify)
            .isInstanceOf(CorruptIndexException.class)
            .hasMessageContaining(message);
      }
    }
  }

  /** Up to three, wherever they are in a cell: the distance of CRC-32C at this length is four. */
  @Test
  void severalFlippedBitsAreRefusedWithoutAPlace() throws IOException {
    byte[] body = random(CELL);
    write(body);
    byte[] whole = Files.readAllBytes(path);
    Random random = new Random(5);
    for (int i = 0; i < 500; i++) {
      byte[] damaged = whole.clone();
      for (int flips = 2 + i % 2; flips > 0; flips--) {
        int bit = 8 * HEADER + random.nextInt(8 * (CELL - HEADER));
        damaged[bit / 8] ^= (byte) (1 << (bit % 8));
      }
      if (!Arrays.equals(damaged, whole)) {
        Files.write(path, damaged);
        try (InputFile in = InputFile.open(path, FORMAT, 1)) {
          assertThatThrownBy(() -> in.reader(64).readByte())
              .isInstanceOf(CorruptIndexException.class)
              .hasMessageContaining("checksum of bytes 0 to 16383 is");
        }
      }
    }
  }

  @Test
  void damageThatAffectsNoCellIsFoundByVerify() throws IOException {
    write(random(2 * CELL));
    byte[] whole = Files.readAllBytes(path);
    whole[whole.length - 3] ^= 1;
    Files.write(path, whole);
    try (InputFile in = InputFile.open(path, FORMAT, 1)) {
      assertThat(read(in)).isEqualTo(random(2 * CELL));
      assertThatThrownBy(in::verify)
          .isInstanceOf(CorruptIndexException.class)
          .hasMessageContaining("checksum of bytes 0 to " + (whole.length - 9));
    }
  }

  @Test
  void aFileThatWasLeftAndTakenUpAgainHasTheSameCells() throws IOException {
    byte[] body = random(3 * CELL + 500);
    write(body);
    Path other = directory.resolve("other");
    for (int cut : new int[] {1, CELL - HEADER, CELL, 2 * CELL - HEADER, 3 * CELL}) {
      OutputFile.Checkpoint at;
      try (OutputFile out = OutputFile.create(other, FORMAT, 1)) {
        out.writeBytes(body, 0, cut);
        at = out.checkpoint();
        out.writeBytes(random(30_000), 0, 30_000);
        out.leave();
      }
      try (OutputFile out = OutputFile.reopen(other, FORMAT, at)) {
        out.writeBytes(body, cut, body.length - cut);
        out.commit();
      }
      assertThat(other).hasSameBinaryContentAs(path);
    }
  }

  @Test
  void whatWasVerifiedIsNotCheckedAgain() throws IOException {
    write(random(4 * CELL));
    byte[] whole = Files.readAllBytes(path);
    try (InputFile in = InputFile.open(path, FORMAT, 1)) {
      in.verify();
      whole[2 * CELL] ^= 1;
      Files.write(path, whole);
      assertThat(in.reader(1 << 16).readByte()).isEqualTo(random(4 * CELL)[0]);
      in.reader(2L * CELL, 3L * CELL, 64).readByte();
      assertThatThrownBy(in::verify).isInstanceOf(CorruptIndexException.class);
    }
  }

  @Test
  void aCellThatWasReadIsNotCheckedAgainAndOthersAre() throws IOException {
    write(random(100 * CELL));
    byte[] whole = Files.readAllBytes(path);
    try (InputFile in = InputFile.open(path, FORMAT, 1)) {
      in.reader(70L * CELL, 71L * CELL, 64).readByte();
      for (int cell : new int[] {5, 6, 69, 70, 71}) {
        whole[cell * CELL + 100] ^= 1;
      }
      Files.write(path, whole);
      in.reader(70L * CELL, 71L * CELL, 64).readByte();
      for (long cell : new long[] {5, 6, 69, 71}) {
        assertThatThrownBy(() -> in.reader(cell * CELL, (cell + 1) * CELL, 64).readByte())
            .isInstanceOf(CorruptIndexException.class);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void manyThreadsCheckOneFile(boolean map) throws Exception {
    byte[] body = random(200 * CELL);
    write(body);
    try (InputFile in = open(map);
        ExecutorService threads = Executors.newFixedThreadPool(8)) {
      var tasks = new ArrayList<Callable<byte[]>>();
      for (int i = 0; i < 8; i++) {
        tasks.add(() -> read(in));
      }
      for (var read : threads.invokeAll(tasks)) {
        assertThat(read.get()).isEqualTo(body);
      }
    }
  }

  /** The system reports pages that are not there any more as an error of the machine. */
  @Test
  void aFileThatIsCutWhileItIsMappedIsCorrupt() throws IOException {
    write(random(20 * CELL));
    try (InputFile in = InputFile.map(path, FORMAT, 1)) {
      byte[] half = Arrays.copyOf(Files.readAllBytes(path), 10 * CELL + 5);
      Files.write(path, half);
      assertThatThrownBy(() -> in.reader(15L * CELL, 16L * CELL, 64).readByte())
          .isInstanceOf(CorruptIndexException.class)
          .hasMessageStartingWith("%s: cannot read bytes 245760 to 262143", path);
      assertThatThrownBy(in::verify)
          .isInstanceOf(CorruptIndexException.class)
          .hasMessageStartingWith(path.toString());
    }
  }

  private InputFile open(boolean map) throws IOException {
    return map ? InputFile.map(path, FORMAT, 1) : InputFile.open(path, FORMAT, 1);
  }

  private static byte[] read(InputFile in) throws IOException {
    byte[] body = new byte[(int) (in.bodyEnd() - in.bodyStart())];
    in.reader(5000).readBytes(body, 0, body.length);
    return body;
  }

  private void write(byte[] body) throws IOException {
    try (OutputFile out = OutputFile.create(path, FORMAT, 1)) {
      int at = 0;
      for (int n = 1; at < body.length; at += n, n = Math.min(2 * n + 1, body.length - at)) {
        out.writeBytes(body, at, n);
      }
      out.commitUnforced();
    }
  }

  private static byte[] random(int bytes) {
    byte[] content = new byte[bytes];
    new Random(bytes).nextBytes(content);
    return content;
  }
}
