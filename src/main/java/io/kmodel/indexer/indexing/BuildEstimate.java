package io.kmodel.indexer.indexing;

import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.indexing.documents.DocumentGate;
import io.kmodel.indexer.indexing.documents.InversionChoice;
import io.kmodel.indexer.indexing.journal.OutputPlace;
import io.kmodel.indexer.indexing.options.BuildException;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.options.MemoryPlan;
import io.kmodel.indexer.indexing.options.Store;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.inversion.InversionStage;
import io.kmodel.indexer.inversion.ListForm;
import io.kmodel.indexer.source.Split;
import io.kmodel.indexer.source.crawl.Crawl;
import io.kmodel.indexer.source.crawl.CrawlSurvey;
import io.kmodel.indexer.source.crawl.CrawlSurvey.Kind;
import io.kmodel.indexer.source.crawl.CrawlSurvey.Use;
import io.kmodel.indexer.source.crawl.LeadingSplits;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What a build would read and need, estimated from the names, sizes and first bytes of the files;
 * nothing is written. The constants were measured on builds of the samples and of Debian's
 * documentation. {@link #FACTOR} bounds the error.
 *
 * @param survey the files
 * @param splits pieces that are read side by side
 * @param threads that read them
 * @param tokens occurrences of terms
 * @param runs sorted runs
 * @param runDiskBytes runs, if none waits in memory, and stored texts, until the index is complete;
 *     0 if runs become Lucene segments at once
 * @param indexBytes the index
 * @param heapBytes the maximum of the Java heap
 * @param runMemoryBytes all runs, including those that wait, or texts for a device, off the heap
 */
public record BuildEstimate(
    CrawlSurvey survey,
    int splits,
    int threads,
    long tokens,
    int runs,
    long runDiskBytes,
    long indexBytes,
    long heapBytes,
    long runMemoryBytes) {
  /**
   * Estimates of tokens, runs and disk are accurate within this factor on the crawls we measured.
   */
  public static final int FACTOR = 3;

  /** Assumed ratio of decompressed to compressed size. */
  public static final int EXPANSION = 4;

  /** Assumed for web archives, whose first bytes say little; HTML pages have a word in 20 bytes. */
  public static final int ARCHIVE_BYTES_PER_TOKEN = 20;

  /** Bytes of a token and the white space around it. */
  private static final int TEXT_BYTES_PER_TOKEN = 6;

  /** Memory per token in a run: the key, sorting space, and a share of the dictionary. */
  private static final int MEMORY_BYTES_PER_TOKEN = 24;

  /** More of it with offsets. */
  private static final int MEMORY_BYTES_PER_OFFSET = 16;

  /**
   * On disk, with positions and the dictionary of the run or index; half of it without positions.
   */
  private static final double RUN_BYTES_PER_TOKEN = 2.5;

  private static final double INDEX_BYTES_PER_TOKEN = 2.2;

  /** On disk, in addition to either. */
  private static final double BYTES_PER_OFFSET = 1.8;

  /** Compressed share of stored text. */
  private static final double STORED_SHARE = 0.3;

  /** Per document: its id and lengths. */
  private static final int DOCUMENT_BYTES = 16;

  /** Headers and footers of the files, which matter for the smallest indexes. */
  private static final int FILES_BYTES = 2048;

  /**
   * Estimates a build.
   *
   * @param passedOver paths that are no part of the crawl, besides those of the build
   * @param merges whether runs are merged, and so written; if not, each becomes a Lucene segment
   * @throws BuildException if the build would read its own work directory
   * @throws IllegalArgumentException if the memory budget is too small
   * @throws IOException if a root is missing or cannot be listed
   */
  public static BuildEstimate of(
      BuildOptions options, List<Path> passedOver, boolean merges, BuildProgress progress)
      throws IOException {
    MemoryPlan plan = MemoryPlan.of(options, merges);
    OutputPlace.requireApart(options.roots(), options.output(), null);
    List<Path> hidden = new ArrayList<>(OutputPlace.of(options.output(), null).places());
    hidden.addAll(passedOver);
    Crawl crawl = Crawl.open(options.roots(), hidden, options.source(), progress.listener());
    CrawlSurvey survey = crawl.survey(new DocumentGate(plan, 1).guard().decoders());
    int threads = options.resources().threads();
    InversionChoice choice = InversionChoice.of(options, plan, ListForm.LUCENE);
    boolean byDevice = !merges && InversionStage.mayHaveDevice() && choice.inverts(crawl.bytes());
    List<Split> splits =
        byDevice
            ? crawl.evenSplits(threads, choice.splitBytes(), LeadingSplits.NONE)
            : crawl.splits(crawl.splitBytes(threads), new LeadingSplits(threads));
    long tokens = tokens(survey);
    Detail detail = options.text().detail();
    double stored = STORED_SHARE * storedText(options.text().store(), survey, tokens);
    double documents = (double) survey.files(Use.DOCUMENT) * DOCUMENT_BYTES;
    double runs = tokens * diskBytes(RUN_BYTES_PER_TOKEN, detail) + stored;
    double index =
        tokens * diskBytes(INDEX_BYTES_PER_TOKEN, detail) + stored + documents + FILES_BYTES;
    return new BuildEstimate(
        survey,
        splits.size(),
        threads,
        tokens,
        byDevice ? splits.size() : runs(splits, crawl.bytes(), tokens, tokensPerRun(plan, detail)),
        merges ? (long) runs : 0,
        (long) index,
        plan.heapBytes(),
        byDevice
            ? blockMemory(splits, threads, plan)
            : threads * MemoryPlan.usualRunBytes(plan.runBytes()) + plan.keptBytes());
  }

  /** Memory of the blocks of text whose runs a device makes. */
  private static long blockMemory(List<Split> splits, int threads, MemoryPlan plan) {
    long largest = splits.stream().mapToLong(Split::bytes).max().orElse(0);
    return threads * Math.min(plan.runBytes(), ListForm.LUCENE.memoryBytes(largest) + (32L << 20));
  }

  /** Bytes per token, given those with positions. */
  private static double diskBytes(double withPosition, Detail detail) {
    if (!detail.hasPositions()) {
      return withPosition / 2;
    }
    return detail.hasOffsets() ? withPosition + BYTES_PER_OFFSET : withPosition;
  }

  private static double tokensPerRun(MemoryPlan plan, Detail detail) {
    return (double) MemoryPlan.usualRunBytes(plan.runBytes()) / memoryBytes(detail);
  }

  private static int memoryBytes(Detail detail) {
    return MEMORY_BYTES_PER_TOKEN + (detail.hasOffsets() ? MEMORY_BYTES_PER_OFFSET : 0);
  }

  /** Bytes of the stored texts before compression. */
  private static double storedText(Store store, CrawlSurvey survey, long tokens) {
    return switch (store) {
      case NONE, ID -> 0;
      case CONTENTS -> (double) tokens * TEXT_BYTES_PER_TOKEN;
      case RAW ->
          survey.kinds().entrySet().stream()
              .filter(kind -> kind.getKey().use() != Use.SKIPPED)
              .mapToDouble(kind -> unpacked(kind.getKey(), kind.getValue()))
              .sum();
    };
  }

  private static double unpacked(Kind kind, CrawlSurvey.Content content) {
    return (double) content.bytes() * (kind.compression().isEmpty() ? 1 : EXPANSION);
  }

  private static long tokens(CrawlSurvey survey) {
    double tokens = 0;
    for (Map.Entry<Kind, CrawlSurvey.Content> kind : survey.kinds().entrySet()) {
      tokens += kind.getKey().use() == Use.SKIPPED ? 0 : tokens(kind.getKey(), kind.getValue());
    }
    return (long) tokens;
  }

  private static double tokens(Kind kind, CrawlSurvey.Content content) {
    double bytes = unpacked(kind, content);
    boolean archive = kind.format().equals("warc") || kind.format().equals("arc");
    return archive || content.sampledBytes() == 0
        ? bytes / ARCHIVE_BYTES_PER_TOKEN
        : bytes * content.sampledWords() / content.sampledBytes();
  }

  /** A run ends with its split, and when its memory is full. */
  private static int runs(List<Split> splits, long bytes, long tokens, double tokensPerRun) {
    double tokensPerByte = bytes == 0 ? 0 : (double) tokens / bytes;
    double runs = 0;
    for (Split split : splits) {
      runs += Math.max(1, Math.ceil(split.bytes() * tokensPerByte / tokensPerRun));
    }
    return (int) Math.min(runs, Integer.MAX_VALUE);
  }

  /** Disk space that must be free: runs are deleted when the index is complete. */
  public long diskBytes() {
    return runDiskBytes + indexBytes;
  }

  /** The assumptions behind the estimates, for people. */
  public List<String> assumptions() {
    List<String> lines = new ArrayList<>();
    lines.add(
        "tokens: words in the first 8 KiB of opened files, outside of tags; in WARC and ARC one in %d bytes, in Parquet one in %d of its text"
            .formatted(ARCHIVE_BYTES_PER_TOKEN, CrawlSurvey.TEXT_BYTES_PER_WORD));
    lines.add("compressed files unpack to %d times their size".formatted(EXPANSION));
    lines.add(
        "runs: at least one per split; a token takes %d bytes of a run's memory, %d more with offsets"
            .formatted(MEMORY_BYTES_PER_TOKEN, MEMORY_BYTES_PER_OFFSET));
    lines.add(
        "disk: %.1f bytes a token in runs, if none stays in memory, %.1f in the index, half without positions, %.1f more with offsets"
            .formatted(RUN_BYTES_PER_TOKEN, INDEX_BYTES_PER_TOKEN, BYTES_PER_OFFSET));
    lines.add(
        "stored text: %d bytes a token, compressed to %.0f %%"
            .formatted(TEXT_BYTES_PER_TOKEN, 100 * STORED_SHARE));
    lines.add("accurate within a factor of %d on the crawls we measured".formatted(FACTOR));
    return lines;
  }
}
