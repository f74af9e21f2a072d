package io.kmodel.indexer.index.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TermDistributionTest {
  @Test
  void termsAreCountedByPowersOfTwo() {
    TermDistribution distribution = new TermDistribution();
    assertThat(distribution.byDocuments()).isEmpty();
    distribution.add(1, 1);
    distribution.add(2, 3);
    distribution.add(3, 1L << 40);
    distribution.add(Integer.MAX_VALUE, Long.MAX_VALUE);
    assertThat(distribution.byDocuments()).hasSize(31).startsWith(1, 2, 0).endsWith(0, 1);
    assertThat(distribution.byOccurrences()).hasSize(63).startsWith(1, 1, 0).endsWith(0, 1);
    assertThat(distribution.byOccurrences()[40]).isEqualTo(1);
  }
}
