package io.kmodel.indexer.experiment;

import com.sun.management.OperatingSystemMXBean;
import io.kmodel.indexer.build.ProcessMemory;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Map;

/** What both contestants measure in the same way. */
final class Measurements {
  /**
   * What a contestant read.
   *
   * @param bytes of the documents, decompressed
   * @param skipped documents left out, by reason
   */
  record Source(long bytes, Map<String, Long> skipped) {}

  private Measurements() {}

  /** The result of a run that has just ended; process figures are read before anything else. */
  static RaceResult result(
      String contestant,
      double seconds,
      double indexSeconds,
      Source source,
      Path luceneIndex,
      Map<String, Double> stages)
      throws IOException {
    double cpuSeconds =
        ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime() / 1e9;
    long peakMemory = ProcessMemory.peakResidentBytes();
    LuceneIndexFacts facts = LuceneIndexFacts.of(luceneIndex);
    return new RaceResult(
        contestant,
        seconds,
        indexSeconds,
        cpuSeconds,
        facts.documents(),
        facts.tokens(),
        facts.terms(),
        source.bytes(),
        facts.bytes(),
        peakMemory,
        source.skipped(),
        stages);
  }
}
