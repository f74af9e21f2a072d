package io.kmodel.indexer.cli.command;

import io.kmodel.indexer.cli.base.ExitCode;
import io.kmodel.indexer.cli.base.Log;
import io.kmodel.indexer.cli.base.Visible;
import io.kmodel.indexer.cli.option.AtLeastOne;
import io.kmodel.indexer.cli.option.FieldOption;
import io.kmodel.indexer.cli.option.IndexArgument;
import io.kmodel.indexer.cli.option.JsonOption;
import io.kmodel.indexer.cli.view.Counted;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.TermCursor;
import io.kmodel.indexer.index.TermCursor.Seek;
import io.kmodel.indexer.index.documents.StoredTexts;
import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.index.postings.PostingList;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code indexer postings}. */
@Command(
    name = "postings",
    mixinStandardHelpOptions = true,
    description = {
      "Show a term's postings list: docID, frequency, document length, id, positions.",
      "",
      "TERM is looked up without analysis; 'indexer terms' lists the terms. Control characters are"
          + " shown as \\x1b and the like, but must be given as themselves.",
      ""
    },
    footerHeading = "%nExample:%n",
    footer = "  indexer postings index sorting --limit 5")
final class PostingsCommand implements Callable<Integer> {
  /** Positions shown per document. */
  private static final int SHOWN_POSITIONS = 12;

  @Spec private CommandSpec spec;
  @Mixin private IndexArgument index;

  @Parameters(index = "1", paramLabel = "TERM", description = "The term.")
  private String term;

  @Mixin private FieldOption field;

  @Option(
      names = {"-n", "--limit"},
      paramLabel = "N",
      defaultValue = "20",
      description = "Show at most N documents (default: ${DEFAULT-VALUE}).")
  private int limit;

  @Option(
      names = "--offsets",
      fallbackValue = "true",
      description =
          "Show where in the text each occurrence starts and ends; needs an index built with"
              + " --offsets.")
  private boolean offsets;

  @Mixin private JsonOption json;

  @SuppressWarnings("NullAway.Init") // picocli fills the options
  PostingsCommand() {}

  @Override
  public Integer call() throws IOException {
    AtLeastOne.require(spec, "--limit", limit);
    PrintWriter out = spec.commandLine().getOut();
    try (InvertedIndex opened = index.open()) {
      requireOffsets(opened.schema());
      TermCursor terms = opened.terms(field.ordinal(opened.schema()));
      byte[] bytes = term.getBytes(StandardCharsets.UTF_8);
      if (terms.seek(bytes, 0, bytes.length) != Seek.FOUND) {
        Log.of(spec).note("'%s' is not a term of %s".formatted(term, field.name()));
        return ExitCode.INCOMPLETE;
      }
      if (json.isGiven()) {
        printJson(opened, terms, out);
        return ExitCode.OK;
      }
      out.printf(
          Locale.ROOT,
          "'%s' in %s: %s, %s%n",
          Visible.of(term),
          field.name(),
          Counted.of(terms.docFreq(), "document"),
          hasImpacts(opened.schema())
              ? String.format(Locale.ROOT, "weights of %,d together", terms.totalTermFreq())
              : Counted.of(terms.totalTermFreq(), "occurrence"));
      print(opened, terms, out);
    }
    out.flush();
    return ExitCode.OK;
  }

  private boolean hasImpacts(Schema schema) {
    return schema.field(field.ordinal(schema)).detail().hasImpacts();
  }

  private void requireOffsets(Schema schema) {
    if (offsets && !schema.field(field.ordinal(schema)).detail().hasOffsets()) {
      throw new ParameterException(
          spec.commandLine(),
          "the index has no offsets of %s; build it with --offsets".formatted(field.name()));
    }
  }

  private void print(InvertedIndex opened, TermCursor terms, PrintWriter out) throws IOException {
    Schema schema = opened.schema();
    int ordinal = field.ordinal(schema);
    int id = schema.ordinal(Schema.ID);
    PostingList list = terms.postings(null, offsets ? Detail.OFFSETS : Detail.POSITIONS);
    try (StoredTexts documents = opened.documents()) {
      int shown = 0;
      while (shown < limit && !out.checkError() && list.nextDoc() != PostingList.END) {
        if (hasImpacts(schema)) {
          out.printf(Locale.ROOT, "%10d  weight %,9d", list.docId(), list.freq());
        } else {
          out.printf(Locale.ROOT, "%10d  %6d×", list.docId(), list.freq());
        }
        if (schema.field(ordinal).tokenized() && !hasImpacts(schema)) {
          out.printf(Locale.ROOT, " of %,7d", opened.length(ordinal, list.docId()));
        }
        if (schema.field(id).stored()) {
          out.printf("  %s", Visible.of(documents.text(list.docId(), id)));
        }
        if (schema.field(ordinal).detail().hasPositions()) {
          out.printf("  at %s", positions(list));
        }
        out.println();
        shown++;
      }
      if (terms.docFreq() > shown) {
        out.printf(
            Locale.ROOT,
            "… and %s; raise --limit to show them%n",
            Counted.of(terms.docFreq() - shown, "more document"));
      }
    }
  }

  private void printJson(InvertedIndex opened, TermCursor terms, PrintWriter out)
      throws IOException {
    Schema schema = opened.schema();
    int ordinal = field.ordinal(schema);
    int id = schema.ordinal(Schema.ID);
    PostingList list = terms.postings(null, offsets ? Detail.OFFSETS : Detail.POSITIONS);
    try (StoredTexts documents = opened.documents()) {
      for (int shown = 0;
          shown < limit && !out.checkError() && list.nextDoc() != PostingList.END;
          shown++) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("document", list.docId());
        if (schema.field(id).stored()) {
          members.put("id", documents.text(list.docId(), id));
        }
        members.put(hasImpacts(schema) ? "weight" : "occurrences", list.freq());
        if (schema.field(ordinal).tokenized() && !hasImpacts(schema)) {
          members.put("length", opened.length(ordinal, list.docId()));
        }
        if (schema.field(ordinal).detail().hasPositions()) {
          addPositions(list, members);
        }
        JsonOption.print(members, out);
      }
    }
    out.flush();
  }

  private void addPositions(PostingList list, Map<String, Object> members) throws IOException {
    List<Integer> positions = new ArrayList<>();
    List<List<Integer>> places = new ArrayList<>();
    for (int i = 0; i < list.freq(); i++) {
      positions.add(list.nextPosition());
      places.add(List.of(list.startOffset(), list.endOffset()));
    }
    members.put("positions", positions);
    if (offsets) {
      members.put("offsets", places);
    }
  }

  private static String positions(PostingList list) throws IOException {
    StringBuilder text = new StringBuilder();
    int shown = Math.min(SHOWN_POSITIONS, list.freq());
    for (int i = 0; i < shown; i++) {
      text.append(i == 0 ? "" : " ").append(list.nextPosition());
      if (list.startOffset() >= 0) {
        text.append("[%d-%d]".formatted(list.startOffset(), list.endOffset()));
      }
    }
    return list.freq() > shown ? text.append(" …").toString() : text.toString();
  }
}
