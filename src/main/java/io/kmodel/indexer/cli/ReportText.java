package io.kmodel.indexer.cli;

import io.kmodel.indexer.build.BuildReport;
import java.util.Formatter;
import java.util.List;
import java.util.Locale;

/** A build's report for people. */
final class ReportText {
  private ReportText() {}

  static String of(BuildReport report) {
    StringBuilder text = new StringBuilder();
    try (Formatter out = new Formatter(text, Locale.ROOT)) {
      summary(report, out);
      work(report, out);
      skipped(report, out);
    }
    return text.toString();
  }

  private static void summary(BuildReport report, Formatter out) {
    double seconds = Math.max(report.seconds(), 1e-9);
    out.format("%s: an index of %,d documents%n", report.output(), report.documents());
    out.format(
        "  %-14s %.2f s, %,.0f documents/s, %s/s%n",
        "time",
        report.seconds(),
        report.documents() / seconds,
        ByteSize.format((long) (report.sourceBytes() / seconds)));
    out.format(
        "  %-14s %,d tokens, %s%,d postings%n",
        "content",
        report.tokens(),
        report.distinctTerms() < 0
            ? ""
            : String.format(Locale.ROOT, "%,d distinct terms, ", report.distinctTerms()),
        report.postings());
    out.format(
        "  %-14s %s read, %s in the index, %,d %s%n",
        "size",
        ByteSize.format(report.sourceBytes()),
        ByteSize.format(report.indexBytes()),
        report.runs(),
        report.runs() == 1 ? "run" : "runs");
    if (report.html().fast() + report.html().jsoup() > 0) {
      out.format(
          "  %-14s %,d pages read without a tree, %,d by jsoup %s%n",
          "html",
          report.html().fast(),
          report.html().jsoup(),
          report.html().unsure().isEmpty() ? "" : report.html().unsure());
    }
    if (report.peakMemoryBytes() >= 0) {
      out.format("  %-14s %s at its peak%n", "memory", ByteSize.format(report.peakMemoryBytes()));
    }
  }

  private static void work(BuildReport report, Formatter out) {
    out.format("  %-14s ", "wall clock");
    String separator = "";
    for (BuildReport.Phase phase : report.phases()) {
      out.format("%s%s %.2f s", separator, phase.name(), phase.seconds());
      separator = ", ";
    }
    out.format("%n  %-14s %10s %12s%n", "work", "thread-s", "bytes");
    for (BuildReport.WorkDone work : report.work()) {
      out.format(
          "    %-12s %10.2f %12s%n",
          work.name(),
          work.threadSeconds(),
          work.bytes() == 0 ? "" : ByteSize.format(work.bytes()));
    }
  }

  private static void skipped(BuildReport report, Formatter out) {
    out.format("  %-14s %,d documents%n", "skipped", report.skippedDocuments());
    report
        .skipped()
        .forEach(
            (reason, count) -> {
              out.format("    %,d %s%n", count, reason);
              report
                  .examples()
                  .getOrDefault(reason, List.of())
                  .forEach(example -> out.format("      %s%n", example));
            });
  }
}
