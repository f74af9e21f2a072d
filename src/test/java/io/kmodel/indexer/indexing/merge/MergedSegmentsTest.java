package io.kmodel.indexer.indexing.merge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class MergedSegmentsTest {
  @Test
  void asManySegmentsAreWrittenAtATimeAsHaveRoomForLengths() throws IOException {
    List<Long> bytes = List.of(10L, 40L, 20L, 30L);
    assertThat(MergedSegments.withRoom(bytes, 100)).isEqualTo(4);
    assertThat(MergedSegments.withRoom(bytes, 99)).isEqualTo(3);
    assertThat(MergedSegments.withRoom(bytes, 89)).isEqualTo(2);
    assertThat(MergedSegments.withRoom(bytes, 40)).isEqualTo(1);
    assertThatThrownBy(() -> MergedSegments.withRoom(bytes, 39))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the largest segment take 40 bytes")
        .hasMessageContaining("there are 39; raise --memory or --segments");
    assertThat(MergedSegments.withRoom(List.of(), 0)).isZero();
  }
}
