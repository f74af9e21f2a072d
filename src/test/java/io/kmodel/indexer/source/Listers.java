package io.kmodel.indexer.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

/** The threads that list directories ahead of a walk. */
public final class Listers {
  private Listers() {}

  public static List<Thread> running() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("list-"))
        .toList();
  }

  public static void awaitNone() throws InterruptedException {
    long deadline = System.nanoTime() + 20_000_000_000L;
    while (!running().isEmpty() && System.nanoTime() < deadline) {
      Thread.sleep(1);
    }
    assertThat(running()).isEmpty();
  }
}
