package io.kmodel.indexer.indexing.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A build that stands still is told of once, with who waits for whom. */
@Tag("alone")
@Timeout(60)
class WatchdogTest {
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
    try (Watchdog watch = new Watchdog(pulse::get, () -> "", LIMIT, lines::add)) {
      watch.start();
      List<String> threads = next().lines().toList();
      assertThat(threads.getFirst()).isEqualTo("no progress for 0 s; busy or waiting threads:");
      assertThat(lines.poll(500, TimeUnit.MILLISECONDS)).isNull();
      assertThat(threads.subList(1, threads.size()))
          .anyMatch(
              line ->
                  line.startsWith("  the-waiter is blocked for java.lang.Object@")
                      && line.contains(", which the-holder holds, in ")
                      && line.contains("WatchdogTest.hold("))
          .anyMatch(line -> line.startsWith("  the-holder is waiting for "))
          .noneMatch(line -> line.contains("no progress"))
          .noneMatch(line -> line.startsWith("  stall-watch "));
      pulse.incrementAndGet();
      assertThat(next()).startsWith("no progress");
    } finally {
      release.countDown();
      holder.join();
      waiter.join();
    }
  }

  @Test
  void whoWillWaitForEverIsTold() throws Exception {
    ReentrantLock one = new ReentrantLock();
    ReentrantLock two = new ReentrantLock();
    CyclicBarrier bothHold = new CyclicBarrier(2);
    Thread first = new Thread(() -> holdAndWait(one, two, bothHold), "the-first");
    Thread second = new Thread(() -> holdAndWait(two, one, bothHold), "the-second");
    first.start();
    second.start();
    while (!one.hasQueuedThread(second) || !two.hasQueuedThread(first)) {
      Thread.sleep(1);
    }
    try (Watchdog watch = new Watchdog(pulse::get, () -> "", Duration.ofSeconds(1), lines::add)) {
      watch.start();
      String told = next();
      assertThat(told).startsWith("no progress for 1 s; ");
      assertThat(told.lines().reduce("", (before, line) -> line))
          .startsWith("  deadlock between: ")
          .contains("the-first")
          .contains("the-second");
    } finally {
      first.interrupt();
      second.interrupt();
      first.join();
      second.join();
    }
  }

  private static void holdAndWait(ReentrantLock held, ReentrantLock wanted, CyclicBarrier both) {
    held.lock();
    try {
      both.await();
      wanted.lockInterruptibly();
      wanted.unlock();
    } catch (InterruptedException | BrokenBarrierException e) {
      // The test is over.
    } finally {
      held.unlock();
    }
  }

  @Test
  void aBuildThatGoesOnIsNotTold() throws Exception {
    try (Watchdog watch = new Watchdog(pulse::get, () -> "", Duration.ofSeconds(2), lines::add)) {
      watch.start();
      for (int i = 0; i < 30; i++) {
        Thread.sleep(100);
        pulse.incrementAndGet();
      }
    }
    assertThat(lines).isEmpty();
  }

  @Test
  void theTimeIsThatSinceTheLastProgressAndNotSinceTheBeginning() throws Exception {
    AtomicInteger looks = new AtomicInteger();
    AtomicLong progressAt = new AtomicLong();
    LongSupplier forALimitAndHalf =
        () -> {
          int look = looks.incrementAndGet();
          if (look <= 15) {
            progressAt.set(System.nanoTime());
          }
          return Math.min(look, 15);
        };
    LinkedBlockingQueue<Long> told = new LinkedBlockingQueue<>();
    try (Watchdog watch =
        new Watchdog(forALimitAndHalf, () -> "", LIMIT, line -> told.add(System.nanoTime()))) {
      watch.start();
      assertThat(told.take() - progressAt.get()).isGreaterThanOrEqualTo(LIMIT.toNanos());
    }
  }

  @Test
  void aServerThatDoesNotAnswerIsTheReason() throws Exception {
    try (Watchdog watch =
        new Watchdog(pulse::get, () -> "host: no connection", LIMIT, lines::add)) {
      watch.start();
      assertThat(next()).isEqualTo("no progress for 0 s; waiting for host: no connection");
    }
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
