package io.kmodel.indexer.indexing.order;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** One split of a partition. */
class SplitterTest {
  /** Documents by their terms. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Lists(int terms, int[]... documents) implements Forward {
    @Override
    public Reader reader() {
      return new Reader() {
        @Override
        void load(int doc) {
          terms = documents[doc];
          from = 0;
          to = terms.length;
        }
      };
    }
  }

  @Test
  void documentsOfTwoKindsAreSeparated() throws Exception {
    int[][] documents = new int[200][];
    Random random = new Random(7);
    int[] kinds = IntStream.range(0, 200).map(i -> i % 2).toArray();
    for (int doc = 0; doc < documents.length; doc++) {
      int kind = kinds[doc];
      documents[doc] =
          random.ints(8, 0, 20).map(term -> 20 * kind + term).distinct().sorted().toArray();
    }
    int[] docs = IntStream.range(0, 200).toArray();
    new Splitter(new Lists(40, documents), docs, Team.ALONE).split(0, 200);
    assertThat(IntStream.range(0, 100).map(i -> kinds[docs[i]]).distinct().count()).isOne();
    assertThat(Arrays.copyOfRange(docs, 0, 100)).isSorted();
    assertThat(Arrays.copyOfRange(docs, 100, 200)).isSorted();
  }

  @Test
  void documentsThatAreAllAlikeStay() throws Exception {
    int[][] documents = new int[64][];
    Arrays.fill(documents, new int[] {0, 2});
    int[] docs = IntStream.range(0, 64).toArray();
    new Splitter(new Lists(3, documents), docs, Team.ALONE).split(0, 64);
    assertThat(docs).isSorted();
  }

  @Test
  void keysOrderByFallingGainThenByDocument() {
    float[] gains = {1e30f, 3.5f, 1, Float.MIN_VALUE, 0, -Float.MIN_VALUE, -2, -1e30f};
    long last = Long.MIN_VALUE;
    for (float gain : gains) {
      for (int doc : new int[] {0, 1, Integer.MAX_VALUE - 1}) {
        long key = Splitter.key(gain, doc);
        assertThat(key).isGreaterThan(last);
        assertThat((int) key).isEqualTo(doc);
        assertThat(Splitter.gain(key)).isEqualTo(gain == 0 ? -0.0f : gain);
        last = key;
      }
    }
    assertThat(Splitter.key(-0.0f, 1)).isEqualTo(Splitter.key(0.0f, 1));
  }

  /** The change of the costs that {@link Gains} estimates, computed from the costs themselves. */
  @Test
  void aGainIsTheDifferenceOfTheCosts() {
    int[] left = {3, 0, 7, 5, 70_000};
    int[] right = {1, 4, 0, 5, 66_000};
    Gains gains = new Gains(left.length);
    gains.compute(left, right, 100_000, 90_000);
    for (int term = 0; term < left.length; term++) {
      double before = cost(left[term], 100_000) + cost(right[term], 90_000);
      if (left[term] > 0) {
        double after = cost(left[term] - 1, 100_000) + cost(right[term] + 1, 90_000);
        assertThat(gains.toRight[term]).isCloseTo((float) (before - after), offset());
      }
      if (right[term] > 0) {
        double after = cost(left[term] + 1, 100_000) + cost(right[term] - 1, 90_000);
        assertThat(gains.toLeft[term]).isCloseTo((float) (before - after), offset());
      }
    }
  }

  private static Offset<Float> offset() {
    return Offset.offset(1e-3f);
  }

  private static double cost(int docFreq, int docs) {
    return docFreq * Math.log((double) docs / (docFreq + 1)) / Math.log(2);
  }
}
