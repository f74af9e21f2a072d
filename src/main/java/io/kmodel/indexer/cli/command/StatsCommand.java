package io.kmodel.indexer.cli.command;

import io.kmodel.indexer.analysis.IndexAnalysis;
import io.kmodel.indexer.cli.base.ByteSize;
import io.kmodel.indexer.cli.base.ExitCode;
import io.kmodel.indexer.cli.base.Visible;
import io.kmodel.indexer.cli.option.IndexArgument;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.model.FieldStatistics;
import io.kmodel.indexer.index.model.IndexMetadata;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.index.verify.ColumnNumbers;
import io.kmodel.indexer.index.verify.CorpusAnalysis;
import io.kmodel.indexer.index.verify.CorpusStatistics;
import io.kmodel.indexer.index.verify.IndexNumbers;
import io.kmodel.indexer.indexing.report.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code indexer stats}. */
@Command(
    name = "stats",
    mixinStandardHelpOptions = true,
    description = {
      "Show what an index holds: documents, terms and tokens by field, columns of metadata, files"
          + " and their sizes, bits per posting.",
      "",
      "Also describes the text of each field: vocabulary growth (Heaps' law), frequencies of the"
          + " most frequent terms (Zipf's law), and the longest postings lists. This reads all"
          + " terms.",
      ""
    },
    footerHeading = "%nExample:%n",
    footer = "  indexer stats index --json")
final class StatsCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private IndexArgument index;

  @Option(names = "--json", fallbackValue = "true", description = "Print JSON.")
  private boolean json;

  @SuppressWarnings("NullAway.Init") // picocli fills the options
  StatsCommand() {}

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    try (InvertedIndex opened = index.open()) {
      IndexNumbers numbers = IndexNumbers.of(opened.metadata(), CorpusAnalysis.of(opened));
      if (json) {
        out.println(
            Json.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(numbers.members()));
      } else {
        print(opened.schema(), opened.metadata(), out);
        print(numbers, out);
        numbers.corpus().forEach(field -> print(field, out));
      }
    }
    out.flush();
    return ExitCode.OK;
  }

  private static void print(Schema schema, IndexMetadata metadata, PrintWriter out) {
    out.printf(Locale.ROOT, "documents  %,d%n", metadata.documentCount());
    printOptions(metadata.options(), out);
    out.printf(
        "%n%-10s %14s %14s %16s %16s %10s  %s%n",
        "field", "terms", "documents", "postings", "tokens", "mean", "records");
    for (int field = 0; field < schema.size(); field++) {
      FieldStatistics statistics = metadata.statistics().get(field);
      double mean =
          metadata.documentCount() == 0
              ? 0
              : (double) statistics.tokens() / metadata.documentCount();
      out.printf(
          Locale.ROOT,
          "%-10s %,14d %,14d %,16d %,16d %,10.1f  %s%s%n",
          schema.field(field).name(),
          statistics.terms(),
          statistics.documents(),
          statistics.postings(),
          statistics.tokens(),
          mean,
          schema.field(field).detail().name().toLowerCase(Locale.ROOT),
          schema.field(field).stored() ? ", stored" : "");
    }
    out.println();
    printColumns(ColumnNumbers.of(metadata), out);
    long total = 0;
    for (var file : metadata.files().entrySet()) {
      out.printf("%-24s %10s%n", file.getKey(), ByteSize.format(file.getValue().bytes()));
      total += file.getValue().bytes();
    }
    out.printf("%-24s %10s%n", "all files", ByteSize.format(total));
  }

  private static void printColumns(List<ColumnNumbers> columns, PrintWriter out) {
    if (columns.isEmpty()) {
      return;
    }
    out.printf("%-16s %-8s %14s  %s%n", "column", "type", "documents", "values");
    for (ColumnNumbers column : columns) {
      String range =
          column.least() == null ? "" : "%s to %s".formatted(column.least(), column.greatest());
      String line =
          String.format(
              Locale.ROOT,
              "%-16s %-8s %,14d  %s",
              column.name(),
              column.type(),
              column.documents(),
              range);
      out.println(line.stripTrailing());
    }
    out.println();
  }

  /**
   * Prints how the index was built; analyzers by name, since their definitions may hold whole
   * files.
   */
  private static void printOptions(Map<String, String> options, PrintWriter out) {
    options.forEach(
        (name, value) -> {
          if (!IndexAnalysis.isOption(name)) {
            out.printf("%-10s %s%n", name, Visible.of(value));
          }
        });
    if (options.containsKey("analyzer")) {
      IndexAnalysis analysis = IndexAnalysis.from(options);
      out.printf("%-10s %s%n", "analyzer", analysis.general());
      analysis
          .byField()
          .forEach((field, definition) -> out.printf("%-10s %s: %s%n", "", field, definition));
    }
  }

  private static void print(IndexNumbers numbers, PrintWriter out) {
    out.printf(Locale.ROOT, "%n%-24s %10.2f%n", "bits per posting", numbers.bitsPerPosting());
    out.printf(Locale.ROOT, "%-24s %10.2f%n", "bits per position", numbers.bitsPerPosition());
    out.printf(Locale.ROOT, "%-24s %10.2f%n", "bytes per term", numbers.dictionaryBytesPerTerm());
  }

  private static void print(CorpusStatistics field, PrintWriter out) {
    out.printf("%nThe text of %s%n", field.field());
    out.printf("  vocabulary%s%n", law(" = %.2f · tokens^%.3f (Heaps)", field.heaps()));
    out.printf("  %14s %16s %14s%n", "documents", "tokens", "terms");
    for (CorpusStatistics.Vocabulary point : field.vocabulary()) {
      out.printf(
          Locale.ROOT, "  %,14d %,16d %,14d%n", point.documents(), point.tokens(), point.terms());
    }
    out.printf("  frequency%s%n", law(" = %.1f / rank^%.3f (Zipf)", field.zipf()));
    out.printf("  %14s %16s%n", "rank", "occurrences");
    for (CorpusStatistics.Rank point : field.ranks()) {
      out.printf(Locale.ROOT, "  %,14d %,16d%n", point.rank(), point.frequency());
    }
    out.printf("  longest lists%n  %14s %16s  %s%n", "documents", "occurrences", "term");
    for (CorpusStatistics.LongList list : field.longest()) {
      out.printf(
          Locale.ROOT,
          "  %,14d %,16d  %s%n",
          list.documents(),
          list.occurrences(),
          Visible.of(list.term()));
    }
  }

  /** Formats a law with its parameters, if they are known. */
  private static String law(String format, CorpusStatistics.PowerLaw law) {
    return Double.isNaN(law.exponent())
        ? ""
        : String.format(Locale.ROOT, format, law.factor(), law.exponent());
  }
}
