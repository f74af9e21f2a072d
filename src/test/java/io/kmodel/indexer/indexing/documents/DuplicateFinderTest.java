package io.kmodel.indexer.indexing.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DuplicateFinderTest {
  @TempDir Path directory;

  @Test
  void allButTheFirstOfAnIdAreFoundHoweverSmallTheTable() throws IOException {
    Random random = new Random(5);
    Set<String> seen = new HashSet<>();
    List<@Nullable Path> files = new ArrayList<>();
    List<@Nullable BitSet> expected = new ArrayList<>();
    for (int split = 0; split < 7; split++) {
      if (split == 3) {
        files.add(null);
        expected.add(null);
        continue;
      }
      Path file = directory.resolve("split-" + split);
      BitSet duplicates = new BitSet();
      try (IdHashes hashes = new IdHashes(file)) {
        for (int i = 0; i < 1000; i++) {
          String id = "document-" + random.nextInt(20_000);
          if (random.nextInt(10) == 0) {
            hashes.add(null);
          } else {
            hashes.add(id);
            duplicates.set(i, !seen.add(id));
          }
        }
      }
      files.add(file);
      expected.add(duplicates.isEmpty() ? null : duplicates);
    }
    assertThat(expected).filteredOn(d -> d != null).isNotEmpty();
    for (long bytes : new long[] {1 << 20, 16 << 10, 4 << 10}) {
      assertThat(new DuplicateFinder(bytes).find(files)).as("%d bytes", bytes).isEqualTo(expected);
    }
  }

  @Test
  void aFileTellsWhoseHashItHas() throws IOException {
    Path file = directory.resolve("hashes");
    try (IdHashes hashes = new IdHashes(file)) {
      hashes.add("one");
      hashes.add(null);
      hashes.add("two");
    }
    assertThat(IdHashes.has(file, 0, "one")).isTrue();
    assertThat(IdHashes.has(file, 2, "two")).isTrue();
    assertThat(IdHashes.has(file, 0, "two")).isFalse();
    assertThat(IdHashes.has(file, 1, "one")).isFalse();
    assertThat(IdHashes.has(file, 3, "two")).isFalse();
  }
}
