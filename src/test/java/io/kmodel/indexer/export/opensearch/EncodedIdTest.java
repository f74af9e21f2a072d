package io.kmodel.indexer.export.opensearch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ids are encoded as OpenSearch does it, which looks documents up by what it makes of an id. */
class EncodedIdTest {
  @ParameterizedTest
  @CsvSource({
    "123, fe123f",
    "42, fe42",
    "0, fe0f",
    "00, fe00",
    "a.html, ff612e68746d6c",
    "٣, ffd9a3",
    "3BcdEf-_, dc171d11ffbf",
    "Zg, 66",
    "Zh, ff5a68",
    "a, ff61",
    "abcde, ff6162636465",
    "Zg==, ff5a673d3d",
    "_PvA, fcfbc0",
    "_f8, fdfdff",
    "__8, fdffff",
    "__9, ff5f5f39"
  })
  void anIdHasTheShortestFormThatGivesItBack(String id, String bytes) {
    assertThat(HexFormat.of().formatHex(EncodedId.of(id))).isEqualTo(bytes);
  }
}
