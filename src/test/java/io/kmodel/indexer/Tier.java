package io.kmodel.indexer;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The two tiers of tests. {@code mvn verify} runs the quick tier: every test method, some with
 * fewer parameters. {@code mvn verify -Pthorough} runs every parameter. No other class reads the
 * system property {@code indexer.thorough}.
 */
public final class Tier {
  private static final boolean THOROUGH = Boolean.getBoolean("indexer.thorough");

  private Tier() {}

  public static boolean isThorough() {
    return THOROUGH;
  }

  public static int pick(int quick, int thorough) {
    return THOROUGH ? thorough : quick;
  }

  public static <T> T pick(T quick, T thorough) {
    return THOROUGH ? thorough : quick;
  }

  /** All of them in the thorough tier, else the first, the last and others spread between them. */
  public static <T> List<T> some(List<T> all, int count) {
    return THOROUGH ? all : spread(all, count);
  }

  public static <T> Stream<T> some(Stream<T> all, int count) {
    return some(all.toList(), count).stream();
  }

  static <T> List<T> spread(List<T> all, int count) {
    if (all.size() <= count) {
      return all;
    }
    List<T> chosen = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      chosen.add(all.get((int) ((long) i * (all.size() - 1) / Math.max(1, count - 1))));
    }
    return chosen;
  }

  /**
   * Numbers of bits to flip in bytes {@code from} to {@code to}; see {@link #bits(int, int, int)}.
   */
  public static IntStream bits(int from, int to) {
    return bits(from, to, 1);
  }

  /**
   * Numbers of bits to flip in bytes {@code from} (inclusive) to {@code to} (exclusive): all of
   * them in the thorough tier, else one of every {@code stride}th byte. Bit n is {@code 1 << n % 8}
   * of byte n / 8. CRC-32C finds every single flipped bit by construction, so what is open is
   * whether each byte is covered by a checksum and read.
   */
  public static IntStream bits(int from, int to, int stride) {
    return THOROUGH ? IntStream.range(8 * from, 8 * to) : rotatingBits(from, to, stride);
  }

  /** A word of 8 bytes has another bit flipped in its first byte than the word before it. */
  static IntStream rotatingBits(int from, int to, int stride) {
    return IntStream.iterate(from, at -> at < to, at -> at + stride)
        .map(at -> 8 * at + (at / stride + at / stride / 8) % 8);
  }
}
