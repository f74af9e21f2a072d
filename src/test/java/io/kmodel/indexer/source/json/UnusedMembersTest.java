package io.kmodel.indexer.source.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class UnusedMembersTest {
  private final UnusedMembers unused = new UnusedMembers(List.of("year", "year", "place"));

  private void object(String... names) {
    unused.start();
    for (String name : names) {
      unused.see(name);
    }
  }

  @Test
  void membersOfObjectsThatBecameRecordsAreCountedByName() {
    object("a", "year", "b");
    unused.count();
    object("b", "a", "place");
    unused.count();
    object("a", "c");
    object("ä", "a", "a");
    unused.count();
    assertThat(unused.take()).isEqualTo(Map.of("a", 4L, "b", 2L, "ä", 1L));
    assertThat(unused.take()).isEmpty();
    object("c");
    unused.count();
    assertThat(unused.take()).isEqualTo(Map.of("c", 1L));
  }

  @Test
  void namesAreHeldWithinLimits() {
    String[] names = LongStream.range(0, 150).mapToObj(i -> "name" + i).toArray(String[]::new);
    for (int i = 0; i < 3; i++) {
      object(names);
      unused.see("x".repeat(101));
      unused.count();
    }
    assertThat(unused.take())
        .hasSize(101)
        .containsEntry("name0", 3L)
        .containsEntry("name99", 3L)
        .containsEntry("(other names)", 3L * 51);
  }
}
