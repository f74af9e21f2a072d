package io.kmodel.indexer.cli;

import com.google.common.collect.ImmutableSet;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * An option of a command, as it is called in the file of settings and in the environment: {@code
 * --max-document} of {@code build} is {@code build.max-document} and {@code
 * INDEXER_BUILD_MAX_DOCUMENT}.
 */
record Setting(String key, OptionSpec option) {
  static final String PREFIX = "INDEXER_";

  private static final ImmutableSet<String> ONLY_FLAGS =
      ImmutableSet.of(Settings.FILE_OPTION, "--resume", "--restart");

  /** All that the program has: its own ones first, then command by command. */
  static List<Setting> allOf(CommandLine program) {
    List<Setting> settings = new ArrayList<>();
    addAll(program, settings);
    return settings;
  }

  private static void addAll(CommandLine command, List<Setting> settings) {
    if (command.getCommandSpec().usageMessage().hidden()) {
      return;
    }
    command.getCommandSpec().options().stream()
        .filter(option -> !option.inherited() && isSetting(option))
        .map(option -> new Setting(keyOf(option), option))
        .sorted(Comparator.comparing(Setting::key))
        .forEach(settings::add);
    command.getSubcommands().values().forEach(sub -> addAll(sub, settings));
  }

  /**
   * Whether an option can be set other than on the command line. What to do about an interrupted
   * build cannot: set once, it would drop work at every interruption to come.
   */
  static boolean isSetting(OptionSpec option) {
    return !option.hidden()
        && !option.usageHelp()
        && !option.versionHelp()
        && !ONLY_FLAGS.contains(option.longestName());
  }

  static String keyOf(OptionSpec option) {
    String path = option.inherited() ? "" : commandKey(option.command());
    String name = option.longestName().replaceFirst("^-+", "");
    return path.isEmpty() ? name : path + "." + name;
  }

  /** The command in a key: {@code export.lucene}, and nothing for the program itself. */
  static String commandKey(CommandSpec command) {
    CommandSpec parent = command.parent();
    if (parent == null) {
      return "";
    }
    String before = commandKey(parent);
    return before.isEmpty() ? command.name() : before + "." + command.name();
  }

  /** Its name in the environment. */
  String variable() {
    return PREFIX + key.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
  }

  /** Its default as it would be written in the file; nothing where the description says more. */
  String defaultText() {
    String value = option.defaultValue();
    if (value != null) {
      return value;
    }
    return option.isOption() && option.arity().max() == 0 ? "false" : "";
  }
}
