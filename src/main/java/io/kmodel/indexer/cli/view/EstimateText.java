package io.kmodel.indexer.cli.view;

import com.google.common.collect.ImmutableMap;
import io.kmodel.indexer.cli.base.ByteSize;
import io.kmodel.indexer.indexing.BuildEstimate;
import io.kmodel.indexer.source.crawl.CrawlSurvey;
import io.kmodel.indexer.source.crawl.CrawlSurvey.Use;
import io.kmodel.indexer.store.disk.DiskSpace;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Formatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;

/** A build estimate as text and as JSON members. */
public final class EstimateText {
  /** Upper bound of the JVM's memory besides the heap and the runs. */
  private static final long JVM_BYTES = 512L << 20;

  private EstimateText() {}

  public static String of(BuildEstimate estimate, Path target) {
    StringBuilder text = new StringBuilder();
    try (Formatter out = new Formatter(text, Locale.ROOT)) {
      out.format("%s: what a build would read and need; nothing was written%n", target);
      files(estimate.survey(), out);
      if (estimate.survey().opened() < estimate.survey().files()) {
        out.format(
            "  %-14s %s, evenly chosen; the kinds and tokens of others were guessed from these%n",
            "opened", Counted.of(estimate.survey().opened(), "file"));
      }
      out.format(
          "  %-14s %,d, for %s%n",
          "splits", estimate.splits(), Counted.of(estimate.threads(), "thread"));
      out.format("  %-14s about %,d%n", "tokens", estimate.tokens());
      out.format("  %-14s about %,d%n", "runs", estimate.runs());
      disk(estimate, target, out);
      out.format(
          "  %-14s %s: heap %s, runs %s; the JVM up to %s more%n",
          "memory",
          ByteSize.format(estimate.heapBytes() + estimate.runMemoryBytes()),
          ByteSize.format(estimate.heapBytes()),
          ByteSize.format(estimate.runMemoryBytes()),
          ByteSize.format(JVM_BYTES));
      out.format("  assumed%n");
      estimate.assumptions().forEach(line -> out.format("    %s%n", line));
    }
    return text.toString();
  }

  /** Returns the estimate as JSON members. */
  public static Map<String, Object> members(BuildEstimate estimate) {
    List<Map<String, Object>> kinds = new ArrayList<>();
    estimate
        .survey()
        .kinds()
        .forEach(
            (kind, content) ->
                kinds.add(
                    ImmutableMap.of(
                        "use", kind.use().name().toLowerCase(Locale.ROOT),
                        "format", kind.format(),
                        "compression", kind.compression(),
                        "files", content.files(),
                        "bytes", content.bytes())));
    return ImmutableMap.<String, Object>builder()
        .put("files", kinds)
        .put("openedFiles", estimate.survey().opened())
        .put("splits", estimate.splits())
        .put("threads", estimate.threads())
        .put("tokens", estimate.tokens())
        .put("runs", estimate.runs())
        .put("runDiskBytes", estimate.runDiskBytes())
        .put("indexBytes", estimate.indexBytes())
        .put("diskBytes", estimate.diskBytes())
        .put("heapBytes", estimate.heapBytes())
        .put("runMemoryBytes", estimate.runMemoryBytes())
        .put("factor", BuildEstimate.FACTOR)
        .build();
  }

  private static void files(CrawlSurvey survey, Formatter out) {
    for (Use use : Use.values()) {
      if (survey.files(use) == 0) {
        continue;
      }
      String label =
          switch (use) {
            case DOCUMENT -> "documents";
            case RECORDS -> "record files";
            case SKIPPED -> "skipped";
          };
      out.format(
          "  %-14s %s, %s%n",
          label, Counted.of(survey.files(use), "file"), ByteSize.format(survey.bytes(use)));
      survey
          .kinds()
          .forEach(
              (kind, content) -> {
                if (kind.use() == use) {
                  out.format(
                      "    %-12s %s, %s%n",
                      (kind.format() + " " + kind.compression()).strip(),
                      Counted.of(content.files(), "file"),
                      ByteSize.format(content.bytes()));
                }
              });
    }
  }

  private static void disk(BuildEstimate estimate, Path target, Formatter out) {
    OptionalLong free = DiskSpace.free(target);
    out.format(
        "  %-14s about %s during the build (runs %s, index %s), of %s free%s%n",
        "disk",
        ByteSize.format(estimate.diskBytes()),
        ByteSize.format(estimate.runDiskBytes()),
        ByteSize.format(estimate.indexBytes()),
        free.isPresent() ? ByteSize.format(free.getAsLong()) : "an unknown size",
        estimate.diskBytes() > free.orElse(Long.MAX_VALUE) ? ": TOO LITTLE" : "");
  }
}
