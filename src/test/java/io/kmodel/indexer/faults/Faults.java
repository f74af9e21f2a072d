package io.kmodel.indexer.faults;

import io.kmodel.indexer.Tier;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Counts what is asked of a {@link FaultyFileSystem}, and says what is to fail. */
public final class Faults {
  private static final long HIDDEN = Long.MIN_VALUE;

  /** What can fail. */
  public enum Kind {
    /** Half of the bytes are written. */
    WRITE,
    /** Neither forced nor told of again. */
    FORCE,
    /** Of a file or a directory; it keeps its name. */
    RENAME,
    /** Of a channel that was written to; it is closed. */
    CLOSE,
    /** Of a file or a directory; it stays. */
    DELETE
  }

  private final Map<Kind, Integer> counts = new EnumMap<>(Kind.class);
  private @Nullable Kind kind;
  private int first;
  private int last;
  private int injected;
  private long free = -1;
  private boolean directories = true;
  private int opensLeft;
  private Runnable atOpen = () -> {};
  private Force atForce = path -> {};

  /** Of how many calls the quick tier tries one; the thorough tier tries every call. */
  public static int stride(int quick) {
    return Tier.pick(quick, 1);
  }

  /** Has the {@code n}th call of a kind fail, counted from 1 and from now. */
  public synchronized void fail(Kind failing, int n) {
    fail(failing, n, n);
  }

  /** Has the {@code n}th and all later calls of a kind fail. */
  public synchronized void failFrom(Kind failing, int n) {
    fail(failing, n, Integer.MAX_VALUE);
  }

  private void fail(Kind failing, int from, int to) {
    counts.clear();
    kind = failing;
    first = from;
    last = to;
    injected = 0;
  }

  /** Has the disk say that so many bytes are free, until {@link #stop}. */
  public synchronized void leaveFree(long bytes) {
    free = bytes;
  }

  /** Has the disk fail to say how much is free, until {@link #stop}. */
  public synchronized void hideSpace() {
    free = HIDDEN;
  }

  /** Runs something after the {@code n}th attempt from now to open a file. */
  public synchronized void atOpen(int n, Runnable what) {
    opensLeft = n;
    atOpen = what;
  }

  /** Called with the real path of every file or directory that is forced to the disk. */
  public interface Force {
    /** It is forced now; the caller waits. */
    void forced(Path path) throws IOException;
  }

  /** Sets who is told of every force. */
  public synchronized void atForce(Force who) {
    atForce = who;
  }

  void forced(Path path) throws IOException {
    Force who;
    synchronized (this) {
      who = atForce;
    }
    who.forced(FaultyPath.real(path));
  }

  void opened() {
    Runnable due;
    synchronized (this) {
      opensLeft--;
      due = opensLeft == 0 ? atOpen : () -> {};
    }
    due.run();
  }

  /** What {@link #leaveFree} has said, else -1. */
  synchronized long freeBytes() throws IOException {
    if (free == HIDDEN) {
      throw new IOException("Mount point not found");
    }
    return free;
  }

  /**
   * Has no force of a directory fail: what Lucene makes of one is an AssertionError, or nothing.
   */
  public synchronized void spareDirectories() {
    directories = false;
  }

  synchronized boolean failsDirectories() {
    return directories;
  }

  /** From now on nothing fails. */
  public synchronized void stop() {
    kind = null;
    free = -1;
  }

  /** How many calls were made to fail since {@link #fail}. */
  public synchronized int injected() {
    return injected;
  }

  synchronized boolean fails(Kind called) {
    int n = counts.merge(called, 1, Integer::sum);
    boolean fails = called == kind && n >= first && n <= last;
    injected += fails ? 1 : 0;
    return fails;
  }

  static IOException injected(Kind kind, Object what) {
    return new IOException("injected: %s of %s failed".formatted(kind, what));
  }

  void check(Kind called, Object what) throws IOException {
    if (fails(called)) {
      throw injected(called, what);
    }
  }
}
