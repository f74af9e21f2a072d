package io.kmodel.indexer.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.source.crawl.Crawl;
import io.kmodel.indexer.source.record.RecordedSkips;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that are cut or grow between their opening and their last byte. */
class ChangingFileTest {
  private static final int BYTES = 300_000;

  @TempDir private Path directory;

  @Test
  void aFileThatIsCutWhileItIsReadIsSkippedAndTheNextOneIsRead() throws Exception {
    RecordedSkips skips = read(file -> truncate(file, BYTES / 2));
    assertThat(skips.all())
        .singleElement()
        .satisfies(skip -> assertThat(skip.reason()).isEqualTo(SkipReason.UNREADABLE))
        .satisfies(
            skip ->
                assertThat(skip.detail())
                    .isEqualTo("file has changed: 150000 of 300000 bytes could be read"));
  }

  @Test
  void aFileThatGrowsWhileItIsReadIsSkippedAndTheNextOneIsRead() throws Exception {
    RecordedSkips skips = read(file -> append(file, 10));
    assertThat(skips.all())
        .singleElement()
        .satisfies(skip -> assertThat(skip.reason()).isEqualTo(SkipReason.TOO_LARGE))
        .satisfies(skip -> assertThat(skip.detail()).startsWith("file has grown"));
  }

  private interface Change {
    void apply(Path file) throws IOException;
  }

  /** Reads a file that changes when room is asked for it, and another one. */
  private RecordedSkips read(Change change) throws Exception {
    Path changing = directory.resolve("a.txt");
    Files.writeString(changing, "a".repeat(BYTES));
    Files.writeString(directory.resolve("b.txt"), "b");
    RecordedSkips skips = new RecordedSkips();
    Crawl crawl = Crawl.open(List.of(directory), BYTES, skips);
    HeapGuard guard =
        new HeapGuard() {
          @Override
          public long freeBytes() {
            return 1 << 20;
          }

          @Override
          public long largestBytes() {
            return 1L << 40;
          }

          @Override
          public boolean reserve(long heapBytes) {
            try {
              change.apply(changing);
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
            return true;
          }

          @Override
          public void release() {}
        };
    try (DocumentReader reader = crawl.splits(Long.MAX_VALUE).getFirst().open(skips, guard)) {
      RawDocument document = reader.next();
      assertThat(document).isNotNull();
      assertThat(document.id()).isEqualTo("b.txt");
      assertThat(reader.next()).isNull();
    }
    return skips;
  }

  private static void truncate(Path file, long bytes) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(bytes);
    }
  }

  private static void append(Path file, int bytes) throws IOException {
    Files.writeString(file, "a".repeat(bytes), StandardOpenOption.APPEND);
  }
}
