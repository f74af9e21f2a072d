package io.kmodel.indexer.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.base.Splitter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class WorkersTest {
  @Test
  void resultsComeInTheOrderOfTheTasks() throws Exception {
    try (Workers workers = new Workers("test", 3)) {
      List<Callable<Integer>> tasks = List.of(() -> 1, () -> 2, () -> 3, () -> 4);
      assertThat(workers.runAll(tasks)).containsExactly(1, 2, 3, 4);
    }
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void onlyTheThreadsOfWorkersThatGiveWayDo() throws Exception {
    int here = niceness();
    Callable<Integer> inWorker = WorkersTest::niceness;
    try (Workers workers = Workers.givingWay("test", 2);
        Workers others = new Workers("test", 2)) {
      assertThat(workers.runAll(List.of(inWorker, inWorker, inWorker)))
          .containsOnly(Math.min(here + 10, 19));
      assertThat(others.runAll(List.of(inWorker, inWorker))).containsOnly(here);
    }
    assertThat(niceness()).isEqualTo(here);
  }

  /** Of the calling thread: field 19, counted from its name in parentheses, which is the second. */
  private static int niceness() throws IOException {
    String stat = Files.readString(Path.of("/proc/thread-self/stat"));
    String behindName = stat.substring(stat.lastIndexOf(')') + 2);
    return Integer.parseInt(Splitter.on(' ').splitToList(behindName).get(19 - 3));
  }

  /** Who calls with illegal options is told so before there are tasks. */
  @Test
  void anIllegalArgumentWithinATaskIsNotTheCallers() {
    Callable<Void> failing =
        () -> {
          throw new IllegalArgumentException("-1");
        };
    assertThatThrownBy(
            () -> {
              try (Workers workers = new Workers("test", 1)) {
                workers.runAll(List.of(failing));
              }
            })
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("java.lang.IllegalArgumentException: -1");
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
