package io.kmodel.indexer.indexing.added;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.kmodel.indexer.source.ContentType;
import io.kmodel.indexer.source.DocumentReader;
import io.kmodel.indexer.source.RawDocument;
import io.kmodel.indexer.source.RawMetadata;
import io.kmodel.indexer.source.SkipListener;
import io.kmodel.indexer.source.Split;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DocumentQueueTest {
  private static final int KIB = 1 << 10;
  private static final int MIB = 1 << 20;

  private static AddedDocument document(int number, int bytes) {
    return new AddedDocument(
        "d" + number, ContentType.PLAIN_TEXT, new byte[bytes], "", "", "", RawMetadata.NONE);
  }

  /** Documents as they are read: id and unit. */
  private static List<String> read(DocumentQueue queue) throws Exception {
    List<String> read = new ArrayList<>();
    for (List<Split> next = queue.next(); !next.isEmpty(); next = queue.next()) {
      for (Split split : next) {
        try (DocumentReader reader = split.open(SkipListener.NONE)) {
          for (RawDocument d = reader.next(); d != null; d = reader.next()) {
            read.add(d.id() + " " + d.unit());
          }
        }
      }
    }
    return read;
  }

  private static Thread adding(DocumentQueue queue, int... sizes) {
    return Thread.startVirtualThread(
        () -> {
          try {
            for (int i = 0; i < sizes.length; i++) {
              queue.add(document(i, sizes[i]));
            }
            queue.end();
          } catch (DocumentQueue.BuildFailure | InterruptedException e) {
            throw new AssertionError(e);
          }
        });
  }

  /** Units must not depend on the memory, or stored documents would. */
  @Test
  void unitsDependOnTheDocumentsAlone() throws Exception {
    int[] sizes = new int[200];
    for (int i = 0; i < sizes.length; i++) {
      sizes[i] = i % 50 == 30 ? 5 * MIB : (i * 7919 % 500) * KIB;
    }
    List<List<String>> all = new ArrayList<>();
    for (long memory : new long[] {16 * MIB, 40 * MIB, 1L << 40}) {
      DocumentQueue queue = new DocumentQueue(memory, memory / 3);
      Thread thread = adding(queue, sizes);
      all.add(read(queue));
      thread.join();
    }
    assertThat(all.get(0)).hasSize(200).isEqualTo(all.get(1)).isEqualTo(all.get(2));
    assertThat(all.get(0).get(199)).doesNotEndWith(" 0");
  }

  /** Small documents take more heap than text, and must not fill the memory within a unit. */
  @Test
  void unitsOfSmallDocumentsEnd() throws Exception {
    DocumentQueue queue = new DocumentQueue(16 * MIB, 5 * MIB);
    Thread thread = adding(queue, new int[100_000]);
    assertThat(read(queue)).hasSize(100_000).endsWith("d99999 24");
    thread.join();
  }

  @Test
  void aWaitingReaderGetsTheFirstUnit() throws Exception {
    DocumentQueue queue = new DocumentQueue(1L << 40, 1L << 39);
    Thread reading =
        Thread.startVirtualThread(
            () -> {
              try {
                queue.awaitNext();
              } catch (InterruptedException e) {
                throw new AssertionError(e);
              }
            });
    while (reading.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    queue.add(document(0, MIB));
    reading.join();
    assertThat(queue.next()).hasSize(1);
  }

  @Test
  void aDocumentLargerThanTheMemoryIsTakenAlone() throws Exception {
    DocumentQueue queue = new DocumentQueue(16 * MIB, 4 * MIB);
    Thread thread = adding(queue, KIB, 20 * MIB, KIB);
    assertThat(read(queue)).containsExactly("d0 0", "d1 1", "d2 2");
    thread.join();
  }

  @Test
  void anAdditionWaitsUntilThereIsRoom() throws Exception {
    DocumentQueue queue = new DocumentQueue(16 * MIB, 4 * MIB);
    int[] sizes = new int[40];
    Arrays.fill(sizes, MIB);
    Thread thread = adding(queue, sizes);
    while (thread.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    assertThat(queue.heapBytes()).isBetween(15L * MIB, 16L * MIB);
    assertThat(read(queue)).hasSize(40);
    thread.join();
  }

  @Test
  void aFailureEndsTheWaitOfAnAddition() throws Exception {
    DocumentQueue queue = new DocumentQueue(16 * MIB, 4 * MIB);
    Thread failing =
        Thread.startVirtualThread(
            () -> {
              try {
                TimeUnit.MILLISECONDS.sleep(20);
              } catch (InterruptedException e) {
                throw new AssertionError(e);
              }
              queue.fail(new IllegalStateException("the disk is full"));
            });
    assertThatExceptionOfType(DocumentQueue.BuildFailure.class)
        .isThrownBy(
            () -> {
              for (int i = 0; i < 40; i++) {
                queue.add(document(i, MIB));
              }
            })
        .withMessage("the disk is full")
        .withCauseInstanceOf(IllegalStateException.class);
    failing.join();
  }
}
