package io.kmodel.indexer.inversion;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.inversion.InversionLane.DamagedException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The stems of words as a device returns them, and of damaged ones. */
class StemsTest {
  /** Behind the field, in order. The stems of long ones are long, too. */
  private static final List<String> ENGLISH =
      List.of(
          "connect",
          "connected",
          "connection",
          "dog's",
          "internationalization",
          "internationalizations",
          "of",
          "relational",
          "the",
          "uncharacteristically",
          "x");

  /** Of a field that has words. */
  private static final List<String> STANDARD = List.of("connected", "internationalizations", "the");

  private static final int TOKENS = 30;

  private final List<String> words = new ArrayList<>();

  StemsTest() {
    ENGLISH.forEach(word -> words.add("\0" + word));
    STANDARD.forEach(word -> words.add("\1" + word));
  }

  private int longBytes() {
    return words.stream().filter(word -> word.length() > 16).mapToInt(String::length).sum();
  }

  /** The memory of a device's answer, filled. */
  private Stems stems(TextBlock block) throws Exception {
    DeviceResult.Sizes sizes =
        new DeviceResult.Sizes(TOKENS, words.size(), longBytes(), DeviceResult.Sizes.OF_LENGTHS);
    Stems stems = new Stems(block, Blocks.english(2), sizes);
    stems.lengths().setAtIndex(ValueLayout.JAVA_INT, 0, TOKENS - 10);
    stems.lengths().setAtIndex(ValueLayout.JAVA_INT, 1, 10);
    int longStart = 0;
    for (int i = 0; i < words.size(); i++) {
      byte[] bytes = words.get(i).getBytes(StandardCharsets.US_ASCII);
      MemorySegment record = stems.words().asSlice(32L * i, 32);
      for (int half = 0; half < 2; half++) {
        long eight = 0;
        for (int at = 8 * half; at < 8 * half + 8; at++) {
          eight = eight << 8 | (at < bytes.length ? bytes[at] : 0);
        }
        record.set(ValueLayout.JAVA_LONG, 8L * half, eight);
      }
      record.set(ValueLayout.JAVA_INT, 24, longStart);
      record.set(ValueLayout.JAVA_INT, 28, bytes.length);
      if (bytes.length > 16) {
        MemorySegment.copy(
            bytes, 0, stems.longWords(), ValueLayout.JAVA_BYTE, longStart, bytes.length);
        longStart += bytes.length;
      }
    }
    return stems;
  }

  private static TextBlock block() {
    TextBlock block = new TextBlock(2, 1 << 15, ListForm.LUCENE);
    Blocks.fill(block, Collections.singletonList(List.of("a", "b")));
    return block;
  }

  private static String stem(Stems stems, int rank) {
    MemorySegment record = stems.stems().asSlice(32L * rank, 32);
    int length = record.get(ValueLayout.JAVA_INT, 28);
    byte[] bytes = new byte[length];
    for (int at = 0; at < length; at++) {
      bytes[at] =
          length > 16
              ? stems
                  .longStems()
                  .get(ValueLayout.JAVA_BYTE, record.get(ValueLayout.JAVA_INT, 24) + (long) at)
              : (byte) (record.get(ValueLayout.JAVA_LONG, at & 8) >>> (56 - 8 * (at & 7)));
    }
    return new String(bytes, StandardCharsets.US_ASCII);
  }

  @Test
  void eachWordHasTheRankOfItsStem() throws Exception {
    try (TextBlock block = block()) {
      Stems stems = stems(block);
      stems.make(TOKENS);
      List<String> found = new ArrayList<>();
      for (int rank = 0; rank < stems.count(); rank++) {
        found.add(stem(stems, rank));
      }
      assertThat(found)
          .containsExactly(
              "\0connect",
              "\0dog",
              "\0internation",
              "\0relat",
              "\0uncharacterist",
              "\0x",
              "\1connected",
              "\1internationalizations",
              "\1the");
      int stop = stems.count();
      assertThat(stems.ranks().toArray(ValueLayout.JAVA_INT))
          .containsExactly(0, 0, 0, 1, 2, 2, stop, 3, stop, 4, 5, 6, 7, 8);
    }
  }

  /** Whatever bit is wrong, the words are refused or give some stems within the memory. */
  @Test
  void everyDamageIsRefusedOrHarmless() throws Exception {
    try (TextBlock block = block()) {
      int refused = 0;
      for (int part = 0; part < 3; part++) {
        long bytes = memory(stems(block), part).byteSize();
        for (long bit = 0; bit < 8 * bytes; bit++) {
          Stems stems = stems(block);
          MemorySegment memory = memory(stems, part);
          byte before = memory.get(ValueLayout.JAVA_BYTE, bit / 8);
          memory.set(ValueLayout.JAVA_BYTE, bit / 8, (byte) (before ^ 1 << bit % 8));
          try {
            stems.make(TOKENS);
            assertThat(stems.longStems().byteSize()).isLessThanOrEqualTo(longBytes());
            assertThat(stems.count()).isLessThanOrEqualTo(words.size());
          } catch (DamagedException e) {
            refused++;
          }
        }
      }
      assertThat(refused).isGreaterThan(1000);
    }
  }

  private static MemorySegment memory(Stems stems, int part) {
    return switch (part) {
      case 0 -> stems.lengths();
      case 1 -> stems.words();
      default -> stems.longWords();
    };
  }
}
