package io.kmodel.indexer.cli;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** The file of settings as it is without any: every key with its description and its default. */
final class SettingsText {
  private static final int WIDTH = 110;

  private static final String HEADER =
      """
      # Settings of indexer: the options of all commands, with their defaults.
      #
      # A line is "key = value"; nothing is quoted or escaped, and an empty value is none. What counts is, in this order,
      # the option on the command line, the variable in the environment (INDEXER_BUILD_THREADS for build.threads), the line
      # in this file, the default. INDEXER_MEMORY is another name of INDEXER_BUILD_MEMORY.
      #
      # This file is read where it lies, in the directory "config" of the program; --config FILE, or INDEXER_CONFIG in the
      # environment, names another, which is then the only one. It is what "indexer settings" prints.
      """;

  private SettingsText() {}

  static String of(CommandLine program) {
    StringBuilder text = new StringBuilder(HEADER);
    CommandSpec command = null;
    for (Setting setting : Setting.allOf(program)) {
      if (setting.option().command() != command) {
        command = setting.option().command();
        text.append("\n# ---- ").append(command.qualifiedName()).append('\n');
      }
      text.append('\n');
      for (String line : wrapped(String.join(" ", setting.option().description()))) {
        text.append("# ").append(line).append('\n');
      }
      text.append("#%s = %s".formatted(setting.key(), setting.defaultText()).stripTrailing());
      text.append('\n');
    }
    return text.toString();
  }

  private static List<String> wrapped(String text) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : text.split(" +", -1)) {
      if (line.length() + 1 + word.length() > WIDTH) {
        lines.add(line.toString());
        line.setLength(0);
      }
      line.append(line.isEmpty() ? "" : " ").append(word);
    }
    lines.add(line.toString());
    return lines;
  }
}
