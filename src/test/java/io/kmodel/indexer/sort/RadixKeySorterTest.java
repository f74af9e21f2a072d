package io.kmodel.indexer.sort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Comparator;
import java.util.SplittableRandom;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

public class RadixKeySorterTest extends KeySorterContract {
  @Override
  public KeySorter sorter() {
    return sorter(RadixKeySorter.DIGIT_BITS);
  }

  public KeySorter sorter(int digitBits) {
    return new RadixKeySorter(digitBits);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 8, 10, 11, 12, 16})
  void everyDigitWidthSorts(int digitBits) {
    long[] keys = Distribution.UNIFORM.keys(5000);
    long[] expected = keys.clone();
    Arrays.sort(expected);
    assertThat(sorted(sorter(digitBits), keys, 0, 62)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "40, 62", "40, 40", "40, 41", "40, 51", "40, 52", "0, 62", "61, 62", "0, 1", "13, 57"
  })
  void keysThatAgreeInTheBitsSortedKeepTheirOrder(int lowBit, int highBit) {
    SplittableRandom random = new SplittableRandom(SEED);
    long high = (1L << highBit) - (1L << lowBit);
    long[] keys = random.longs(70_001).map(k -> k & ((1L << highBit) - 1)).toArray();
    Arrays.setAll(keys, i -> i % 3 == 0 ? keys[i] & ~high : keys[i]);
    long[] expected =
        LongStream.of(keys)
            .boxed()
            .sorted(Comparator.comparingLong(k -> k & high))
            .mapToLong(Long::longValue)
            .toArray();
    assertThat(sorted(sorter(), keys, lowBit, highBit)).isEqualTo(expected);
  }

  @Test
  void digitsInWhichAllKeysAgreeChangeNothing() {
    LongUnaryOperator spread = i -> (i * 7919 % 1009) << 51 | 0x5_5555_5555_5555L;
    long[] keys = LongStream.range(0, 3000).map(spread).toArray();
    long[] expected = keys.clone();
    Arrays.sort(expected);
    assertThat(sorted(sorter(), keys, 0, 62)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 17})
  void digitsOfNoBitsOrTooManyAreRefused(int digitBits) {
    assertThatThrownBy(() -> sorter(digitBits))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("digits must have 1 to 16 bits; got " + digitBits);
  }
}
