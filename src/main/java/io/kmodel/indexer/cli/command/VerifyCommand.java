package io.kmodel.indexer.cli.command;

import io.kmodel.indexer.cli.base.ByteSize;
import io.kmodel.indexer.cli.base.ExitCode;
import io.kmodel.indexer.cli.option.IndexArgument;
import io.kmodel.indexer.cli.option.JsonOption;
import io.kmodel.indexer.cli.view.Counted;
import io.kmodel.indexer.cli.view.Display;
import io.kmodel.indexer.cli.view.TaskView;
import io.kmodel.indexer.index.verify.DeepVerifier;
import io.kmodel.indexer.index.verify.IndexVerifier;
import io.kmodel.indexer.index.verify.VerificationResult;
import io.kmodel.indexer.store.CorruptIndexException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code indexer verify}. */
@Command(
    name = "verify",
    mixinStandardHelpOptions = true,
    description = {
      "Read every byte of an index: check the checksums of all its files, then every term, posting,"
          + " position, length and stored document, and recount the statistics. The first fault"
          + " ends the check with exit code 3 and names the file and location. The build's own"
          + " reports have no checksums, may be altered or missing, and are not checked:"
          + " report.html, report.json and skipped.jsonl. Other files are ignored.",
      "",
      "With --deep, read it a second time as searches do: look up every term, skip to every block"
          + " of every list, recount document lengths from positions, and compare stored ids with"
          + " the terms. This takes longer, and needs 4 bytes per document and up to 180 MiB"
          + " besides the heap. Documents that share an id are counted.",
      "",
      "With --json, print an object with the verdict, the problem, and the files and counts that"
          + " were checked, also with --quiet. Exit codes stay the same.",
      ""
    },
    footerHeading = "%nExample:%n",
    footer = {"  indexer verify index", "  indexer verify --deep index"})
final class VerifyCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private IndexArgument index;
  @Mixin private Display display;

  @Option(
      names = "--deep",
      fallbackValue = "true",
      description = "Also read the index as searches do, and recount lengths.")
  private boolean deep;

  @Mixin private JsonOption json;

  @SuppressWarnings("NullAway.Init") // picocli fills the options
  VerifyCommand() {}

  @Override
  public Integer call() throws IOException {
    Path directory = index.directory();
    Map<String, Object> checks = new LinkedHashMap<>();
    try {
      verify(directory, checks);
      if (deep) {
        search(directory, checks);
      }
    } catch (CorruptIndexException e) {
      printJson(directory, checks, String.valueOf(e.getMessage()));
      throw e;
    } catch (NoSuchFileException e) {
      printJson(directory, checks, "no such file: " + e.getMessage());
      throw e;
    }
    printJson(directory, checks, null);
    return ExitCode.OK;
  }

  private void verify(Path directory, Map<String, Object> checks) throws IOException {
    VerificationResult result;
    try (TaskView view = display.task("verifying")) {
      result = IndexVerifier.verify(directory, view);
    }
    checks.put("read", result);
    if (!display.quiet() && !json.isGiven()) {
      report(directory, result);
    }
    display.report(result);
  }

  private void search(Path directory, Map<String, Object> checks) throws IOException {
    DeepVerifier.Result result;
    try (TaskView view = display.task("searching")) {
      result = DeepVerifier.verify(directory, view);
    }
    checks.put("searched", result);
    if (!display.quiet() && !json.isGiven()) {
      report(directory, result);
    }
    display.report(result);
  }

  /** Prints the verdict if JSON is asked for, quiet or not. */
  private void printJson(Path directory, Map<String, Object> checks, @Nullable String problem)
      throws IOException {
    if (!json.isGiven()) {
      return;
    }
    PrintWriter out = spec.commandLine().getOut();
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("index", directory.toString());
    members.put("verdict", problem == null ? "intact" : "damaged");
    members.put("problems", problem == null ? List.of() : List.of(problem));
    members.putAll(checks);
    JsonOption.print(members, out);
    out.flush();
  }

  private void report(Path directory, VerificationResult result) {
    PrintWriter out = spec.commandLine().getOut();
    out.printf(
        Locale.ROOT,
        "%s is intact: %s read; %s, %s, %s, %s, %s of stored documents%n",
        directory,
        ByteSize.format(result.bytes()),
        Counted.of(result.documents(), "document"),
        Counted.of(result.terms(), "term"),
        Counted.of(result.postings(), "posting"),
        Counted.of(result.positions(), "position"),
        Counted.of(result.storedBlocks(), "block"));
    out.flush();
  }

  private void report(Path directory, DeepVerifier.Result result) {
    PrintWriter out = spec.commandLine().getOut();
    out.printf(
        Locale.ROOT,
        "%s: searches agree: %s looked up, their lists skipped through; %s recounted, %s read%s; %s"
            + " with the id of an earlier one%n",
        directory,
        Counted.of(result.terms(), "term"),
        Counted.of(result.lengths(), "length"),
        Counted.of(result.texts(), "stored text"),
        result.values() == 0
            ? ""
            : ", %s of metadata compared".formatted(Counted.of(result.values(), "string")),
        Counted.of(result.sharedIds(), "document"));
    out.flush();
  }
}
