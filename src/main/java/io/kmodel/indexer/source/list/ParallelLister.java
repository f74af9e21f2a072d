package io.kmodel.indexer.source.list;

import io.kmodel.indexer.source.list.DirectoryEntry.Directory;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Lists the directories of a tree ahead of a walk over it, with a few threads. The directories
 * found in a listing are queued at once, in the order of the walk, and threads take the first few
 * from this one queue. It therefore does not matter whether a tree is deep or wide. If no thread
 * has started a directory that the walk needs, the walking thread lists it itself.
 *
 * <p>Memory: threads wait while {@link Limits#entries} entries are listed ahead. A directory counts
 * as at most a quarter of these, so that a single one far ahead cannot stop everything before it.
 * Therefore {@link Limits#threads} and three directories of any size, and {@link
 * Limits#batchEntries} per thread, may come on top. The walking thread waits only for a directory
 * that another thread is listing or has in its batch, so there is no deadlock. Threads start when
 * there is work, and end after {@link #close}, at the next entry.
 */
public final class ParallelLister implements AutoCloseable {
  /**
   * Directories that a thread takes at once from a long queue. With one, a tree of small
   * directories took a quarter more time, which was spent waking threads.
   */
  private static final int MOST_AT_ONCE = 16;

  private final Predicate<Directory> avoided;
  private final Limits limits;
  private final ReentrantLock lock = new ReentrantLock();

  /** There is a directory to list, or room again. */
  private final Condition work = lock.newCondition();

  /** The awaited directory was listed, or never will be. */
  private final Condition listed = lock.newCondition();

  /** The directory that the walk waits for. */
  private @Nullable Directory awaited;

  /** Directories that no thread has started to list. */
  private final PriorityQueue<Directory> waiting = new PriorityQueue<>(DirectoryEntry.ORDER);

  private int started;

  /** Entries listed ahead that the walk has not taken yet. */
  private long held;

  private boolean full;
  private @Nullable Throwable failure;
  private volatile boolean closed;

  /**
   * How far to list ahead.
   *
   * @param entries approximate limit; see the class
   */
  public record Limits(int threads, int entries) {
    private static final int MOST_THREADS = 8;
    private static final int MOST_ENTRIES = 1 << 16;
    private static final int BATCH_ENTRIES = 256;

    public static Limits usual() {
      int processors = Runtime.getRuntime().availableProcessors();
      return new Limits(Math.min(MOST_THREADS, processors), MOST_ENTRIES);
    }

    /**
     * After this many entries, a thread hands over its listings and returns the directories it has
     * not started.
     */
    int batchEntries() {
      return Math.clamp(entries / (8 * threads), 1, BATCH_ENTRIES);
    }
  }

  /** The entries of a directory in order, or why they could not be listed. */
  record Listing(
      Directory directory, List<DirectoryEntry> entries, @Nullable IOException failure) {}

  /**
   * Starts no threads yet.
   *
   * @param avoided directories that the walk may skip; they are not listed ahead
   */
  ParallelLister(Predicate<Directory> avoided, Limits limits) {
    this.avoided = avoided;
    this.limits = limits;
  }

  /**
   * The entries of a directory, in order. For the walking thread only, once per directory, in
   * order.
   *
   * @throws InterruptedIOException if the thread was interrupted
   */
  List<DirectoryEntry> entries(Directory directory) throws IOException {
    if (Thread.currentThread().isInterrupted()) {
      throw interrupted(directory);
    }
    Listing listing = taken(directory);
    if (listing == null) {
      List<DirectoryEntry> entries = list(directory);
      lock.lock();
      try {
        offer(entries);
      } finally {
        lock.unlock();
      }
      return entries;
    }
    if (listing.failure != null) {
      throw listing.failure;
    }
    return listing.entries;
  }

  /** Entries listed ahead, as they count towards the limit; for tests. */
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

  /**
   * Another thread's listing, once it is complete; null if the caller has to list the directory.
   */
  private @Nullable Listing taken(Directory directory) throws InterruptedIOException {
    lock.lock();
    try {
      awaited = directory;
      checkFailure();
      while (directory.begun && directory.listing == null) {
        listed.await();
        checkFailure();
      }
      Listing listing = directory.listing;
      if (listing == null) {
        directory.begun = true;
        // It is the first of the queue, or in no queue if it is avoided.
        waiting.remove(directory);
        return null;
      }
      directory.listing = null;
      held -= counted(listing);
      // Not for every entry, and for all threads at once: waking a thread takes longer than
      // listing.
      if (full && held < limits.entries - limits.entries / 8) {
        full = false;
        work.signalAll();
      }
      return listing;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw interrupted(directory);
    } finally {
      lock.unlock();
    }
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
    return new InterruptedIOException("interrupted while " + directory.place + " was being listed");
  }

  private long counted(Listing listing) {
    return 1L + Math.min(listing.entries.size(), limits.entries / 4);
  }

  /** The loop of a listing thread. */
  private void listAhead() {
    Deque<Directory> batch = new ArrayDeque<>();
    List<Listing> listings = new ArrayList<>();
    try {
      while (take(batch)) {
        long found = 0;
        while (found < limits.batchEntries() && !batch.isEmpty()) {
          Listing listing = listing(batch.remove());
          listings.add(listing);
          found += counted(listing);
        }
        put(listings, batch);
        listings.clear();
        batch.clear();
      }
    } catch (RuntimeException | Error e) {
      fail(e);
    }
  }

  private Listing listing(Directory directory) {
    try {
      return new Listing(directory, list(directory), null);
    } catch (IOException e) {
      return new Listing(directory, List.of(), e);
    }
  }

  /** Records an error of the program, as opposed to a problem with a directory. */
  private void fail(Throwable problem) {
    lock.lock();
    try {
      failure = problem;
      listed.signal();
    } finally {
      lock.unlock();
    }
  }

  /** Takes the next directories to list ahead; returns false at the end. */
  private boolean take(Collection<Directory> batch) {
    lock.lock();
    try {
      while (!closed && (full || waiting.isEmpty())) {
        work.awaitUninterruptibly();
      }
      if (closed) {
        return false;
      }
      int count = Math.clamp(waiting.size() / (2L * limits.threads), 1, MOST_AT_ONCE);
      for (int i = 0; i < count; i++) {
        Directory next = waiting.remove();
        next.begun = true;
        batch.add(next);
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Hands over listings, and returns the directories that were not listed. */
  private void put(List<Listing> listings, Collection<Directory> left) {
    lock.lock();
    try {
      for (Directory directory : left) {
        directory.begun = false;
        queue(directory);
      }
      for (Listing listing : listings) {
        listing.directory.listing = listing;
        held += counted(listing);
        offer(listing.entries);
      }
      full |= held >= limits.entries;
      // The walk may be waiting for one of them.
      Directory next = awaited;
      if (next != null && (next.listing != null || !next.begun)) {
        listed.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Call with the lock held. */
  private void queue(Directory directory) {
    if (closed) {
      return;
    }
    waiting.add(directory);
    if (!full) {
      work.signal();
    }
  }

  /**
   * Queues the directories among some entries and starts threads for them. Call with the lock held.
   */
  private void offer(List<DirectoryEntry> entries) {
    for (DirectoryEntry entry : entries) {
      if (entry instanceof Directory directory && !avoided.test(directory)) {
        queue(directory);
      }
    }
    while (!full && started < Math.min(limits.threads, waiting.size())) {
      started++;
      Thread thread = new Thread(this::listAhead, "list-" + started);
      thread.setDaemon(true);
      thread.start();
    }
  }

  /** Returns all entries or throws: half a directory would look like a whole one. */
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
