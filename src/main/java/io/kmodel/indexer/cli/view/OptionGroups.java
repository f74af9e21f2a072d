package io.kmodel.indexer.cli.view;

import com.google.common.base.CharMatcher;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * The options in the help of a command: in groups with headings if they are many. The help of the
 * program alone explains the options that all commands have.
 */
public final class OptionGroups {
  /** With fewer options, one list is easier to read. */
  private static final int MANY = 24;

  private static final Comparator<OptionSpec> BY_NAME =
      Comparator.comparing(
          option -> CharMatcher.is('-').trimLeadingFrom(option.names()[0]),
          String.CASE_INSENSITIVE_ORDER);

  /** For options that belong to no other group. */
  static final String OTHERS = "Help and messages";

  private static final ImmutableMap<String, ImmutableSet<String>> GROUPS =
      ImmutableMap.<String, ImmutableSet<String>>builder()
          .put("Result", ImmutableSet.of("--output", "--overwrite", "--dry-run"))
          .put(
              "Input",
              ImmutableSet.of(
                  "--from",
                  "--base",
                  "--format",
                  "--docno",
                  "--duplicates",
                  "--html",
                  "--json-members",
                  "--max-document",
                  "--max-expansion",
                  "--max-nesting",
                  "--near-duplicates",
                  "--near-duplicate-similarity",
                  "--quantize",
                  "--tsv-quotes"))
          .put(
              "Fields and text",
              ImmutableSet.of(
                  "--fields",
                  "--combine",
                  "--store",
                  "--positions",
                  "--offsets",
                  "--metadata",
                  "--detect-language",
                  "--main-content",
                  "--metadata-from",
                  "--analyzer",
                  "--analyzer-chain",
                  "--field-analyzer",
                  "--language",
                  "--stemmer",
                  "--stop-words",
                  "--max-token-length",
                  "--pretokenized"))
          .put(
              "Lucene and CIFF",
              ImmutableSet.of(
                  "--export",
                  "--lucene-version",
                  "--segments",
                  "--codec",
                  "--term-vectors",
                  "--check"))
          .put(
              "Resources",
              ImmutableSet.of(
                  "--memory", "--threads", "--device", "--pipeline", "--ignore-free-space"))
          .put("Clusters", ImmutableSet.of("--cluster", "--split-size", "--shards", "--clean"))
          .put("Interrupted builds", ImmutableSet.of("--resume", "--restart", "--seal-every"))
          .buildOrThrow();

  private OptionGroups() {}

  /** Has the commands of a program show their options so. */
  public static void apply(CommandLine program) {
    for (CommandLine command : program.getSubcommands().values()) {
      command
          .getHelpSectionMap()
          .put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, OptionGroups::render);
      apply(command);
    }
  }

  private static String render(Help help) {
    List<OptionSpec> options =
        help.commandSpec().options().stream()
            .filter(option -> !option.inherited() && !option.hidden())
            .toList();
    if (options.isEmpty()) {
      return "";
    }
    StringBuilder text = new StringBuilder();
    if (options.size() >= MANY) {
      of(options)
          .forEach(
              (heading, of) -> text.append("%n%s:%n".formatted(heading)).append(layout(help, of)));
    } else {
      text.append(layout(help, options.stream().sorted(BY_NAME).toList()));
    }
    return text.append("%n--config and --log: see 'indexer --help'.%n".formatted()).toString();
  }

  private static Help.Layout layout(Help help, List<OptionSpec> options) {
    Help.Layout layout = help.createDefaultLayout();
    layout.addOptions(options, help.parameterLabelRenderer());
    return layout;
  }

  /** The visible options by group, in the order of the groups and of the options. */
  static Map<String, List<OptionSpec>> of(List<OptionSpec> options) {
    Map<String, List<OptionSpec>> groups = new LinkedHashMap<>();
    GROUPS.keySet().forEach(heading -> groups.put(heading, new ArrayList<>()));
    groups.put(OTHERS, new ArrayList<>());
    for (OptionSpec option : options) {
      if (!option.hidden()) {
        groups.computeIfAbsent(heading(option), heading -> new ArrayList<>()).add(option);
      }
    }
    groups.values().removeIf(List::isEmpty);
    return groups;
  }

  private static String heading(OptionSpec option) {
    List<String> names = Arrays.asList(option.names());
    return GROUPS.entrySet().stream()
        .filter(group -> names.stream().anyMatch(group.getValue()::contains))
        .map(Map.Entry::getKey)
        .findFirst()
        .orElse(OTHERS);
  }
}
