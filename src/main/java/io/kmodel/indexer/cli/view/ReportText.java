package io.kmodel.indexer.cli.view;

import io.kmodel.indexer.cli.base.ByteSize;
import io.kmodel.indexer.cli.base.Visible;
import io.kmodel.indexer.export.lucene.IndexCheck;
import io.kmodel.indexer.indexing.options.NearDuplicates;
import io.kmodel.indexer.indexing.report.BuildReport;
import io.kmodel.indexer.indexing.report.Execution;
import io.kmodel.indexer.sort.SortReport;
import io.kmodel.indexer.source.SkipReason;
import java.util.Formatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A build's report as text. */
public final class ReportText {
  /** The ending of the file that each segment of Lucene has once. */
  private static final String SEGMENT = ".si";

  private static final int SHOWN_MEMBERS = 10;

  /** Shorter work without bytes would be printed as 0.00. */
  private static final double LEAST_SECONDS = 0.005;

  private ReportText() {}

  public static String of(BuildReport report) {
    StringBuilder text = new StringBuilder();
    try (Formatter out = new Formatter(text, Locale.ROOT)) {
      summary(report, out);
      sorting(report.sorting(), out);
      work(report, out);
      duplicates(report, out);
      skipped(report, 0, out);
    }
    return text.toString();
  }

  /** The skipped documents of a build, and those that are noted or kept in part. */
  public static String ofSkipped(BuildReport report) {
    StringBuilder text = new StringBuilder();
    try (Formatter out = new Formatter(text, Locale.ROOT)) {
      duplicates(report, out);
      skipped(report, 0, out);
    }
    return text.toString();
  }

  /**
   * The same for documents that were appended to an index, without those that share an id: the
   * merge has counted these.
   *
   * @param duplicates documents that the merge skipped because of their ids
   */
  public static String ofAppended(BuildReport report, long duplicates) {
    StringBuilder text = new StringBuilder();
    try (Formatter out = new Formatter(text, Locale.ROOT)) {
      skipped(report, duplicates, out);
    }
    return text.toString();
  }

  private static void summary(BuildReport report, Formatter out) {
    double seconds = Math.max(report.seconds(), 1e-9);
    Execution execution = report.execution();
    long read = execution == null ? report.documents() : execution.readDocuments();
    long readBytes = execution == null ? report.sourceBytes() : execution.readBytes();
    long earlier = report.documents() - read;
    out.format(
        "%s: %s of %s%s%n",
        report.output(),
        report.ofLucene() ? "a Lucene index" : "an index",
        Counted.of(report.documents(), "document"),
        report.ofLucene() ? " in " + Counted.of(segments(report), "segment") : "");
    out.format(
        "  %-14s %.2f s, %,.0f documents/s, %s/s%s%n",
        "time",
        report.seconds(),
        read / seconds,
        ByteSize.format((long) (readBytes / seconds)),
        earlier <= 0 ? "" : ", without %s read before".formatted(Counted.of(earlier, "document")));
    out.format(
        "  %-14s %s, %s%s%n",
        "content",
        Counted.of(report.tokens(), "token"),
        report.distinctTerms() < 0
            ? ""
            : Counted.of(report.distinctTerms(), "distinct term") + ", ",
        Counted.of(report.postings(), "posting"));
    out.format(
        "  %-14s %s read, %s in the index, %s%n",
        "size",
        ByteSize.format(report.sourceBytes()),
        ByteSize.format(report.indexBytes()),
        Counted.of(report.runs(), "run"));
    sources(report.sources(), out);
    remote(execution, out);
    if (report.html().fast() + report.html().jsoup() > 0) {
      out.format(
          "  %-14s %s read without a tree, %,d by jsoup%s%n",
          "html",
          Counted.of(report.html().fast(), "page"),
          report.html().jsoup(),
          unsure(report.html().unsure()));
    }
    if (report.json().jackson() > 0) {
      out.format(
          "  %-14s %s read by their bytes, %,d by Jackson%s%n",
          "json",
          Counted.of(report.json().fast(), "object"),
          report.json().jackson(),
          unsure(report.json().unsure()));
    }
    if (report.peakMemoryBytes() >= 0) {
      out.format("  %-14s %s at its peak%n", "memory", ByteSize.format(report.peakMemoryBytes()));
    }
  }

  private static long segments(BuildReport report) {
    return report.files().stream().filter(file -> file.name().endsWith(SEGMENT)).count();
  }

  /** How a Lucene index was checked; a build fails if a check does. */
  public static String checked(IndexCheck check) {
    return check == IndexCheck.NONE
        ? "  checked        not at all (--check none)%n".formatted()
        : "  checked        by CheckIndex (%s), which found no fault%n"
            .formatted(check.name().toLowerCase(Locale.ROOT));
  }

  private static String unsure(Map<String, Long> reasons) {
    StringJoiner list = new StringJoiner(", ", " (", ")");
    list.setEmptyValue("");
    reasons.forEach(
        (reason, count) -> list.add(String.format(Locale.ROOT, "%s: %,d", reason, count)));
    return list.toString();
  }

  private static void remote(@Nullable Execution execution, Formatter out) {
    Execution.Remote remote = execution == null ? null : execution.remote();
    if (remote != null) {
      out.format(
          "  %-14s %s, %s, %s received%n",
          "servers",
          Counted.of(remote.requests(), "request"),
          remote.retries() == 1 ? "1 retry" : "%,d retries".formatted(remote.retries()),
          ByteSize.format(remote.bytes()));
    }
  }

  private static void sources(Map<String, BuildReport.Source> sources, Formatter out) {
    if (sources.isEmpty()) {
      return;
    }
    out.format("  read from%n");
    sources.forEach(
        (format, source) ->
            out.format(
                "    %-12s %s, %s%n",
                format,
                Counted.of(source.documents(), "document"),
                ByteSize.format(source.bytes())));
  }

  /**
   * Prints one line per device, one for the CPU with the reasons why it sorted, and one per unused
   * device.
   */
  static void sorting(BuildReport.Sorting sorting, Formatter out) {
    String what = sorting.pipeline().equals("inverted") ? "invert" : "sort";
    for (SortReport.Device device : sorting.stage().devices()) {
      out.format(
          "  %-14s %s on %s, %s: upload %.2f s, %s %.2f s, download %.2f s; threads waited %.2f"
              + " s, and checked for %.2f s%n",
          what,
          Counted.of(device.runs(), "run"),
          device.name(),
          sorting.pipeline(),
          device.uploadSeconds(),
          what,
          device.sortSeconds(),
          device.downloadSeconds(),
          sorting.threadSeconds(),
          sorting.stage().checkSeconds());
    }
    long byCpu = sorting.stage().cpuRuns();
    if (byCpu > 0) {
      StringJoiner reasons = new StringJoiner("; ");
      sorting
          .stage()
          .cpuReasons()
          .forEach(
              (reason, count) -> {
                if (count == byCpu) {
                  reasons.add(reason);
                } else if (count > 0) {
                  reasons.add(String.format(Locale.ROOT, "%,d %s", count, reason));
                }
              });
      out.format("  %-14s %s on the CPU: %s%n", what, Counted.of(byCpu, "run"), reasons);
    }
    sorting.stage().whyUnused().forEach(reason -> out.format("  %-14s %s%n", what, reason));
  }

  private static void work(BuildReport report, Formatter out) {
    out.format("  %-14s ", "wall clock");
    String separator = "";
    for (BuildReport.Phase phase : report.phases()) {
      out.format("%s%s %.2f s", separator, phase.name(), phase.seconds());
      separator = ", ";
    }
    BuildReport.Stretch one = report.oneCore();
    out.format(
        "%n  %-14s %.1f %% of the time at a stretch, from %.2f s to %.2f s",
        "one busy core",
        100 * one.seconds() / Math.max(report.seconds(), 1e-9),
        one.fromSeconds(),
        one.toSeconds());
    out.format("%n  %-14s %10s %12s%n", "work", "thread-s", "bytes");
    for (BuildReport.WorkDone work : report.work()) {
      if (work.bytes() == 0 && work.threadSeconds() < LEAST_SECONDS) {
        continue;
      }
      out.format(
          "    %-12s %10.2f %12s%n",
          work.name(),
          work.threadSeconds(),
          work.bytes() == 0 ? "" : ByteSize.format(work.bytes()));
    }
  }

  private static void duplicates(BuildReport report, Formatter out) {
    if (report.sharedIds() > 0) {
      out.format(
          "  %-14s %s with the id of an earlier one%n",
          "duplicates", Counted.of(report.sharedIds(), "document"));
    }
  }

  private static void skipped(BuildReport report, long duplicates, Formatter out) {
    if (!report.passedOver().isEmpty()) {
      long records = report.passedOver().values().stream().mapToLong(Long::longValue).sum();
      out.format("  %-14s %s%n", "passed over", Counted.of(records, "record"));
      report.passedOver().forEach((kind, count) -> out.format("    %,d %s%n", count, kind));
    }
    unused(report.unusedMembers(), out);
    Map<String, Long> skipped = new TreeMap<>(report.skipped());
    if (duplicates > 0) {
      skipped.merge(SkipReason.DUPLICATE.label(), duplicates, Long::sum);
    }
    long all = report.skippedDocuments() + duplicates;
    out.format("  %-14s %s%n", "skipped", Counted.of(all, "document"));
    skipped.forEach(
        (reason, count) -> {
          out.format("    %,d %s%n", count, reason);
          examples(report, reason, out);
        });
    report
        .noted()
        .forEach(
            (what, count) -> {
              boolean isFile = what.equals(SkipReason.MISSING_COLUMN.label());
              String counted = Counted.of(count, isFile ? "Parquet file" : "document");
              out.format("  %-14s %s: %s%n", "noted", what, counted);
              examples(report, what, out);
            });
    if (comparedInVain(report)) {
      out.format("  %-14s %s: 0 documents%n", "noted", SkipReason.SIMILAR.label());
    }
    if (report.documents() > 0 && !report.emptyColumns().isEmpty()) {
      out.format(
          "  %-14s no document has a value for %s%n",
          "noted", String.join(", ", report.emptyColumns()));
    }
    if (report.keptInPart() > 0) {
      String inPart = SkipReason.CUT_SHORT.label();
      out.format("  %-14s %s%n", inPart, Counted.of(report.keptInPart(), "document"));
      examples(report, inPart, out);
      examples(report, SkipReason.DAMAGED_CHARSET.label(), out);
    }
  }

  /** Whether documents were compared, and no two are similar. */
  private static boolean comparedInVain(BuildReport report) {
    BuildReport.Origin origin = report.origin();
    return origin != null
        && NearDuplicates.areFoundWith(origin.options())
        && !report.noted().containsKey(SkipReason.SIMILAR.label())
        && !report.skipped().containsKey(SkipReason.NEAR_DUPLICATE.label());
  }

  /** The most frequent first; a program that drops a text must say so. */
  private static void unused(Map<String, Long> members, Formatter out) {
    if (members.isEmpty()) {
      return;
    }
    out.format(
        "  %-14s %s of JSON objects%n",
        "not read",
        Counted.of(members.values().stream().mapToLong(Long::longValue).sum(), "member"));
    members.entrySet().stream()
        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
        .limit(SHOWN_MEMBERS)
        .forEach(
            member -> out.format("    %,d %s%n", member.getValue(), Visible.of(member.getKey())));
    if (members.size() > SHOWN_MEMBERS) {
      out.format("    and those of %s%n", Counted.of(members.size() - SHOWN_MEMBERS, "other name"));
    }
  }

  private static void examples(BuildReport report, String reason, Formatter out) {
    report
        .examples()
        .getOrDefault(reason, List.of())
        .forEach(example -> out.format("      %s%n", Visible.of(example)));
  }
}
