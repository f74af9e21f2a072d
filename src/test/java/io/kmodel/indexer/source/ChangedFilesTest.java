package io.kmodel.indexer.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.kmodel.indexer.source.crawl.Crawl;
import io.kmodel.indexer.source.record.RecordedSkips;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that are not what they were when they were listed. */
class ChangedFilesTest {
  private static final int LIMIT = 200_000;

  @TempDir Path root;
  private final SourceReading reading = new SourceReading();

  @Test
  void aFileThatHasBecomeAPipeIsUnreadable() throws Exception {
    write("a.txt", "a");
    write("b.txt", "b");
    Crawl crawl = list();
    Files.delete(root.resolve("a.txt"));
    Pipes.make(root.resolve("a.txt"));
    assertTimeoutPreemptively(Duration.ofSeconds(30), () -> reading.read(crawl, 1));
    assertThat(reading.ids()).containsExactly("b.txt");
    assertThat(reading.skips.only().reason()).isEqualTo(SkipReason.UNREADABLE);
    assertThat(reading.skips.only().detail()).contains("no longer a regular file");
  }

  /** Neighbours that are still regular files say nothing about a file that was replaced. */
  @Test
  void aFileAmongManyThatHasBecomeAPipeIsUnreadable() throws Exception {
    for (int i = 0; i < 20; i++) {
      write("%02d.txt".formatted(i), "text");
    }
    Crawl crawl = list();
    Files.delete(root.resolve("15.txt"));
    Pipes.make(root.resolve("15.txt"));
    assertTimeoutPreemptively(Duration.ofSeconds(30), () -> reading.read(crawl, 1));
    assertThat(reading.ids()).hasSize(19).doesNotContain("15.txt");
    assertThat(reading.skips.only().place()).isEqualTo(root + "/15.txt");
    assertThat(reading.skips.only().reason()).isEqualTo(SkipReason.UNREADABLE);
  }

  /** Each file is looked at when its turn comes, while the reader is at work in its directory. */
  @Test
  void aFileThatBecomesAPipeWhileItsNeighboursAreReadIsUnreadable() throws Exception {
    for (int i = 0; i < 20; i++) {
      write("%02d.txt".formatted(i), "text");
    }
    Split split = list().splits(Long.MAX_VALUE).getFirst();
    List<String> ids = new ArrayList<>();
    assertTimeoutPreemptively(
        Duration.ofSeconds(30),
        () -> {
          try (DocumentReader reader = split.open(reading.skips)) {
            for (RawDocument next; (next = reader.next()) != null; ) {
              ids.add(next.id());
              if (ids.size() == 10) {
                Files.delete(root.resolve("10.txt"));
                Pipes.make(root.resolve("10.txt"));
              }
            }
          }
        });
    assertThat(ids).hasSize(19).doesNotContain("10.txt");
    assertThat(reading.skips.only().detail()).contains("no longer a regular file");
  }

  @Test
  void aFileThatHasVanishedOrBecomeALinkIsUnreadable() throws Exception {
    write("a.txt", "a");
    write("b.txt", "b");
    write("c.txt", "c");
    Crawl crawl = list();
    Files.delete(root.resolve("a.txt"));
    Files.delete(root.resolve("b.txt"));
    Files.createSymbolicLink(root.resolve("b.txt"), root.resolve("c.txt"));
    reading.read(crawl, 1);
    assertThat(reading.ids()).containsExactly("c.txt");
    assertThat(reading.skips.all())
        .extracting(RecordedSkips.Skip::place)
        .containsExactly(root + "/a.txt", root + "/b.txt");
    assertThat(reading.reasons()).containsOnly(SkipReason.UNREADABLE);
  }

  @Test
  void aFileThatHasShrunkIsReadToItsEnd() throws Exception {
    write("a.txt", "x".repeat(100_000));
    Crawl crawl = list();
    write("a.txt", "short");
    reading.read(crawl, 1);
    write("a.txt", "");
    reading.read(crawl, 1);
    assertThat(reading.texts()).containsExactly("short", "");
    assertThat(reading.skips.all()).isEmpty();
  }

  @Test
  void aFileThatHasGrownIsReadToItsEndOrTooLarge() throws Exception {
    write("a.txt", "a");
    write("b.txt", "b");
    Crawl crawl = list();
    write("a.txt", "x".repeat(LIMIT - 1));
    write("b.txt", "y".repeat(LIMIT + 1));
    reading.read(crawl, 1);
    assertThat(reading.texts()).extracting(String::length).containsExactly(LIMIT - 1);
    assertThat(reading.skips.only().detail())
        .isEqualTo("file has 200001 bytes, the limit is 200000");
  }

  @Test
  void aFileThatGrowsWhileItIsReadEndsAtTheLimit() throws Exception {
    Path file = root.resolve("a.txt");
    write("a.txt", "x".repeat(1000));
    Crawl crawl = list();
    AtomicBoolean done = new AtomicBoolean();
    try (ExecutorService writer = Executors.newSingleThreadExecutor()) {
      Future<?> growing =
          writer.submit(
              () -> {
                byte[] more = "y".repeat(1 << 16).getBytes(StandardCharsets.UTF_8);
                while (!done.get() && Files.size(file) < 1 << 26) {
                  Files.write(file, more, StandardOpenOption.APPEND);
                }
                return null;
              });
      assertTimeoutPreemptively(Duration.ofSeconds(60), () -> reading.read(crawl, 1));
      done.set(true);
      growing.get();
    }
    assertThat(reading.docs.size() + reading.skips.all().size()).isOne();
    assertThat(reading.texts()).allMatch(text -> text.length() <= LIMIT);
    assertThat(reading.reasons()).allMatch(reason -> reason == SkipReason.TOO_LARGE);
  }

  private Crawl list() throws IOException {
    return Crawl.open(List.of(root), LIMIT, reading.skips);
  }

  private void write(String name, String text) throws IOException {
    Files.writeString(root.resolve(name), text);
  }
}
