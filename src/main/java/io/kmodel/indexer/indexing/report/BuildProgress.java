package io.kmodel.indexer.indexing.report;

import io.kmodel.indexer.source.Location;
import io.kmodel.indexer.source.SkipListener;
import io.kmodel.indexer.source.SkipReason;
import io.kmodel.indexer.source.remote.RemoteCounts;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** The progress of a build. Written by its threads, read by displays. */
public final class BuildProgress {
  /** The stages a build goes through, in order. */
  public enum Stage {
    /** Copying standard input, if the crawl has it. */
    RECEIVE("reading standard input"),
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

  /** Gets important events at once. Called by the threads of the build; must be quick. */
  public interface Listener extends SkipListener {
    /** Ignores all events. */
    Listener NONE =
        new Listener() {
          @Override
          public void entered(Stage stage) {}

          @Override
          public void skipped(Location place, SkipReason reason, String detail) {}
        };

    void entered(Stage stage);
  }

  /** Share of a stage before which its remaining time cannot be estimated. */
  private static final double LEAST_SHARE = 0.01;

  private final Listener listener;
  private volatile Stage stage = Stage.SCAN;
  private volatile long stageStart = System.nanoTime();
  private final AtomicLong totalBytes = new AtomicLong();
  private final LongAdder bytes = new LongAdder();
  private final LongAdder documents = new LongAdder();

  /**
   * Read by this process, not by an interrupted build; a document that is read twice counts twice.
   */
  private final LongAdder ownBytes = new LongAdder();

  private final LongAdder ownDocuments = new LongAdder();
  private final LongAdder ownPassed = new LongAdder();
  private final LongAdder passed = new LongAdder();
  private final LongAdder runs = new LongAdder();
  private final AtomicLong mergeTotal = new AtomicLong();
  private final LongAdder merged = new LongAdder();
  private final LongAdder beats = new LongAdder();
  private final LongAdder received = new LongAdder();
  private volatile RemoteCounts remote = new RemoteCounts();

  /** Counts work that has no counter of its own. */
  public void beat() {
    beats.increment();
  }

  /** A number that changes whenever anything is done. */
  public long pulse() {
    return beats.sum() + bytes.sum() + documents.sum() + passed.sum() + runs.sum() + merged.sum();
  }

  /** Progress without a listener. */
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

  /** Sets the counts of requests to servers, which may still grow. */
  public void reads(RemoteCounts counts) {
    remote = counts;
  }

  /** The server that does not answer, and why; empty if all do. */
  public String serverFailure() {
    return remote.failure();
  }

  /** Counts of requests to servers. */
  RemoteCounts remote() {
    return remote;
  }

  /** Adds bytes read from standard input. */
  public void receive(long inputBytes) {
    received.add(inputBytes);
  }

  public void document(long sourceBytes) {
    documents.increment();
    ownDocuments.increment();
    bytes.add(sourceBytes);
    ownBytes.add(sourceBytes);
  }

  /** Takes back the counts of a split that will be read again. */
  public void forget(long documentCount, long sourceBytes, long listedBytes) {
    documents.add(-documentCount);
    bytes.add(-sourceBytes);
    passed.add(-listedBytes);
  }

  /** Adds the counts of a split that an interrupted build has read. */
  public void restored(long documentCount, long sourceBytes, long listedBytes) {
    forget(-documentCount, -sourceBytes, -listedBytes);
  }

  /** Adds the counts of a split that another process has read for this build. */
  public void readElsewhere(long documentCount, long sourceBytes, long listedBytes) {
    restored(documentCount, sourceBytes, 0);
    ownDocuments.add(documentCount);
    ownBytes.add(sourceBytes);
    passed(listedBytes);
    run();
  }

  public void passed(long listedBytes) {
    passed.add(listedBytes);
    ownPassed.add(listedBytes);
  }

  public void run() {
    runs.increment();
  }

  public void expectRanges(long total) {
    mergeTotal.set(total);
  }

  /** Expects more ranges, or fewer if the number is negative. */
  public void expectMoreRanges(long more) {
    mergeTotal.addAndGet(more);
  }

  public void range() {
    merged.increment();
  }

  public Stage stage() {
    return stage;
  }

  /** Duration of the present stage so far. */
  public double stageSeconds() {
    return (System.nanoTime() - stageStart) / 1e9;
  }

  /** Estimated rest of the present stage, -1 if unknown. */
  public double secondsLeft() {
    double done = share();
    double doneNow = stage == Stage.PARSE ? ratio(ownPassed.sum(), totalBytes()) : done;
    return doneNow <= LEAST_SHARE || stage == Stage.DONE
        ? -1
        : stageSeconds() * (1 - done) / doneNow;
  }

  /** Bytes of the crawl, as listed. */
  public long totalBytes() {
    return totalBytes.get();
  }

  /** Bytes read from standard input. */
  public long receivedBytes() {
    return received.sum();
  }

  /** Bytes of the crawl that were read or skipped, as listed. */
  public long passedBytes() {
    return passed.sum();
  }

  /** Finished share of the present stage, 0 to 1; 0 if unknown. */
  public double share() {
    return switch (stage) {
      case RECEIVE, SCAN, FINISH -> 0;
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

  /** Bytes of the documents that this process has parsed, decompressed. */
  public long ownBytes() {
    return ownBytes.sum();
  }

  /** Documents that this process has parsed. */
  public long ownDocuments() {
    return ownDocuments.sum();
  }

  /** Runs written. */
  public long runs() {
    return runs.sum();
  }

  /** Term ranges of the merge; 0 before it starts. */
  public long ranges() {
    return mergeTotal.get();
  }

  public long mergedRanges() {
    return merged.sum();
  }
}
