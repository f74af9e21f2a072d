package io.kmodel.indexer.cli.view;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** The help of a command with many options: in groups, each with a heading. */
public final class OptionGroups {
  /** With fewer options, one list is easier to read. */
  private static final int MANY = 24;

  /** For options that belong to no other group. */
  static final String OTHERS = "Help and messages";

  private static final ImmutableMap<String, ImmutableSet<String>> GROUPS =
      ImmutableMap.<String, ImmutableSet<String>>builder()
          .put("Result", ImmutableSet.of("--output", "--overwrite", "--dry-run"))
          .put(
              "Input",
              ImmutableSet.of(
                  "--from",
                  "--format",
                  "--docno",
                  "--duplicates",
                  "--html",
                  "--json-members",
                  "--max-document",
                  "--max-expansion",
                  "--max-nesting",
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
              ImmutableSet.of("--export", "--lucene-version", "--segments", "--codec", "--check"))
          .put(
              "Resources",
              ImmutableSet.of(
                  "--memory", "--threads", "--device", "--pipeline", "--ignore-free-space"))
          .put("Interrupted builds", ImmutableSet.of("--resume", "--restart", "--seal-every"))
          .buildOrThrow();

  private OptionGroups() {}

  /** Has commands with many options show them in groups. */
  public static void apply(CommandLine command) {
    if (command.getCommandSpec().options().size() >= MANY) {
      command
          .getHelpSectionMap()
          .put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, OptionGroups::render);
    }
    command.getSubcommands().values().forEach(OptionGroups::apply);
  }

  private static String render(Help help) {
    StringBuilder text = new StringBuilder();
    of(help.commandSpec().options())
        .forEach(
            (heading, options) -> {
              Help.Layout layout = help.createDefaultLayout();
              layout.addOptions(options, help.parameterLabelRenderer());
              text.append("%n%s:%n".formatted(heading)).append(layout);
            });
    return text.toString();
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
