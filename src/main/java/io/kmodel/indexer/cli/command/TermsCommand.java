package io.kmodel.indexer.cli.command;

import com.google.common.collect.ImmutableMap;
import io.kmodel.indexer.cli.base.ExitCode;
import io.kmodel.indexer.cli.base.Log;
import io.kmodel.indexer.cli.base.Visible;
import io.kmodel.indexer.cli.option.AtLeastOne;
import io.kmodel.indexer.cli.option.FieldOption;
import io.kmodel.indexer.cli.option.IndexArgument;
import io.kmodel.indexer.cli.option.JsonOption;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.TermCursor;
import io.kmodel.indexer.index.TermCursor.Seek;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code indexer terms}. */
@Command(
    name = "terms",
    mixinStandardHelpOptions = true,
    description =
        "List the terms that begin with PREFIX, in byte order, with their document and total"
            + " frequency.",
    footerHeading = "%nExample:%n",
    footer = "  indexer terms index sort --limit 10")
final class TermsCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private IndexArgument index;

  @Parameters(
      index = "1",
      arity = "0..1",
      defaultValue = "",
      paramLabel = "PREFIX",
      description = "The beginning of the terms (default: all terms).")
  private String prefix;

  @Mixin private FieldOption field;

  @Option(
      names = {"-n", "--limit"},
      paramLabel = "N",
      defaultValue = "50",
      description = "Show at most N terms (default: ${DEFAULT-VALUE}).")
  private int limit;

  @Mixin private JsonOption json;

  @SuppressWarnings("NullAway.Init") // picocli fills the options
  TermsCommand() {}

  @Override
  public Integer call() throws IOException {
    AtLeastOne.require(spec, "--limit", limit);
    PrintWriter out = spec.commandLine().getOut();
    byte[] from = prefix.getBytes(StandardCharsets.UTF_8);
    int shown = 0;
    try (InvertedIndex opened = index.open()) {
      TermCursor terms = opened.terms(field.ordinal(opened.schema()));
      boolean more = terms.seek(from, 0, from.length) != Seek.END;
      boolean read = true;
      for (; more && terms.startsWith(from) && shown < limit && read; more = terms.next()) {
        print(terms, out);
        shown++;
        read = !out.checkError();
      }
      if (more && shown == limit && terms.startsWith(from) && !json.isGiven()) {
        out.printf("… and more; raise --limit to show them%n");
      }
    }
    out.flush();
    if (shown == 0) {
      Log.of(spec).note("no term of %s begins with '%s'".formatted(field.name(), prefix));
      return ExitCode.INCOMPLETE;
    }
    return ExitCode.OK;
  }

  private void print(TermCursor terms, PrintWriter out) throws IOException {
    String term = terms.text();
    if (json.isGiven()) {
      JsonOption.print(
          ImmutableMap.of(
              "term", term, "documents", terms.docFreq(), "occurrences", terms.totalTermFreq()),
          out);
    } else {
      out.printf(
          Locale.ROOT,
          "%,12d %,14d  %s%n",
          terms.docFreq(),
          terms.totalTermFreq(),
          Visible.of(term));
    }
  }
}
