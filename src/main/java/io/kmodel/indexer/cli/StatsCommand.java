package io.kmodel.indexer.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.kmodel.indexer.index.FieldStatistics;
import io.kmodel.indexer.index.IndexMetadata;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.Schema;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
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
    description =
        "Shows what an index holds: documents, terms and tokens by field, files and their sizes.",
    footerHeading = "%nExample:%n",
    footer = "  indexer stats index --json")
final class StatsCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private IndexArgument index;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @SuppressWarnings("NullAway.Init") // picocli fills the options
  StatsCommand() {}

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    try (InvertedIndex opened = index.open()) {
      IndexMetadata metadata = opened.metadata();
      if (json) {
        out.println(
            new ObjectMapper()
                .enable(SerializationFeature.INDENT_OUTPUT)
                .writeValueAsString(metadata));
      } else {
        print(opened.schema(), metadata, out);
      }
    }
    out.flush();
    return ExitCode.OK;
  }

  private static void print(Schema schema, IndexMetadata metadata, PrintWriter out) {
    out.printf(Locale.ROOT, "documents  %,d%n", metadata.documentCount());
    metadata.options().forEach((name, value) -> out.printf("%-10s %s%n", name, value));
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
    long total = 0;
    for (var file : metadata.files().entrySet()) {
      out.printf("%-24s %10s%n", file.getKey(), ByteSize.format(file.getValue().bytes()));
      total += file.getValue().bytes();
    }
    out.printf("%-24s %10s%n", "all files", ByteSize.format(total));
  }
}
