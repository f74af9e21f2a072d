package io.kmodel.indexer.cli.command;

import io.kmodel.indexer.cli.base.ExitCode;
import io.kmodel.indexer.cli.base.Log;
import io.kmodel.indexer.cli.base.Visible;
import io.kmodel.indexer.cli.option.IndexArgument;
import io.kmodel.indexer.cli.option.JsonOption;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.TermCursor;
import io.kmodel.indexer.index.TermCursor.Seek;
import io.kmodel.indexer.index.documents.StoredTexts;
import io.kmodel.indexer.index.model.Column;
import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.Field;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.index.postings.PostingList;
import io.kmodel.indexer.search.filter.ShownColumns;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
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
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code indexer document}. */
@Command(
    name = "document",
    mixinStandardHelpOptions = true,
    description = {
      "Show documents as they are stored, with their lengths in tokens and their metadata.",
      "",
      "If several documents share an id, all are shown. Which texts are stored is decided by 'build"
          + " --store'.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  indexer document index sorting/index.html",
      "  indexer document index 17 --number --field contents > page.txt"
    })
final class DocumentCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private IndexArgument index;

  @Parameters(
      index = "1..*",
      arity = "1..*",
      paramLabel = "ID",
      description = "Ids of documents; with --number, numbers.")
  private List<String> ids;

  @Option(
      names = "--number",
      fallbackValue = "true",
      description = "Take the arguments for numbers in the index, from 0.")
  private boolean number;

  @Option(
      names = "--field",
      paramLabel = "NAME",
      description = "Print the stored text of this field alone, as it is.")
  private @Nullable String field;

  @Mixin private JsonOption json;

  @SuppressWarnings("NullAway.Init") // picocli fills the options
  DocumentCommand() {}

  @Override
  public Integer call() throws IOException {
    if (field != null && json.isGiven()) {
      throw new ParameterException(spec.commandLine(), "--field prints text: leave out --json");
    }
    PrintWriter out = spec.commandLine().getOut();
    boolean missing = false;
    try (InvertedIndex opened = index.open();
        StoredTexts texts = opened.documents()) {
      ShownColumns columns =
          new ShownColumns(opened, opened.schema().columns().stream().map(Column::name).toList());
      requireStored(opened.schema());
      for (String id : ids) {
        List<Integer> found = number ? List.of(numbered(opened, id)) : withId(opened, id);
        if (found.isEmpty()) {
          Log.of(spec).note("no document has the id '%s'".formatted(Visible.of(id)));
          missing = true;
        }
        for (int document : found) {
          print(opened, document, texts, columns, out);
        }
      }
    }
    out.flush();
    return missing ? ExitCode.INCOMPLETE : ExitCode.OK;
  }

  private void requireStored(Schema schema) {
    if (field == null) {
      return;
    }
    if (schema.findColumn(field) >= 0) {
      throw new ParameterException(
          spec.commandLine(),
          "'%s' is a column of metadata, not a stored text; without --field, all columns are shown"
              .formatted(field));
    }
    int ordinal = schema.find(field);
    if (ordinal < 0 || !schema.field(ordinal).stored()) {
      throw new ParameterException(
          spec.commandLine(),
          "the index does not store the field '%s'; it stores %s"
              .formatted(
                  field, schema.fields().stream().filter(Field::stored).map(Field::name).toList()));
    }
  }

  private int numbered(InvertedIndex opened, String text) {
    try {
      int document = Integer.parseInt(text);
      if (document >= 0 && document < opened.documentCount()) {
        return document;
      }
    } catch (NumberFormatException e) {
      // The message is the same.
    }
    throw new ParameterException(
        spec.commandLine(),
        "--number: the index has the documents 0 to %d; got '%s'"
            .formatted(opened.documentCount() - 1, text));
  }

  private static List<Integer> withId(InvertedIndex opened, String id) throws IOException {
    List<Integer> found = new ArrayList<>();
    TermCursor terms = opened.terms(opened.schema().ordinal(Schema.ID));
    byte[] utf8 = id.getBytes(StandardCharsets.UTF_8);
    if (terms.seek(utf8, 0, utf8.length) == Seek.FOUND) {
      PostingList list = terms.postings(null, Detail.DOCUMENTS);
      while (list.nextDoc() != PostingList.END) {
        found.add(list.docId());
      }
    }
    return found;
  }

  private void print(
      InvertedIndex opened, int document, StoredTexts texts, ShownColumns columns, PrintWriter out)
      throws IOException {
    Schema schema = opened.schema();
    if (field != null) {
      out.println(texts.text(document, schema.ordinal(field)));
      return;
    }
    Map<String, String> stored = new LinkedHashMap<>();
    Map<String, Integer> lengths = new LinkedHashMap<>();
    for (int ordinal = 0; ordinal < schema.size(); ordinal++) {
      Field of = schema.field(ordinal);
      if (of.stored()) {
        stored.put(of.name(), texts.text(document, ordinal));
      }
      if (of.tokenized() && !of.detail().hasImpacts()) {
        lengths.put(of.name(), opened.length(ordinal, document));
      }
    }
    if (json.isGiven()) {
      Map<String, Object> members = new LinkedHashMap<>();
      members.put("document", document);
      members.put("fields", stored);
      members.put("lengths", lengths);
      members.put("metadata", columns.of(document));
      JsonOption.print(members, out);
    } else {
      out.printf(Locale.ROOT, "document  %,d%n", document);
      lengths.forEach(
          (name, tokens) -> out.printf(Locale.ROOT, "length    %,d in %s%n", tokens, name));
      columns.of(document).forEach((name, value) -> print(name, value, out));
      stored.forEach((name, text) -> print(name, text, out));
    }
  }

  /** Prints a text of one line beside its name, others below it. */
  private static void print(String name, String text, PrintWriter out) {
    if (text.lines().count() <= 1) {
      out.printf("%-9s %s%n", name, Visible.of(text.strip()));
    } else {
      out.printf("%s%n", name);
      text.lines().forEach(line -> out.printf("  %s%n", Visible.of(line)));
    }
  }
}
