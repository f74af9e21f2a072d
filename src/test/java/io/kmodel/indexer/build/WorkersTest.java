package io.kmodel.indexer.build;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class WorkersTest {
  @Test
  void resultsComeInTheOrderOfTheTasks() throws Exception {
    try (Workers workers = new Workers("test", 3)) {
      List<Callable<Integer>> tasks = List.of(() -> 1, () -> 2, () -> 3, () -> 4);
      assertThat(workers.runAll(tasks)).containsExactly(1, 2, 3, 4);
    }
  }

  @Test
  @Timeout(30)
  void aFailureIsHeardAtOnceAndStopsTheOthers() {
    CountDownLatch never = new CountDownLatch(1);
    AtomicBoolean stopped = new AtomicBoolean();
    Callable<Void> blocked =
        () -> {
          try {
            never.await();
          } catch (InterruptedException e) {
            stopped.set(true);
            throw e;
          }
          return null;
        };
    Callable<Void> failing =
        () -> {
          throw new IOException("disk full");
        };
    assertThatThrownBy(
            () -> {
              try (Workers workers = new Workers("test", 2)) {
                workers.runAll(List.of(blocked, failing));
              }
            })
        .isInstanceOf(IOException.class)
        .hasMessage("disk full");
    assertThat(stopped).isTrue();
  }
}
