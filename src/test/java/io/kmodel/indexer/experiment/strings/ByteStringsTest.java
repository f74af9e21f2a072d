package io.kmodel.indexer.experiment.strings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Strings of papers: where they come from, how they are checked, sorted and counted. */
class ByteStringsTest {
  @TempDir Path directory;

  private static ByteStrings of(String... texts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    long[] starts = new long[texts.length + 1];
    for (int i = 0; i < texts.length; i++) {
      all.writeBytes(texts[i].getBytes(StandardCharsets.ISO_8859_1));
      starts[i + 1] = all.size();
    }
    return new ByteStrings(Arrays.copyOf(all.toByteArray(), all.size() + Long.BYTES), starts);
  }

  private static int[] sorted(ByteStrings strings, int threads) {
    CpuStrings sorter = new CpuStrings(threads);
    sorter.load(strings);
    sorter.sort();
    return sorter.order();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void bytesAreUnsignedAndPrefixesComeFirst(int threads) {
    ByteStrings strings =
        of("b", "\u00FF", "a\0", "", "a", "longer than eight", "longer than", "b", "a\0\0b", "");
    assertThat(sorted(strings, threads)).containsExactly(3, 9, 4, 2, 8, 0, 7, 6, 5, 1);
    assertThatCode(() -> strings.requireOrder("it", sorted(strings, threads)))
        .doesNotThrowAnyException();
  }

  @Test
  void wrongOrdersAreFound() {
    ByteStrings strings = of("a", "b", "b", "c");
    for (int[] order :
        new int[][] {{0, 2, 1, 3}, {1, 0, 2, 3}, {0, 1, 1, 3}, {0, 1, 2, 4}, {-1, 1, 2, 3}}) {
      assertThatThrownBy(() -> strings.requireOrder("it", order))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageStartingWith("it left strings out of order at place ");
    }
    assertThatThrownBy(() -> strings.requireOrder("it", new int[] {0, 1, 2}))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("it returned 3 of 4 strings");
  }

  @Test
  void stringsAreDeterministicAndComeFromTheInstallation() throws IOException {
    StringSource madeUp = StringSource.all(directory).getFirst();
    assertThat(madeUp.description()).endsWith(" words made up of syllables");
    ByteStrings strings = madeUp.make(40_000, 1);
    assertThat(strings.bytes()).isEqualTo(madeUp.make(40_000, 1).bytes());
    assertThat(strings.bytes()).isNotEqualTo(madeUp.make(40_000, 2).bytes());
    assertThat(strings.starts()).isSorted().hasSize(40_001);
    StringBuilder text = new StringBuilder();
    IntStream.range(0, 2000)
        .forEach(
            i ->
                text.append("x")
                    .append(i)
                    .append(" is a word of the sentence number ")
                    .append(i)
                    .append('\n'));
    Files.createDirectory(directory.resolve("docs"));
    Files.writeString(directory.resolve("docs").resolve("birds.md"), text);
    assertThat(StringSource.all(directory))
        .extracting(StringSource::description)
        .allMatch(
            description -> description.endsWith(" of this program's documentation and sources"));
    ByteStrings one = StringSource.all(directory).getLast().make(1, 1);
    assertThat(new String(one.bytes(), 0, (int) one.totalBytes(), StandardCharsets.ISO_8859_1))
        .matches("x\\d+ is a word of the sentence number \\d+");
  }

  /** The first two share "same", in the second step all four do. */
  @Test
  void tiesAreCountedByStepAndSet() {
    ByteStrings strings = of("same b", "same a", "same d", "same c", "other", "same");
    StringTies ties = new StringTies(strings, sorted(strings, 1));
    // Lists of 1: two ties. Of 2: a against c, then b against c. Of 4: no key of the second list
    // ties.
    assertThat(ties.tiesOfSteps(4)).containsExactly(2, 2, 0);
    assertThat(ties.tiesOfSteps(8)).containsExactly(0, 0, 0);
    assertThat(ties.setsBySize(4)).startsWith(0, 0, 1, 0);
    assertThat(ties.byLength(5)).containsExactly(0, 0, 0, 0, 1, 5);
    // other, same, same a, same b, same c, same d.
    assertThat(ties.byShared(100)).startsWith(1, 0, 0, 0, 1, 3, 0);
  }
}
