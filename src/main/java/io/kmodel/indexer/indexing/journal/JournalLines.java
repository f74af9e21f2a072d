package io.kmodel.indexer.indexing.journal;

import io.kmodel.indexer.indexing.report.Json;
import io.kmodel.indexer.store.Journal;
import io.kmodel.indexer.store.disk.Directories;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The file of a {@link BuildJournal}, created with its first line. One thread at a time writes; any
 * thread may read the counts.
 */
final class JournalLines implements AutoCloseable {
  private final Path path;
  private final Path files;
  private @Nullable Journal journal;

  /** Number of splits in the lines, including replaced readings. */
  private final AtomicInteger splits = new AtomicInteger();

  private volatile boolean isComplete;

  /**
   * A file without lines.
   *
   * @param files directory of the files that lines name
   */
  JournalLines(Path path, Path files) {
    this.path = path;
    this.files = files;
  }

  /** Continues after existing lines, if they name splits. */
  void goOn(int before) throws IOException {
    splits.set(before);
    if (before > 0) {
      journal = Journal.open(path);
    }
  }

  /** Forces the directory of the files to the disk, then writes and forces lines that name them. */
  void append(List<JournalEntry> entries) throws IOException {
    Directories.force(files.resolve("any"));
    CrashPoint.FORCED.reached();
    Journal lines = journal == null ? Journal.open(path) : journal;
    journal = lines;
    try {
      for (JournalEntry entry : entries) {
        lines.append(Json.MAPPER.writeValueAsString(entry));
      }
      CrashPoint.WRITTEN.reached();
      lines.force();
    } catch (IOException e) {
      // A half written line hides all after it; reopening the journal cuts it off.
      journal = null;
      try (lines) {
        throw e;
      }
    }
    splits.addAndGet(
        (int) entries.stream().filter(JournalEntry.SplitSealed.class::isInstance).count());
    if (entries.stream().anyMatch(JournalEntry.Finished.class::isInstance)) {
      isComplete = true;
    }
    CrashPoint.SEALED.reached();
  }

  int splits() {
    return splits.get();
  }

  /** Whether a line says that the index is complete. */
  boolean isComplete() {
    return isComplete;
  }

  @Override
  public void close() throws IOException {
    if (journal != null) {
      journal.close();
    }
  }
}
