package io.kmodel.indexer.cli;

import io.kmodel.indexer.experiment.JavaOptions;
import io.kmodel.indexer.parse.Nearest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * What options are where the command line does not say: the environment's value, else the file's;
 * with neither, picocli takes the default of the option's annotation. Empty values count as none.
 *
 * <p>The file is the one that {@code --config} names, else {@code INDEXER_CONFIG} in the
 * environment, else {@code config/indexer.properties} of the installation, if it is there. The
 * launcher looks {@code build.memory} up by the same rules before Java starts.
 */
final class Settings implements IDefaultValueProvider {
  /** Names the file; the only option that is no setting. */
  static final String FILE_OPTION = "--config";

  private static final String FILE_VARIABLE = "INDEXER_CONFIG";

  private static final String USUAL_FILE = "config/indexer.properties";

  /** What the launcher has always listened to; the name in full goes before. */
  private static final Map<String, String> SHORT_VARIABLES =
      Map.of("INDEXER_BUILD_MEMORY", "INDEXER_MEMORY");

  private final List<String> arguments;
  private final Map<String, Value> values;
  private final List<String> unknownVariables;

  /** A value, and where it was found. */
  private record Value(String text, String origin) {}

  private Settings(
      List<String> arguments, Map<String, Value> values, List<String> unknownVariables) {
    this.arguments = arguments;
    this.values = values;
    this.unknownVariables = unknownVariables;
  }

  /**
   * Finds the settings of a call.
   *
   * @param program with the command of the call; the others are asked only where something is set
   *     that is not one of its own
   * @throws IllegalArgumentException with file and line, if there is a mistake in the file
   * @throws IOException if the file cannot be read; {@link #canBeRead} says whose mistake that is
   */
  static Settings of(CommandLine program, Map<String, String> environment, List<String> arguments)
      throws IOException {
    KnownSettings known = new KnownSettings(program);
    if (!others(environment, known.soFar(), Commands.names()).isEmpty()) {
      known.complete();
    }
    Map<String, Value> values = new HashMap<>();
    Path path = file(environment, arguments);
    if (path != null) {
      SettingsFile file = SettingsFile.read(path, known);
      file.entries()
          .forEach((key, e) -> put(values, key, e.value(), key + " in " + file.place(e.line())));
    }
    for (Setting setting : known.soFar()) {
      String shortened = SHORT_VARIABLES.getOrDefault(setting.variable(), "");
      for (String variable : List.of(shortened, setting.variable())) {
        put(
            values,
            setting.key(),
            environment.getOrDefault(variable, ""),
            variable + " in the environment");
      }
    }
    return new Settings(arguments, values, unknown(environment, known.soFar()));
  }

  /** What to say of variables that seem to be settings of a command with some, but are none. */
  private static List<String> unknown(
      Map<String, String> environment, Collection<Setting> settings) {
    Set<String> names = variables(settings);
    Set<String> commands =
        settings.stream()
            .map(Setting::key)
            .filter(key -> key.contains("."))
            .map(key -> key.substring(0, key.indexOf('.')))
            .collect(Collectors.toSet());
    return others(environment, settings, commands).stream()
        .map(
            name ->
                "%s in the environment is no setting%s"
                    .formatted(
                        name, Nearest.of(name, names).map("; the nearest is "::concat).orElse("")))
        .toList();
  }

  /** Variables that begin as those of these commands do, but are none of these settings. */
  private static List<String> others(
      Map<String, String> environment, Collection<Setting> settings, Set<String> commands) {
    Set<String> names = variables(settings);
    return environment.keySet().stream()
        .filter(name -> !names.contains(name))
        .filter(name -> commands.stream().anyMatch(c -> name.startsWith(variableOf(c))))
        .sorted()
        .toList();
  }

  private static Set<String> variables(Collection<Setting> settings) {
    return settings.stream().map(Setting::variable).collect(Collectors.toSet());
  }

  /** What the variables of a command begin with. */
  private static String variableOf(String command) {
    return Setting.PREFIX + command.toUpperCase(Locale.ROOT) + "_";
  }

  /** What is wrong with names in the environment; they count for nothing. */
  List<String> unknownVariables() {
    return unknownVariables;
  }

  private static void put(Map<String, Value> values, String key, String text, String origin) {
    if (!text.isEmpty()) {
      values.put(key, new Value(text, origin));
    }
  }

  /**
   * Whether the file of a call is there and may be read: where reading fails all the same, as for
   * want of open files, the call is not to blame.
   */
  static boolean canBeRead(Map<String, String> environment, String... arguments) {
    Path path = file(environment, List.of(arguments));
    return path != null && Files.isReadable(path) && !Files.isDirectory(path);
  }

  private static @Nullable Path file(Map<String, String> environment, List<String> arguments) {
    String named = argument(arguments, FILE_OPTION);
    if (named == null) {
      named = environment.get(FILE_VARIABLE);
    }
    if (named != null && !named.isEmpty()) {
      return PathArgument.toBeRead(named);
    }
    String home = System.getProperty(JavaOptions.HOME);
    Path usual = home == null ? null : Path.of(home, USUAL_FILE);
    return usual != null && Files.isReadable(usual) ? usual : null;
  }

  /** The last value that the command line has for an option with one, before it is parsed. */
  private static @Nullable String argument(List<String> arguments, String option) {
    String value = null;
    for (int i = 0; i < arguments.size() && !arguments.get(i).equals("--"); i++) {
      String argument = arguments.get(i);
      if (argument.equals(option) && i + 1 < arguments.size()) {
        value = arguments.get(i + 1);
      } else if (argument.startsWith(option + "=")) {
        value = argument.substring(option.length() + 1);
      }
    }
    return value;
  }

  @Override
  public @Nullable String defaultValue(ArgSpec argument) {
    if (!(argument instanceof OptionSpec option) || !Setting.isSetting(option)) {
      return null;
    }
    Value value = values.get(Setting.keyOf(option));
    return value == null ? null : value.text();
  }

  /** A program-wide setting as it is before anything is parsed; null where it is nowhere. */
  @Nullable String early(String option) {
    String given = argument(arguments, option);
    Value value = values.get(option.replaceFirst("^-+", ""));
    return given != null || value == null ? given : value.text();
  }

  /**
   * Where the options that a message speaks of got their values from, as an addition to the
   * message; nothing where the command line gave them.
   */
  String originOfOptionsIn(String message, CommandSpec command) {
    StringBuilder origins = new StringBuilder();
    for (OptionSpec option : command.options()) {
      Value value = Setting.isSetting(option) ? values.get(Setting.keyOf(option)) : null;
      if (value != null && speaksOf(message, option.longestName()) && !isGiven(option)) {
        origins.append("; it is ").append(value.origin());
      }
    }
    return origins.toString();
  }

  private static boolean speaksOf(String message, String name) {
    int at = message.indexOf(name);
    int end = at + name.length();
    return at >= 0
        && (end == message.length()
            || !(Character.isLetter(message.charAt(end)) || message.charAt(end) == '-'));
  }

  private boolean isGiven(OptionSpec option) {
    for (String name : option.names()) {
      if (arguments.stream().takeWhile(a -> !a.equals("--")).anyMatch(a -> gives(a, name))) {
        return true;
      }
    }
    return false;
  }

  /** Whether an argument is an option; behind a short name its value needs nothing in between. */
  private static boolean gives(String argument, String name) {
    return argument.equals(name)
        || argument.startsWith(name + "=")
        || (!name.startsWith("--") && argument.startsWith(name));
  }

  @Override
  public String toString() {
    return "the settings";
  }
}
