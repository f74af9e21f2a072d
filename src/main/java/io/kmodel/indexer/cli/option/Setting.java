package io.kmodel.indexer.cli.option;

import com.google.common.collect.ImmutableSet;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * An option and its key in the settings file: {@code build.max-document} for {@code --max-document}
 * of {@code build}. Its variable in the environment is {@code INDEXER_BUILD_MAX_DOCUMENT}.
 */
public record Setting(String key, OptionSpec option) {
  /** Names the settings file; cannot be set there. */
  public static final String FILE_OPTION = "--config";

  private static final ImmutableSet<String> ONLY_FLAGS =
      ImmutableSet.of(FILE_OPTION, "--resume", "--restart", "--cluster");

  /** All settings: those of the program, then those of each command. */
  public static List<Setting> allOf(CommandLine program) {
    List<Setting> settings = new ArrayList<>();
    addAll(program, settings);
    return settings;
  }

  /** The same by key. */
  public static Map<String, Setting> byKey(CommandLine program) {
    Map<String, Setting> settings = new LinkedHashMap<>();
    allOf(program).forEach(setting -> settings.put(setting.key(), setting));
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
   * Whether an option can be set other than on the command line. {@code --resume} and {@code
   * --restart} cannot: a setting would discard work at every later interruption.
   */
  public static boolean isSetting(OptionSpec option) {
    return !option.hidden()
        && !option.usageHelp()
        && !option.versionHelp()
        && !ONLY_FLAGS.contains(option.longestName());
  }

  public static String keyOf(OptionSpec option) {
    String prefix = option.inherited() ? "" : prefix(option.command());
    return prefix + option.longestName().replaceFirst("^-+", "");
  }

  /** The start of a command's keys: {@code export.lucene.}, and nothing for the program itself. */
  private static String prefix(CommandSpec command) {
    CommandSpec parent = command.parent();
    return parent == null ? "" : prefix(parent) + command.name() + ".";
  }

  /** The name of a key in the environment. */
  public static String variable(String key) {
    return "INDEXER_" + key.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
  }

  public static Set<String> variables(Collection<String> keys) {
    return keys.stream().map(Setting::variable).collect(Collectors.toSet());
  }

  /** The default as the settings file would have it; empty if only the description tells it. */
  String defaultText() {
    String value = option.defaultValue();
    if (value != null) {
      return value;
    }
    return option.isOption() && option.arity().max() == 0 ? "false" : "";
  }
}
