package io.kmodel.indexer.indexing.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.indexing.journal.BuildJournal.After;
import io.kmodel.indexer.indexing.journal.CheckpointQueue.Pending;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CheckpointQueueTest {
  private static final Pending BEGUN = pending("begun");
  private static final Pending FIRST = pending("first");
  private static final Pending SECOND = pending("second");
  private static final Pending THIRD = pending("third");

  private final CheckpointQueue queue = new CheckpointQueue();

  @Test
  void nothingIsGivenOutUntilTheCrawlIsKnownWhichIsSaidFirst() throws Exception {
    queue.add(FIRST);
    assertThat(queue.take()).isEmpty();
    queue.open(BEGUN.sealing());
    queue.add(SECOND);
    List<Pending> taken = queue.take();
    assertThat(taken).extracting(Pending::sealing).startsWith(BEGUN.sealing());
    assertThat(taken.subList(1, 3)).containsExactly(FIRST, SECOND);
    taken.getFirst().after().run();
    queue.add(THIRD);
    assertThat(queue.take()).containsExactly(THIRD);
    assertThat(queue.take()).isEmpty();
  }

  @Test
  void whatIsPutBackComesBeforeWhatWasAddedSince() throws Exception {
    queue.open();
    queue.add(FIRST);
    queue.add(SECOND);
    var taken = queue.take();
    queue.add(THIRD);
    queue.putBack(taken);
    assertThat(queue.take()).containsExactly(FIRST, SECOND, THIRD);
  }

  /** Else a line says that an index is complete, and none of which crawl. */
  @Test
  void whatComesFirstDoesSoUntilItIsWritten() throws Exception {
    queue.open(BEGUN.sealing());
    List<Pending> first = queue.first();
    assertThat(first).hasSize(1);
    queue.add(FIRST);
    List<Pending> taken = queue.take();
    assertThat(taken).containsExactly(first.getFirst(), FIRST);
    queue.putBack(taken);
    assertThat(queue.take()).isEqualTo(taken);
    assertThat(queue.first()).isEqualTo(first);
    taken.getFirst().after().run();
    assertThat(queue.first()).isEmpty();
    queue.putBack(taken.subList(1, 2));
    assertThat(queue.take()).containsExactly(FIRST);
  }

  @Test
  void theFirstFailureIsToldToWhoeverAddsOrTakes() {
    queue.open();
    queue.fail(new IOException("the disk"));
    queue.fail(new IOException("another"));
    assertThatThrownBy(() -> queue.add(FIRST))
        .isInstanceOf(IOException.class)
        .hasMessage("finished work could not be saved: the disk")
        .hasRootCauseMessage("the disk");
    assertThatThrownBy(queue::take).hasRootCauseMessage("the disk");
  }

  @Test
  void whoWaitsIsWokenWhenThereIsSomethingAndItIsTime() throws Exception {
    Future<Boolean> waiting = waiting(0);
    assertWaits(waiting);
    queue.add(FIRST);
    assertWaits(waiting);
    queue.open();
    assertThat(waiting.get()).isTrue();
    // It is there still, but it is not time.
    Future<Boolean> later = waiting(TimeUnit.HOURS.toNanos(1));
    assertWaits(later);
    queue.close();
    assertThat(later.get()).isFalse();
    assertThat(queue.await(() -> 0)).as("after the end").isFalse();
    assertThat(queue.take()).containsExactly(FIRST);
  }

  @Test
  void whoWaitsIsWokenByTheFirstThatIsAdded() throws Exception {
    queue.open();
    Future<Boolean> waiting = waiting(0);
    assertWaits(waiting);
    queue.add(FIRST);
    assertThat(waiting.get()).isTrue();
  }

  @Test
  void whatIsThereIsWaitedForUntilItIsTimeAndNoThousandTimesAsLong() throws Exception {
    queue.open();
    queue.add(FIRST);
    Iterator<Long> left = List.of(TimeUnit.MILLISECONDS.toNanos(200), 0L).iterator();
    assertThat(queue.await(left::next)).isTrue();
    assertThat(left.hasNext()).isFalse();
  }

  private Future<Boolean> waiting(long leftNanos) {
    CompletableFuture<Boolean> result = new CompletableFuture<>();
    Thread.ofPlatform()
        .daemon()
        .start(
            () -> {
              try {
                result.complete(queue.await(() -> leftNanos));
              } catch (InterruptedException e) {
                result.completeExceptionally(e);
              }
            });
    return result;
  }

  private static void assertWaits(Future<Boolean> waiting) {
    assertThatThrownBy(() -> waiting.get(100, TimeUnit.MILLISECONDS))
        .isInstanceOf(TimeoutException.class);
  }

  private static Pending pending(String name) {
    return new Pending(
        () -> {
          throw new AssertionError(name + " is not sealed here");
        },
        After.NOTHING,
        false);
  }
}
