package io.kmodel.indexer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.build.BuildProgress;
import org.junit.jupiter.api.Test;

class ProgressViewTest {
  @Test
  void aStageOfUnknownLengthShowsNoShare() {
    assertThat(ProgressView.line(new BuildProgress(), 2))
        .isEqualTo("2 s: scanning, 0 documents, 0 B, 0.0 MB/s, 0 runs");
  }
}
