package io.kmodel.indexer.indexing.report;

import io.kmodel.indexer.source.Location;
import io.kmodel.indexer.source.SkipListener;
import io.kmodel.indexer.source.SkipReason;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** What a build has done so far; written by its threads, read by whoever shows it. */
public final class BuildProgress {
  /** The stages a build goes through, in order. */
  public enum Stage {
    SCAN("scanning"),
    PARSE("parsing"),
    MERGE("merging"),
    FINISH("finishing"),
    DONE("done");

    private final String label;

    Stage(String label) {
      this.label = label;
    }

    public String label() {
      return label;
    }
  }

  /** Is told at once what is not to be missed. Called by the build's threads; must be quick. */
  public interface Listener extends SkipListener {
    /** For callers that do not want to know. */
    Listener NONE =
        new Listener() {
          @Override
          public void entered(Stage stage) {}

          @Override
          public void skipped(Location place, SkipReason reason, String detail) {}
        };

    void entered(Stage stage);
  }

  /** Of a stage, before which it cannot be told how long it takes. */
  private static final double LEAST_SHARE = 0.01;

  private final Listener listener;
  private volatile Stage stage = Stage.SCAN;
  private volatile long stageStart = System.nanoTime();
  private final AtomicLong totalBytes = new AtomicLong();
  private final LongAdder bytes = new LongAdder();
  private final LongAdder documents = new LongAdder();
  private final LongAdder passed = new LongAdder();
  private final LongAdder runs = new LongAdder();
  private final AtomicLong mergeTotal = new AtomicLong();
  private final LongAdder merged = new LongAdder();
  private final LongAdder beats = new LongAdder();

  /** Something was done that is not counted otherwise. */
  public void beat() {
    beats.increment();
  }

  /** A number that stays the same only as long as nothing is done. */
  public long pulse() {
    return beats.sum() + bytes.sum() + documents.sum() + passed.sum() + runs.sum() + merged.sum();
  }

  /** A build that nobody listens to. */
  public BuildProgress() {
    this(Listener.NONE);
  }

  public BuildProgress(Listener listener) {
    this.listener = listener;
  }

  public Listener listener() {
    return listener;
  }

  public void enter(Stage next) {
    stageStart = System.nanoTime();
    stage = next;
    listener.entered(next);
    beat();
  }

  public void expectBytes(long total) {
    totalBytes.set(total);
  }

  public void document(long sourceBytes) {
    documents.increment();
    bytes.add(sourceBytes);
  }

  /** What was counted of splits that will be read again. */
  public void forget(long documentCount, long sourceBytes, long listedBytes) {
    documents.add(-documentCount);
    bytes.add(-sourceBytes);
    passed.add(-listedBytes);
  }

  /** What was counted of splits that an earlier build has read. */
  public void restored(long documentCount, long sourceBytes, long listedBytes) {
    forget(-documentCount, -sourceBytes, -listedBytes);
  }

  public void passed(long listedBytes) {
    passed.add(listedBytes);
  }

  public void run() {
    runs.increment();
  }

  public void expectRanges(long total) {
    mergeTotal.set(total);
  }

  /** The same where they become known one after another; fewer, if it is negative. */
  public void expectMoreRanges(long more) {
    mergeTotal.addAndGet(more);
  }

  public void range() {
    merged.increment();
  }

  public Stage stage() {
    return stage;
  }

  /** How long the present stage has lasted. */
  public double stageSeconds() {
    return (System.nanoTime() - stageStart) / 1e9;
  }

  /** What is left of the present stage if it goes on as it has, -1 where that is not known. */
  public double secondsLeft() {
    double done = share();
    return done <= LEAST_SHARE || stage == Stage.DONE ? -1 : stageSeconds() * (1 - done) / done;
  }

  /** Bytes of the crawl, as listed. */
  public long totalBytes() {
    return totalBytes.get();
  }

  /** Bytes of the crawl that are done with, as listed, skipped files included. */
  public long passedBytes() {
    return passed.sum();
  }

  /** Share of the present stage that is done, 0 to 1; 0 where that is not known. */
  public double share() {
    return switch (stage) {
      case SCAN, FINISH -> 0;
      case PARSE -> ratio(passedBytes(), totalBytes());
      case MERGE -> ratio(mergedRanges(), ranges());
      case DONE -> 1;
    };
  }

  private static double ratio(long part, long whole) {
    return whole == 0 ? 0 : Math.min(1, (double) part / whole);
  }

  /** Bytes of the documents parsed, decompressed. */
  public long bytes() {
    return bytes.sum();
  }

  public long documents() {
    return documents.sum();
  }

  /** Runs written. */
  public long runs() {
    return runs.sum();
  }

  /** Term ranges that the merge consists of; 0 before it begins. */
  public long ranges() {
    return mergeTotal.get();
  }

  public long mergedRanges() {
    return merged.sum();
  }
}
