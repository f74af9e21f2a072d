package io.kmodel.indexer.experiment.race;

import com.sun.management.OperatingSystemMXBean;
import io.kmodel.indexer.export.lucene.LuceneContent;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.model.FieldStatistics;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.indexing.report.BuildReport;
import io.kmodel.indexer.indexing.report.ProcessMemory;
import io.kmodel.indexer.store.disk.Directories;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Map;

/** Measurements that all contestants take the same way. */
final class Measurements {
  /**
   * The documents that a contestant read.
   *
   * @param bytes size of the documents, decompressed
   * @param skipped number of documents skipped, by reason
   */
  record Source(long bytes, Map<String, Long> skipped) {}

  private Measurements() {}

  /** The result of a run that just ended; reads the figures of the process first. */
  static RaceResult result(
      String contestant,
      double seconds,
      Source source,
      Path luceneIndex,
      Schema counted,
      Map<String, Double> stages)
      throws IOException {
    double cpuSeconds = cpuSeconds();
    long peakMemory = peakMemoryBytes();
    LuceneContent content = LuceneContent.of(luceneIndex, counted, Integer.MAX_VALUE);
    return new RaceResult(
        contestant,
        seconds,
        cpuSeconds,
        content.documents(),
        content.tokens(),
        content.terms(),
        content.postings(),
        source.bytes(),
        Directories.bytes(luceneIndex, ""),
        content.segments(),
        peakMemory,
        source.skipped(),
        stages);
  }

  /** The same for this program's own index, opened like users open it. */
  static RaceResult ownResult(
      double seconds,
      Source source,
      long indexBytes,
      Path index,
      Schema counted,
      Map<String, Double> stages)
      throws IOException {
    double cpuSeconds = cpuSeconds();
    long peakMemory = peakMemoryBytes();
    try (InvertedIndex opened = InvertedIndex.open(index)) {
      long terms = 0;
      long postings = 0;
      long tokens = 0;
      for (int field = 0; field < counted.size(); field++) {
        FieldStatistics of =
            opened.statistics(opened.schema().ordinal(counted.field(field).name()));
        terms += of.terms();
        postings += of.postings();
        tokens += counted.field(field).tokenized() ? of.tokens() : 0;
      }
      return new RaceResult(
          "own",
          seconds,
          cpuSeconds,
          opened.documentCount(),
          tokens,
          terms,
          postings,
          source.bytes(),
          indexBytes,
          0,
          peakMemory,
          source.skipped(),
          stages);
    }
  }

  /** The same for a run that built no index. */
  static RaceResult wordsResult(double seconds, BuildReport report, Map<String, Double> stages)
      throws IOException {
    return new RaceResult(
        "words",
        seconds,
        cpuSeconds(),
        report.documents(),
        report.tokens(),
        RaceResult.UNKNOWN,
        RaceResult.UNKNOWN,
        report.sourceBytes(),
        0,
        0,
        peakMemoryBytes(),
        report.skipped(),
        stages);
  }

  /** Processor time of all threads of this process so far. */
  static double cpuSeconds() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime()
        / 1e9;
  }

  /** The largest resident set of this process so far; -1 if unknown. */
  static long peakMemoryBytes() {
    return ProcessMemory.peakResidentBytes();
  }
}
