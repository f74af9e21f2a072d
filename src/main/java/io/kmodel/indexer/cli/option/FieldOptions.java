package io.kmodel.indexer.cli.option;

import com.google.common.base.Splitter;
import io.kmodel.indexer.analysis.AnalysisDefinition;
import io.kmodel.indexer.analysis.IndexAnalysis;
import io.kmodel.indexer.parse.field.FieldPlan;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Option;

/** The options that select the fields of an index. */
public final class FieldOptions {
  @Option(
      names = "--fields",
      paramLabel = "FIELDS",
      defaultValue = "title,contents",
      description =
          "Index these parts of a document, each as a field: title, contents, headings (the text of"
              + " h1 to h6), anchors (the text of the page's own links), url (its URI or path)"
              + " (default: ${DEFAULT-VALUE}).")
  private String fields;

  @Option(
      names = "--combine",
      paramLabel = "FIELD=PARTS",
      split = ";",
      description =
          "Add or redefine a field that holds several parts as one text: all=title,contents. Repeat"
              + " the option, or separate with ;.")
  private List<String> combined = List.of();

  @Option(
      names = "--field-analyzer",
      paramLabel = "FIELD=NAME",
      split = ";",
      description =
          "Analyze one field by an analyzer's name or a language code: title=whitespace. Repeat the"
              + " option, or separate with ;.")
  private List<String> analyzers = List.of();

  @Option(
      names = "--main-content",
      fallbackValue = "true",
      description =
          "Leave navigation, advertisements, comments and other boilerplate out of the text of HTML"
              + " pages. Every page is then parsed by jsoup, which takes more time.")
  private boolean mainContent;

  @SuppressWarnings("NullAway.Init") // picocli fills the options
  FieldOptions() {}

  /**
   * Returns the fields.
   *
   * @throws IllegalArgumentException if they are invalid
   */
  public FieldPlan toPlan() {
    FieldPlan plan = FieldPlan.parse(fields);
    Set<String> fieldsSoFar = new HashSet<>();
    for (String definition : combined) {
      plan = plan.combine(definition);
      requireNew(nameAndValue(definition).get(0), fieldsSoFar, "--combine");
    }
    return plan.withMainContent(mainContent);
  }

  /** Returns the analysis of the fields; those without --field-analyzer use {@code general}. */
  public IndexAnalysis toAnalysis(AnalysisDefinition general) {
    IndexAnalysis analysis = IndexAnalysis.of(general);
    Set<String> fieldsSoFar = new HashSet<>();
    for (String given : analyzers) {
      List<String> parts = nameAndValue(given);
      if (parts.size() < 2) {
        throw new IllegalArgumentException(
            "write --field-analyzer like title=whitespace; got '%s'".formatted(given));
      }
      requireNew(parts.get(0), fieldsSoFar, "--field-analyzer");
      analysis = analysis.with(parts.get(0), AnalysisDefinition.of(parts.get(1)));
    }
    return analysis;
  }

  private static List<String> nameAndValue(String given) {
    return Splitter.on('=').trimResults().limit(2).splitToList(given);
  }

  private static void requireNew(String field, Set<String> fieldsSoFar, String option) {
    if (!fieldsSoFar.add(field)) {
      throw new IllegalArgumentException(
          "%s is given twice for the field '%s'".formatted(option, field));
    }
  }
}
