package io.kmodel.indexer.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a journal still has after its end was lost, or a byte was altered. */
class JournalTest {
  private static final List<String> LINES = List.of("a", "", "second: ü", "the third line");

  @TempDir Path directory;

  @Test
  void theExampleOfTheGrammarIsTheFile() throws IOException {
    Path file = journal(List.of("a"));
    assertThat(Files.readString(file)).isEqualTo("c1d04330 a\n");
    assertThat(Journal.read(file)).containsExactly("a");
  }

  /** A channel whose thread is stopped is closed, and has no size to report. */
  @Test
  void aThreadThatIsStoppedIsNoFailureOfTheFile() throws IOException {
    Path file = journal(LINES);
    try (Journal journal = Journal.open(file)) {
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> journal.append("more"))
          .isExactlyInstanceOf(ClosedByInterruptException.class);
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
    assertThat(Journal.read(file)).isEqualTo(LINES);
  }

  @Test
  void whereverItIsCutTheLinesBeforeAreThereAndItGoesOn() throws IOException {
    byte[] whole = Files.readAllBytes(journal(LINES));
    for (int length = 0; length <= whole.length; length++) {
      Path file = Files.write(directory.resolve("cut"), Arrays.copyOf(whole, length));
      List<String> left = LINES.subList(0, wholeLines(whole, length));
      assertThat(Journal.read(file)).as("%d bytes", length).isEqualTo(left);
      try (Journal journal = Journal.open(file)) {
        journal.append("more");
        journal.force();
      }
      List<String> expected = new ArrayList<>(left);
      expected.add("more");
      assertThat(Journal.read(file)).as("%d bytes", length).isEqualTo(expected);
    }
  }

  @Test
  void anAlteredBitEndsItBeforeItsLine() throws IOException {
    byte[] whole = Files.readAllBytes(journal(LINES));
    for (int bit = 0; bit < 8 * whole.length; bit++) {
      byte[] altered = whole.clone();
      altered[bit / 8] ^= (byte) (1 << bit % 8);
      Path file = Files.write(directory.resolve("altered"), altered);
      assertThat(Journal.read(file))
          .as("bit %d", bit)
          .isEqualTo(LINES.subList(0, wholeLines(whole, bit / 8)));
      try (Journal journal = Journal.open(file)) {
        journal.append("more");
      }
      List<String> expected = new ArrayList<>(LINES.subList(0, wholeLines(whole, bit / 8)));
      expected.add("more");
      assertThat(Journal.read(file)).as("bit %d", bit).isEqualTo(expected);
    }
  }

  /** Not even where the line that is written in the damaged one's stead is as long. */
  @Test
  void whatFollowedADamagedLineDoesNotComeBack() throws IOException {
    Path file = journal(LINES);
    byte[] altered = Files.readAllBytes(file);
    int damaged = LINES.indexOf("second: ü");
    altered[new String(altered, StandardCharsets.UTF_8).indexOf("second")] ^= 1;
    Files.write(file, altered);
    try (Journal journal = Journal.open(file)) {
      journal.append("another: 3");
    }
    List<String> expected = new ArrayList<>(LINES.subList(0, damaged));
    expected.add("another: 3");
    assertThat(Journal.read(file)).isEqualTo(expected);
  }

  @Test
  void aLineHoldsNoLineFeed() throws IOException {
    try (Journal journal = Journal.open(directory.resolve("journal"))) {
      for (String text : List.of("a\nb", "\na", "a\n")) {
        assertThatThrownBy(() -> journal.append(text)).isInstanceOf(IllegalArgumentException.class);
      }
    }
  }

  @Test
  void aSealedFileIsKnownByItsBytes() throws IOException {
    Path file = Files.writeString(directory.resolve("plain"), "some text");
    FileSeal seal = FileSeal.force(file, false);
    assertThat(seal.isIn(directory)).isTrue();
    for (int i = 0; i < 9; i++) {
      byte[] bytes = "some text".getBytes(StandardCharsets.UTF_8);
      bytes[i] ^= 1;
      Files.write(file, bytes);
      assertThat(seal.isIn(directory)).as("byte %d", i).isFalse();
    }
    Files.writeString(file, "some tex");
    assertThatThrownBy(() -> seal.verify(directory))
        .isInstanceOf(CorruptIndexException.class)
        .hasMessageContaining("has 8 bytes, expected 9");
    Files.delete(file);
    assertThatThrownBy(() -> seal.verify(directory))
        .isInstanceOf(CorruptIndexException.class)
        .hasMessageContaining("file missing");
  }

  @Test
  void aSealOfACheckedFileIsItsOwnChecksum() throws IOException {
    Path file = directory.resolve("checked");
    try (OutputFile out = OutputFile.create(file, "test", 1)) {
      out.writeLong(42);
      out.commitUnforced();
    }
    FileSeal seal = FileSeal.force(file, true);
    assertThat(seal.isIn(directory)).isTrue();
    byte[] whole = Files.readAllBytes(file);
    for (int bit = 0; bit < 8 * whole.length; bit++) {
      byte[] altered = whole.clone();
      altered[bit / 8] ^= (byte) (1 << bit % 8);
      Files.write(file, altered);
      assertThat(seal.isIn(directory)).as("bit %d", bit).isFalse();
    }
  }

  @Test
  void aSealOfALongFileIsOfAllItsBytes() throws IOException {
    Path file = directory.resolve("checked");
    try (OutputFile out = OutputFile.create(file, "test", 1)) {
      write(out, 0, 50_000);
      out.commitUnforced();
    }
    byte[] whole = Files.readAllBytes(file);
    for (boolean checked : new boolean[] {true, false}) {
      FileSeal seal = FileSeal.force(file, checked);
      assertThat(seal.bytes()).isEqualTo(whole.length);
      assertThat(seal.isIn(directory)).isTrue();
      for (int at : new int[] {0, 65_535, 65_536, 131_072, whole.length - 9, whole.length - 1}) {
        whole[at] ^= 1;
        Files.write(file, whole);
        assertThat(seal.isIn(directory)).as("byte %d", at).isFalse();
        whole[at] ^= 1;
      }
      Files.write(file, whole);
    }
  }

  @Test
  void aFileThatWasLeftGoesOnFromItsCheckpointToTheSameBytes() throws IOException {
    Path undisturbed = directory.resolve("undisturbed");
    try (OutputFile out = OutputFile.create(undisturbed, "test", 1)) {
      write(out, 0, 40_000);
      out.commit();
    }
    Path file = directory.resolve("file");
    OutputFile.Checkpoint at;
    try (OutputFile out = OutputFile.create(file, "test", 1)) {
      write(out, 0, 30_000);
      at = out.checkpoint();
      write(out, 7, 20_000);
      out.leave();
    }
    try (OutputFile out = OutputFile.reopen(file, "test", at)) {
      assertThat(out.position()).isEqualTo(at.bytes());
      write(out, 30_000, 40_000);
      out.commit();
    }
    assertThat(file).hasSameBinaryContentAs(undisturbed);
  }

  @Test
  void aFileThatIsNotWhatItWasAtItsCheckpointIsCorrupt() throws IOException {
    Path file = directory.resolve("file");
    OutputFile.Checkpoint at;
    try (OutputFile out = OutputFile.create(file, "test", 1)) {
      write(out, 0, 30_000);
      at = out.checkpoint();
      out.leave();
    }
    Path temporary = directory.resolve("file.tmp");
    byte[] whole = Files.readAllBytes(temporary);
    Files.write(temporary, Arrays.copyOf(whole, whole.length - 1));
    assertThatThrownBy(() -> OutputFile.reopen(file, "test", at))
        .isInstanceOf(CorruptIndexException.class)
        .hasMessageContaining("expected %d bytes".formatted(whole.length));
    whole[20_000] ^= 1;
    Files.write(temporary, whole);
    assertThatThrownBy(() -> OutputFile.reopen(file, "test", at))
        .isInstanceOf(CorruptIndexException.class)
        .hasMessageContaining("checksum");
    assertThat(temporary).exists();
  }

  private static void write(OutputFile out, int from, int to) throws IOException {
    for (int i = from; i < to; i++) {
      out.writeInt(i);
    }
  }

  private Path journal(List<String> lines) throws IOException {
    Path file = directory.resolve("journal");
    try (Journal journal = Journal.open(file)) {
      for (String line : lines) {
        journal.append(line);
      }
      journal.force();
    }
    return file;
  }

  private static int wholeLines(byte[] bytes, int length) {
    int lines = 0;
    for (int i = 0; i < length; i++) {
      lines += bytes[i] == '\n' ? 1 : 0;
    }
    return lines;
  }
}
