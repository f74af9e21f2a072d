package io.kmodel.indexer.build;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A build that stands still is told of once, with who waits for whom. */
@Timeout(60)
class StallWatchTest {
  private static final Duration LIMIT = Duration.ofMillis(150);

  private final AtomicLong pulse = new AtomicLong();
  private final LinkedBlockingQueue<String> lines = new LinkedBlockingQueue<>();

  @Test
  void whoWaitsForWhomIsTold() throws Exception {
    Object lock = new Object();
    CountDownLatch held = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    Thread holder = new Thread(() -> hold(lock, held, release), "the-holder");
    Thread waiter = new Thread(() -> hold(lock, held, release), "the-waiter");
    holder.start();
    held.await();
    waiter.start();
    while (waiter.getState() != Thread.State.BLOCKED) {
      Thread.sleep(1);
    }
    try (StallWatch watch = new StallWatch(pulse::get, LIMIT, lines::add)) {
      watch.start();
      List<String> threads = next().lines().toList();
      assertThat(threads.getFirst())
          .isEqualTo("no progress for 0 s; these threads are at work or wait:");
      assertThat(lines.poll(500, TimeUnit.MILLISECONDS)).isNull();
      assertThat(threads.subList(1, threads.size()))
          .anyMatch(
              line ->
                  line.startsWith("  the-waiter is blocked for java.lang.Object@")
                      && line.contains(", which the-holder holds, in ")
                      && line.contains("StallWatchTest.hold("))
          .anyMatch(line -> line.startsWith("  the-holder is waiting for "))
          .noneMatch(line -> line.contains("no progress"));
      pulse.incrementAndGet();
      assertThat(next()).startsWith("no progress");
    } finally {
      release.countDown();
      holder.join();
      waiter.join();
    }
  }

  @Test
  void aBuildThatGoesOnIsNotTold() throws Exception {
    try (StallWatch watch = new StallWatch(pulse::get, Duration.ofSeconds(2), lines::add)) {
      watch.start();
      for (int i = 0; i < 30; i++) {
        Thread.sleep(100);
        pulse.incrementAndGet();
      }
    }
    assertThat(lines).isEmpty();
  }

  private String next() throws InterruptedException {
    String line = lines.poll(20, TimeUnit.SECONDS);
    return line == null ? "nothing" : line;
  }

  private static void hold(Object lock, CountDownLatch held, CountDownLatch release) {
    synchronized (lock) {
      held.countDown();
      try {
        release.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
