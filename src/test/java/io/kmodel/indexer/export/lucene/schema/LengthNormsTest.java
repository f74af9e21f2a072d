package io.kmodel.indexer.export.lucene.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.export.lucene.ComputedLengths;
import java.util.function.IntUnaryOperator;
import org.apache.lucene.util.SmallFloat;
import org.junit.jupiter.api.Test;

class LengthNormsTest {
  /** Every document's number is its length. */
  private static final DocumentLengths LENGTHS = new ComputedLengths(IntUnaryOperator.identity());

  @Test
  void normsAreLucenesForLengthsOfAllSizes() throws Exception {
    LengthNorms norms = new LengthNorms(LENGTHS, 0);
    for (int length = 0; length < 1 << 14; length++) {
      assertNorm(norms, length);
    }
    for (int bits = 14; bits < Integer.SIZE - 1; bits++) {
      assertNorm(norms, (1 << bits) - 1);
      assertNorm(norms, 1 << bits);
    }
    assertNorm(norms, Integer.MAX_VALUE - 1);
  }

  private static void assertNorm(LengthNorms norms, int length) throws Exception {
    assertThat(norms.advanceExact(length)).isTrue();
    assertThat(norms.longValue()).isEqualTo(SmallFloat.intToByte4(length));
  }
}
