package io.kmodel.indexer.export.lucene;

import com.google.common.util.concurrent.Uninterruptibles;
import io.kmodel.indexer.export.lucene.version.LuceneWriter;
import io.kmodel.indexer.store.CorruptIndexException;
import io.kmodel.indexer.store.disk.FreeFiles;
import io.kmodel.indexer.task.Interruption;
import io.kmodel.indexer.task.TaskFailure;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.channels.ClosedByInterruptException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;

/** How much of an exported index Lucene's CheckIndex verifies. */
public enum IndexCheck {
  /** Nothing. */
  NONE(0),
  /** The checksum of every file. */
  CHECKSUMS(CheckIndex.Level.MIN_LEVEL_FOR_CHECKSUM_CHECKS),
  /** Also every term, posting, position, norm and stored field, and their consistency. */
  CONTENT(CheckIndex.Level.MIN_LEVEL_FOR_INTEGRITY_CHECKS),
  /** Also checks that take quadratic time. */
  SLOW(CheckIndex.Level.MIN_LEVEL_FOR_SLOW_CHECKS);

  private final int level;

  IndexCheck(int level) {
    this.level = level;
  }

  /**
   * Checks an index of another version of Lucene, in this thread.
   *
   * @throws CorruptIndexException with CheckIndex's message
   * @throws ClosedByInterruptException if the thread is interrupted
   */
  public void run(Path index, LuceneWriter lucene) throws IOException {
    if (this == NONE) {
      return;
    }
    String log = lucene.check(index, level);
    Interruption.requireNone();
    if (!log.isEmpty()) {
      throw damaged(index, log);
    }
  }

  private static CorruptIndexException damaged(Path index, String log) {
    return new CorruptIndexException(
        index.toString(), "CheckIndex found the exported index damaged: " + firstError(log));
  }

  /**
   * Checks a Lucene index. The check runs in separate threads, so that an interrupted caller need
   * not wait for its end.
   *
   * @throws CorruptIndexException with CheckIndex's message
   * @throws ClosedByInterruptException if the thread is interrupted; reading has ended by then
   */
  public void run(Path index, int threads) throws IOException {
    if (this == NONE) {
      return;
    }
    try (StoppableDirectory directory = new StoppableDirectory(FSDirectory.open(index))) {
      FutureTask<Boolean> check =
          new FutureTask<>(
              () -> {
                check(directory, index, threads);
                return true;
              });
      Thread thread = Thread.ofPlatform().daemon().name("check").start(check);
      try {
        check.get();
      } catch (InterruptedException e) {
        directory.stop();
        // Takes little time, because every further read fails.
        Uninterruptibles.joinUninterruptibly(thread);
        Thread.currentThread().interrupt();
        throw new ClosedByInterruptException();
      } catch (ExecutionException e) {
        throw TaskFailure.rethrow(TaskFailure.cause(e));
      }
    }
  }

  private void check(Directory directory, Path index, int threads) throws IOException {
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    try (CheckIndex check = new CheckIndex(directory);
        PrintStream print = new PrintStream(log, false, StandardCharsets.UTF_8)) {
      check.setLevel(level);
      // Each thread opens the files of a segment one at a time, to map them.
      check.setThreadCount(Math.clamp(FreeFiles.count(), 1, threads));
      check.setInfoStream(print);
      boolean clean = check.checkIndex().clean;
      print.flush();
      if (!clean) {
        throw damaged(index, log.toString(StandardCharsets.UTF_8));
      }
    }
  }

  private static String firstError(String log) {
    return log.lines()
        .filter(line -> line.contains("Exception") || line.startsWith("ERROR"))
        .findFirst()
        .orElse(log)
        .strip();
  }
}
