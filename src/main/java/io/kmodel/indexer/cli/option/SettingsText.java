package io.kmodel.indexer.cli.option;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/**
 * A settings file with every key commented out, its default, and the first sentence of its
 * description.
 */
public final class SettingsText {
  private static final int WIDTH = 110;

  private static final String HEADER =
      """
      # Settings of indexer: the options of all commands with their defaults, as 'indexer settings' prints them.
      # 'indexer COMMAND --help' describes them in full.
      #
      # This is a Java properties file in UTF-8; an empty value counts as none. The command line has precedence, then the
      # environment (INDEXER_BUILD_THREADS for build.threads, INDEXER_MEMORY also for build.memory), then this file, then
      # the default. indexer reads config/indexer.properties unless --config FILE or INDEXER_CONFIG names another file.
      """;

  private SettingsText() {}

  public static String of(CommandLine program) {
    StringBuilder text = new StringBuilder(HEADER);
    CommandSpec command = null;
    for (Setting setting : Setting.allOf(program)) {
      if (setting.option().command() != command) {
        command = setting.option().command();
        text.append("\n# ---- ").append(command.qualifiedName()).append("\n\n");
      }
      String description = String.join(" ", setting.option().description());
      for (String line : wrapped(description.replaceFirst("(?<=\\.) (?=\\p{Lu}).*", ""))) {
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
