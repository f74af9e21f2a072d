package io.kmodel.indexer.indexing.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.indexing.documents.SplitReading.Task;
import io.kmodel.indexer.source.DocumentReader;
import io.kmodel.indexer.source.HeapGuard;
import io.kmodel.indexer.source.SkipListener;
import io.kmodel.indexer.source.Split;
import io.kmodel.indexer.source.crawl.Crawl;
import io.kmodel.indexer.task.Workers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class TaskQueueTest {
  @TempDir Path root;

  private final List<Task> tasks = new ArrayList<>();

  @BeforeEach
  void makeTasks() throws IOException {
    for (int i = 0; i < 640; i++) {
      Files.writeString(root.resolve("%03d".formatted(i)), "text");
    }
    for (Split split : Crawl.open(List.of(root), 1000, SkipListener.NONE).splits(1)) {
      tasks.add(new Task(split, 0));
    }
    assertThat(tasks).hasSize(10);
  }

  @Test
  void whatIsKnownComesFirstAndMoreIsAskedForUntilTheEnd() throws Exception {
    List<String> calls = new ArrayList<>();
    Iterator<List<Task>> more =
        List.of(tasks.subList(3, 5), List.<Task>of(), tasks.subList(5, 10)).iterator();
    TaskQueue queue =
        new TaskQueue(
            tasks.subList(0, 3),
            () -> {
              calls.add("more");
              return more.hasNext() ? more.next() : null;
            });
    for (int i = 0; i < 10; i++) {
      assertThat(queue.isEmpty()).isFalse();
      assertThat(queue.poll()).isSameAs(tasks.get(i));
      assertThat(calls).hasSize(i < 3 ? 0 : i < 5 ? 1 : 3);
    }
    assertThat(queue.poll()).isNull();
    assertThat(queue.isEmpty()).isTrue();
    assertThat(calls).hasSize(4);
  }

  @Test
  void nothingKnownIsNotEmptyIfMoreComes() throws Exception {
    assertThat(new TaskQueue(List.of(), () -> tasks).isEmpty()).isFalse();
    assertThat(new TaskQueue(List.of(), () -> null).isEmpty()).isTrue();
    assertThat(new TaskQueue(List.of()).isEmpty()).isTrue();
  }

  @Test
  void splitsAreClaimedAsTheyAreHandedOutAndReleasedInTheEnd() throws Exception {
    List<String> calls = new ArrayList<>();
    List<Task> noted = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      noted.add(new Task(new NotedSplit(i, calls), 0));
    }
    try (TaskQueue queue = new TaskQueue(noted)) {
      assertThat(queue.isEmpty()).isFalse();
      assertThat(calls).isEmpty();
      queue.poll();
      queue.poll();
      assertThat(calls).containsExactly("claim 0", "claim 1");
    }
    assertThat(calls).containsExactly("claim 0", "claim 1", "release 0", "release 1");
  }

  private record NotedSplit(int ordinal, List<String> calls) implements Split {
    @Override
    public String borders() {
      return "";
    }

    @Override
    public long bytes() {
      return 1;
    }

    @Override
    public int piecesAfter() {
      return 0;
    }

    @Override
    public Split withRest() {
      return this;
    }

    @Override
    public Split alone() {
      return this;
    }

    @Override
    public void claim() {
      calls.add("claim " + ordinal);
    }

    @Override
    public void release() {
      calls.add("release " + ordinal);
    }

    @Override
    public DocumentReader open(SkipListener skips, HeapGuard heap) {
      throw new UnsupportedOperationException("nobody reads it");
    }
  }

  @Test
  void aFailureIsToldToOneThreadAndTheOthersEnd() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    TaskQueue queue =
        new TaskQueue(
            List.of(),
            () -> {
              asked.countDown();
              go.await();
              throw new IOException("for the test");
            });
    try (Workers workers = new Workers("queue-test", 2)) {
      Future<Task> one = workers.submit(queue::poll);
      asked.await();
      Future<Task> other = workers.submit(queue::poll);
      go.countDown();
      assertThatThrownBy(() -> Workers.get(one))
          .isInstanceOf(IOException.class)
          .hasMessage("for the test");
      assertThat(Workers.get(other)).isNull();
    }
  }
}
