package io.kmodel.indexer.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever becomes of one of the tasks, none is at work when the call has ended. */
class FileTasksTest {
  private final AtomicBoolean otherEnded = new AtomicBoolean();

  static Stream<Throwable> failures() {
    return Stream.of(
        new IOException("disk full"),
        new IllegalArgumentException("out of order"),
        new OutOfMemoryError("of heap"));
  }

  @ParameterizedTest
  @MethodSource("failures")
  void aFailureIsThrownAsItselfWhenTheOthersHaveEnded(Throwable failure) {
    CountDownLatch failed = new CountDownLatch(1);
    try (ExecutorService executor = Executors.newFixedThreadPool(2)) {
      assertThatThrownBy(
              () ->
                  FileTasks.run(
                      executor,
                      () -> {
                        failed.countDown();
                        fail(failure);
                      },
                      () -> endLate(failed)))
          .isSameAs(failure);
      assertThat(otherEnded).isTrue();
    }
  }

  @Test
  void anInterruptionIsKeptUntilAllHaveEnded() throws Exception {
    try (ExecutorService executor = Executors.newFixedThreadPool(2)) {
      CountDownLatch begun = new CountDownLatch(1);
      Thread.currentThread().interrupt();
      FileTasks.run(executor, begun::countDown, () -> endLate(begun));
      assertThat(Thread.interrupted()).isTrue();
      assertThat(otherEnded).isTrue();
    }
  }

  @Test
  void whatIsNotTakenFailsWhenTheOthersHaveEnded() {
    CountDownLatch refused = new CountDownLatch(1);
    try (ExecutorService executor = Executors.newFixedThreadPool(1)) {
      AtomicBoolean first = new AtomicBoolean(true);
      assertThatThrownBy(
              () ->
                  FileTasks.run(
                      task -> {
                        if (!first.getAndSet(false)) {
                          refused.countDown();
                          throw new RejectedExecutionException("no more threads");
                        }
                        executor.execute(task);
                      },
                      () -> endLate(refused),
                      () -> {}))
          .isInstanceOf(RejectedExecutionException.class);
      assertThat(otherEnded).isTrue();
    }
  }

  private void endLate(CountDownLatch after) {
    Callable<Void> late =
        () -> {
          after.await();
          Thread.sleep(50);
          return null;
        };
    try {
      late.call();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
    otherEnded.set(true);
  }

  private static void fail(Throwable failure) throws IOException {
    switch (failure) {
      case IOException io -> throw io;
      case RuntimeException runtime -> throw runtime;
      default -> throw (Error) failure;
    }
  }
}
