package io.kmodel.indexer.export.lucene.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.export.lucene.ComputedLengths;
import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.Field;
import io.kmodel.indexer.index.model.Schema;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NormLengthsTest {
  private static final Schema SCHEMA =
      Schema.of(
          List.of(
              new Field("contents", Detail.POSITIONS, true, false),
              new Field("id", Detail.DOCUMENTS, false, true),
              new Field("title", Detail.POSITIONS, true, false)));

  /** All to 16,384, and those around the powers of two above. */
  private static final int[] LENGTHS =
      IntStream.concat(
              IntStream.range(0, 1 << 14),
              IntStream.range(14, Integer.SIZE - 1)
                  .flatMap(bits -> IntStream.of((1 << bits) - 1, 1 << bits, (1 << bits) + 1)))
          .toArray();

  @Test
  void whatIsKeptHasTheNormsOfWhatWasAdded() throws Exception {
    int count = LENGTHS.length;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(NormLengths.bytes(count, SCHEMA));
      NormLengths kept = new NormLengths(memory, count, SCHEMA);
      kept.add(0, LENGTHS, 5);
      kept.add(0, Arrays.copyOfRange(LENGTHS, 5, count), count - 5);
      kept.add(2, IntStream.of(LENGTHS).map(length -> length / 2).toArray(), count);
      LengthNorms contents = new LengthNorms(kept, 0);
      LengthNorms title = new LengthNorms(kept, 2);
      LengthNorms expected = new LengthNorms(new ComputedLengths(doc -> LENGTHS[doc]), 0);
      LengthNorms halves = new LengthNorms(new ComputedLengths(doc -> LENGTHS[doc] / 2), 0);
      assertThat(kept.count()).isEqualTo(count);
      for (int doc = 0; doc < count; doc++) {
        assertThat(contents.norm(doc)).isEqualTo(expected.norm(doc));
        assertThat(title.norm(doc)).isEqualTo(halves.norm(doc));
        assertThat(kept.length(0, doc) == 0).isEqualTo(LENGTHS[doc] == 0);
      }
    }
  }

  @Test
  void aByteIsTakenForEachTokenizedField() {
    assertThat(NormLengths.bytes(12_000_000, SCHEMA)).isEqualTo(24_000_000);
    assertThat(NormLengths.bytes(Integer.MAX_VALUE, SCHEMA)).isEqualTo(2L * Integer.MAX_VALUE);
  }
}
