package io.kmodel.indexer.source;

import io.kmodel.indexer.source.DirectoryEntry.Directory;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Lists the directories of a tree some ahead of a walk over it, by a few threads. What is in a
 * directory is known as soon as that is listed, and its directories wait in one queue in the order
 * of the walk; threads take the earliest. So it does not matter whether a tree is deep or wide. A
 * directory that nobody has begun is listed by the walking thread itself.
 *
 * <p>Memory: entries that are listed ahead are counted, and threads wait while there are {@link
 * Limits#entries}. A directory counts at most as a quarter of these, lest a single one that lies
 * far ahead stop everything before it; so {@link Limits#threads} and three directories of any size
 * may come on top. The walking thread waits only for a directory that another one is just listing:
 * there is no deadlock. Threads start when there is something for them to do, and end after {@link
 * #close}, at the next entry.
 */
final class ListingAhead implements AutoCloseable {
  private final Predicate<Directory> avoided;
  private final Limits limits;
  private final ReentrantLock lock = new ReentrantLock();

  /** There is a directory to list, or room again. */
  private final Condition work = lock.newCondition();

  /** A directory was listed, or will never be. */
  private final Condition listed = lock.newCondition();

  /** Those that nobody has begun to list. */
  private final PriorityQueue<Directory> waiting = new PriorityQueue<>(DirectoryEntry.ORDER);

  private int started;

  /** Entries listed ahead that the walk has not taken. */
  private long held;

  private boolean full;
  private @Nullable Throwable failure;
  private volatile boolean closed;

  /**
   * How far ahead.
   *
   * @param entries about so many; see the class
   */
  record Limits(int threads, int entries) {
    private static final int MOST_THREADS = 8;
    private static final int MOST_ENTRIES = 1 << 16;

    static Limits usual() {
      int processors = Runtime.getRuntime().availableProcessors();
      return new Limits(Math.min(MOST_THREADS, processors), MOST_ENTRIES);
    }
  }

  /** All that is in a directory, in order, or why that cannot be said. */
  record Listing(List<DirectoryEntry> entries, @Nullable IOException failure) {}

  /**
   * Starts nothing yet.
   *
   * @param avoided directories that the walk may pass over; they are not listed ahead
   */
  ListingAhead(Predicate<Directory> avoided, Limits limits) {
    this.avoided = avoided;
    this.limits = limits;
  }

  /**
   * What is in a directory, in order; for the walking thread alone, once a directory, in order.
   *
   * @throws InterruptedIOException if the thread was interrupted
   */
  List<DirectoryEntry> entries(Directory directory) throws IOException {
    if (Thread.currentThread().isInterrupted()) {
      throw interrupted(directory);
    }
    if (!begin(directory)) {
      return taken(directory);
    }
    List<DirectoryEntry> entries = list(directory);
    lock.lock();
    try {
      offer(entries);
    } finally {
      lock.unlock();
    }
    return entries;
  }

  /** Entries that are listed ahead, as they count; for tests. */
  long held() {
    lock.lock();
    try {
      return held;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      waiting.clear();
      work.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Whether the caller is the one to list a directory. */
  private boolean begin(Directory directory) {
    lock.lock();
    try {
      checkFailure();
      if (directory.begun) {
        return false;
      }
      directory.begun = true;
      // It is the first of the queue, or, if it is avoided, in no queue.
      waiting.remove(directory);
      return true;
    } finally {
      lock.unlock();
    }
  }

  private List<DirectoryEntry> taken(Directory directory) throws IOException {
    Listing listing;
    lock.lock();
    try {
      while (directory.listing == null) {
        checkFailure();
        listed.await();
      }
      listing = directory.listing;
      directory.listing = null;
      held -= counted(listing);
      // Not for every entry, and all at once: to wake a thread takes longer than to list.
      if (full && held < limits.entries - limits.entries / 8) {
        full = false;
        work.signalAll();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw interrupted(directory);
    } finally {
      lock.unlock();
    }
    if (listing.failure != null) {
      throw listing.failure;
    }
    return listing.entries;
  }

  private void checkFailure() {
    if (failure instanceof Error error) {
      throw error;
    }
    if (failure != null) {
      throw new IllegalStateException(failure);
    }
  }

  private static InterruptedIOException interrupted(Directory directory) {
    return new InterruptedIOException("interrupted while " + directory.place + " was listed");
  }

  private long counted(Listing listing) {
    return 1L + Math.min(listing.entries.size(), limits.entries / 4);
  }

  /** What a thread does. */
  private void listAhead() {
    try {
      for (Directory next = next(); next != null; next = next()) {
        Listing listing;
        try {
          listing = new Listing(list(next), null);
        } catch (IOException e) {
          listing = new Listing(List.of(), e);
        }
        put(next, listing);
      }
    } catch (RuntimeException | Error e) {
      fail(e);
    }
  }

  /** Not what is wrong with a directory, but with us. */
  private void fail(Throwable problem) {
    lock.lock();
    try {
      failure = problem;
      listed.signal();
    } finally {
      lock.unlock();
    }
  }

  /** The next one to list ahead; null at the end. */
  private @Nullable Directory next() {
    lock.lock();
    try {
      while (!closed && (full || waiting.isEmpty())) {
        work.awaitUninterruptibly();
      }
      Directory next = closed ? null : waiting.poll();
      if (next != null) {
        next.begun = true;
      }
      return next;
    } finally {
      lock.unlock();
    }
  }

  private void put(Directory directory, Listing listing) {
    lock.lock();
    try {
      directory.listing = listing;
      held += counted(listing);
      full |= held >= limits.entries;
      listed.signal();
      offer(listing.entries);
    } finally {
      lock.unlock();
    }
  }

  /** Queues the directories among some entries, and starts threads for them; with the lock. */
  private void offer(List<DirectoryEntry> entries) {
    for (DirectoryEntry entry : entries) {
      if (!closed && entry instanceof Directory directory && !avoided.test(directory)) {
        waiting.add(directory);
        if (!full) {
          work.signal();
        }
      }
    }
    while (!full && started < Math.min(limits.threads, waiting.size())) {
      started++;
      Thread thread = new Thread(this::listAhead, "list-" + started);
      thread.setDaemon(true);
      thread.start();
    }
  }

  /** All entries or an exception: half a directory would look like a whole one. */
  private List<DirectoryEntry> list(Directory directory) throws IOException {
    List<DirectoryEntry> entries = new ArrayList<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory.place)) {
      for (Path path : stream) {
        if (closed) {
          throw new IOException("the walk has ended");
        }
        if (Thread.currentThread().isInterrupted()) {
          throw interrupted(directory);
        }
        entries.add(DirectoryEntry.of(directory, stream, path));
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    entries.sort(DirectoryEntry.ORDER);
    return entries;
  }
}
