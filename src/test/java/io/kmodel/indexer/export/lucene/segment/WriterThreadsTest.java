package io.kmodel.indexer.export.lucene.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.kmodel.indexer.export.lucene.segment.WriterThreads.Task;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What becomes of the tasks of several threads where some fail. */
@Timeout(60)
class WriterThreadsTest {
  private final CyclicBarrier begun = new CyclicBarrier(2);

  @Test
  void aFailureHasTheOthersOfTasksUnderWayInIt() {
    List<Task> tasks = List.of(() -> fail("one"), () -> fail("other"));
    Throwable failure = catchThrowable(() -> WriterThreads.run(2, tasks));
    assertThat(failure).isInstanceOf(IOException.class);
    assertThat(failure.getSuppressed()).hasSize(1);
    assertThat(List.of(failure, failure.getSuppressed()[0]))
        .extracting(Throwable::getMessage)
        .containsExactlyInAnyOrder("one", "other");
  }

  @Test
  void tasksThatHaveNotBegunAreLeftOut() {
    CompletableFuture<Thread> failing = new CompletableFuture<>();
    AtomicBoolean ran = new AtomicBoolean();
    List<Task> tasks =
        List.of(
            () -> {
              awaitOther();
              failing.complete(Thread.currentThread());
              throw new IOException("no room");
            },
            () -> {
              awaitOther();
              awaitIdle(failing.join());
            },
            () -> ran.set(true));
    assertThatThrownBy(() -> WriterThreads.run(2, tasks)).hasMessage("no room");
    assertThat(ran).isFalse();
  }

  private void fail(String message) throws IOException {
    awaitOther();
    throw new IOException(message);
  }

  private void awaitOther() throws IOException {
    try {
      begun.await();
    } catch (InterruptedException | BrokenBarrierException e) {
      throw new IOException(e);
    }
  }

  /** Until a thread has nothing to do, or has ended. */
  private static void awaitIdle(Thread thread) {
    while (thread.isAlive() && thread.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
  }
}
