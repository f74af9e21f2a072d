package io.kmodel.indexer.browse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class WalkLimitTest {
  private static final int MOST = 4;

  @Test
  void whoComesWhenFourAreAtWorkIsRefusedAndWhoComesLaterIsNot() throws Exception {
    WalkLimit limit = new WalkLimit(50);
    CountDownLatch started = new CountDownLatch(MOST);
    CountDownLatch end = new CountDownLatch(1);
    List<Future<byte[]>> walks = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(MOST)) {
      for (int i = 0; i < MOST; i++) {
        walks.add(threads.submit(() -> limit.run(() -> waiting(started, end))));
      }
      started.await();
      assertThatThrownBy(() -> limit.run(() -> new byte[1]))
          .isInstanceOfSatisfying(
              RefusedRequestException.class, e -> assertThat(e.status()).isEqualTo(503))
          .hasMessageContaining("try again");
      end.countDown();
    }
    for (Future<byte[]> walk : walks) {
      assertThat(walk.get()).hasSize(2);
    }
    assertThat(limit.run(() -> new byte[1])).hasSize(1);
  }

  /** One that fails counts no longer. */
  @Test
  void whatFailsMakesRoom() throws Exception {
    WalkLimit limit = new WalkLimit(50);
    for (int i = 0; i <= MOST; i++) {
      assertThatThrownBy(
              () ->
                  limit.run(
                      () -> {
                        throw new IllegalArgumentException("no such field");
                      }))
          .hasMessage("no such field");
    }
    assertThat(limit.run(() -> new byte[1])).hasSize(1);
  }

  private static byte[] waiting(CountDownLatch started, CountDownLatch end) {
    started.countDown();
    try {
      end.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return new byte[2];
  }
}
