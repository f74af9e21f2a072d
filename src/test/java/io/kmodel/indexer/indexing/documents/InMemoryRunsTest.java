package io.kmodel.indexer.indexing.documents;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.Field;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.run.MemoryRun;
import io.kmodel.indexer.run.Outcome;
import io.kmodel.indexer.run.RunBuilder;
import io.kmodel.indexer.sort.RadixKeySorter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which runs are kept; {@link IndexingTest} and others merge them. */
class InMemoryRunsTest {
  private static final Schema SCHEMA =
      Schema.of(List.of(new Field("contents", Detail.POSITIONS, true, false)));
  private static final int TOKENS = 10_000;

  /** Four bytes a token, and a little. */
  private static final long RUN_BYTES = 41_000;

  private final RunBuilder run = run();

  @AfterEach
  void close() {
    run.close();
  }

  @Test
  void asManyAsHaveRoomInAQuarterWhereNothingIsKnown() {
    try (InMemoryRuns kept = new InMemoryRuns(8 * RUN_BYTES)) {
      for (int i = 0; i < 2; i++) {
        MemoryRun copy = kept.keep(run, 0);
        assertThat(copy).isNotNull();
        assertThat(copy.usedBytes()).isBetween(4L * TOKENS, RUN_BYTES);
      }
      assertThat(kept.keep(run, 0)).isNull();
      assertThat(kept.keep(run, 0.5)).isNotNull();
    }
  }

  @Test
  void noMoreThanHaveRoomAfterAll() {
    try (InMemoryRuns kept = new InMemoryRuns(3 * RUN_BYTES)) {
      // More was read than is in these runs.
      for (int i = 0; i < 3; i++) {
        assertThat(kept.keep(run, 1)).isNotNull();
      }
      assertThat(kept.keep(run, 1)).isNull();
    }
  }

  @Test
  void noneWhereNotAllWillHaveRoom() {
    try (InMemoryRuns kept = new InMemoryRuns(3 * RUN_BYTES)) {
      // A fifth of the documents was read: there will be five.
      assertThat(kept.keep(run, 0.2)).isNull();
      assertThat(kept.keep(run, 0.4)).isNull();
      assertThat(kept.keep(run, 0.6)).isNull();
      assertThat(kept.keep(run, 1)).isNull();
    }
  }

  @Test
  void allWhereAllWillHaveRoom() {
    try (InMemoryRuns kept = new InMemoryRuns(3 * RUN_BYTES)) {
      assertThat(kept.keep(run, 0.34)).isNotNull();
      assertThat(kept.keep(run, 0.67)).isNotNull();
      assertThat(kept.keep(run, 1)).isNotNull();
    }
  }

  /** Until a run is there, its terms are thought to take what they took while it was made. */
  @Test
  void whatARunWasGivenTooMuchIsNotTakenForWhatOthersWillTake() {
    try (RunBuilder terms = new RunBuilder(SCHEMA, 1 << 20)) {
      terms.startDocument();
      for (int i = 0; i < 2000; i++) {
        byte[] term = Integer.toString(i).getBytes(US_ASCII);
        terms.add(0, term, 0, term.length, i);
      }
      assertThat(terms.finishDocument()).isEqualTo(Outcome.ADDED);
      terms.sort(new RadixKeySorter());
      AtomicLong asked = new AtomicLong();
      long spare;
      try (MemoryRun run =
          terms.copy(
              bytes -> {
                asked.set(bytes);
                return true;
              })) {
        assertThat(run).isNotNull();
        spare = run.spareBytes();
        assertThat(spare).isGreaterThan(10_000);
      }
      try (InMemoryRuns kept = new InMemoryRuns(2 * asked.get() - spare)) {
        assertThat(kept.keep(terms, 1)).isNotNull();
        assertThat(kept.keep(terms, 1)).isNotNull();
        assertThat(kept.keep(terms, 1)).isNull();
      }
    }
  }

  @Test
  void oneThatTakesAllThereIs() {
    AtomicLong asked = new AtomicLong();
    assertThat(
            run.copy(
                bytes -> {
                  asked.set(bytes);
                  return false;
                }))
        .isNull();
    try (InMemoryRuns kept = new InMemoryRuns(asked.get());
        InMemoryRuns less = new InMemoryRuns(asked.get() - 1)) {
      assertThat(kept.keep(run, 1)).isNotNull();
      assertThat(less.keep(run, 1)).isNull();
    }
  }

  @Test
  void allAreFreedAtTheEnd() {
    List<MemoryRun> copies = new ArrayList<>();
    try (InMemoryRuns kept = new InMemoryRuns(3 * RUN_BYTES)) {
      for (int i = 0; i < 2; i++) {
        copies.add(kept.keep(run, 1));
      }
    }
    assertThat(copies)
        .allSatisfy(
            copy ->
                assertThatThrownBy(copy::close)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("Already closed"));
  }

  @Test
  void noneWithoutRoom() {
    try (InMemoryRuns kept = new InMemoryRuns(0)) {
      assertThat(kept.keep(run, 0)).isNull();
      assertThat(kept.keep(run, 1)).isNull();
    }
  }

  private static RunBuilder run() {
    RunBuilder run = new RunBuilder(SCHEMA, 1 << 20);
    run.startDocument();
    byte[] term = "a".getBytes(US_ASCII);
    for (int position = 0; position < TOKENS; position++) {
      run.add(0, term, 0, 1, position);
    }
    assertThat(run.finishDocument()).isEqualTo(Outcome.ADDED);
    run.sort(new RadixKeySorter());
    return run;
  }
}
