package io.kmodel.indexer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TierTest {
  @Test
  void aSpreadHasTheFirstAndTheLastAndNothingTwice() {
    List<Integer> hundred = IntStream.range(0, 100).boxed().toList();
    assertThat(Tier.spread(hundred, 4)).containsExactly(0, 33, 66, 99);
    assertThat(Tier.spread(hundred, 99)).hasSize(99).doesNotHaveDuplicates().contains(0, 99);
    assertThat(Tier.spread(hundred, 100)).isEqualTo(hundred);
    assertThat(Tier.spread(hundred, 1)).containsExactly(0);
    assertThat(Tier.spread(List.of(1, 2), 3)).containsExactly(1, 2);
  }

  @Test
  void oneBitOfEveryByteIsFlippedAndEveryBitOfEveryEighthByte() {
    List<Integer> bits = Tier.rotatingBits(0, 64, 1).boxed().toList();
    assertThat(bits).extracting(bit -> bit / 8).isEqualTo(IntStream.range(0, 64).boxed().toList());
    for (int at = 0; at < 8; at++) {
      int first = at;
      assertThat(IntStream.range(0, 8).mapToObj(word -> bits.get(8 * word + first) % 8))
          .containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5, 6, 7);
    }
    assertThat(Tier.rotatingBits(2, 9, 3).map(bit -> bit / 8)).containsExactly(2, 5, 8);
  }

  @Test
  void theThoroughTierHasEverything() {
    List<Integer> ten = IntStream.range(0, 10).boxed().toList();
    assertThat(Tier.some(ten, 3)).hasSize(Tier.pick(3, 10));
    assertThat(Tier.bits(1, 3)).hasSize(Tier.pick(2, 16));
  }
}
