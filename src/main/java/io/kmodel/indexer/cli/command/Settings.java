package io.kmodel.indexer.cli.command;

import io.kmodel.indexer.cli.option.Setting;
import io.kmodel.indexer.experiment.JavaOptions;
import io.kmodel.indexer.parse.text.Suggestions;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The values of options that are not on the command line: from the environment, else from the
 * settings file. If neither has a value, picocli uses the default in the option's annotation. An
 * empty value counts as none.
 *
 * <p>The settings file is a UTF-8 {@link Properties} file: the one that {@code --config} names,
 * else {@code INDEXER_CONFIG} in the environment, else {@code config/indexer.properties} of the
 * installation if it exists. bin/indexer looks up {@code build.memory} in the same way before Java
 * starts, so the file must not be a pipe.
 */
public final class Settings implements IDefaultValueProvider {
  private static final String FILE_VARIABLE = "INDEXER_CONFIG";
  private static final String USUAL_FILE = "config/indexer.properties";
  private static final Path EMPTY_FILE = Path.of("/dev/null");

  /** Second names of variables; the full name has precedence. */
  private static final Map<String, String> SHORT_VARIABLES =
      Map.of("build.memory", "INDEXER_MEMORY");

  private final List<String> arguments;
  private final List<String> unknownVariables;
  private final Map<String, Value> values = new HashMap<>();

  private record Value(String text, String origin) {}

  private Settings(List<String> arguments, List<String> unknownVariables) {
    this.arguments = arguments;
    this.unknownVariables = unknownVariables;
  }

  /**
   * Finds the settings of a call.
   *
   * @param program may have only the command of the call; the others are created only if something
   *     is set that is not one of its options
   * @throws IllegalArgumentException if the file has a mistake
   * @throws IOException if the file cannot be read
   */
  public static Settings of(
      CommandLine program, Map<String, String> environment, List<String> arguments)
      throws IOException {
    Path path = file(environment, arguments);
    Properties file = path == null ? new Properties() : read(path);
    Map<String, Setting> known = Setting.byKey(program);
    if (!known.keySet().containsAll(file.stringPropertyNames())
        || !unknown(environment, known).isEmpty()) {
      known = Setting.byKey(Commands.all());
    }
    Settings settings = new Settings(arguments, unknown(environment, known));
    for (String key : new TreeSet<>(file.stringPropertyNames())) {
      if (!known.containsKey(key)) {
        throw new IllegalArgumentException(
            path + ": there is no setting '" + key + "'" + nearest(key, known.keySet()));
      }
      settings.put(key, file.getProperty(key).strip(), key + " in " + path);
    }
    for (String key : known.keySet()) {
      String variable = Setting.variable(key);
      for (String name : List.of(SHORT_VARIABLES.getOrDefault(key, variable), variable)) {
        settings.put(key, environment.getOrDefault(name, ""), name + " in the environment");
      }
    }
    return settings;
  }

  private static Properties read(Path file) throws IOException {
    if (Files.isDirectory(file)) {
      throw new IllegalArgumentException(file + ": is a directory, not a file");
    }
    if (Files.exists(file) && !Files.isRegularFile(file) && !file.equals(EMPTY_FILE)) {
      throw new IllegalArgumentException(file + ": settings must be in a regular file");
    }
    Properties properties = new Properties();
    try (BufferedReader reader = Files.newBufferedReader(file)) {
      properties.load(reader);
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException(file + ": is not text in UTF-8", e);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
    }
    if (properties.stringPropertyNames().stream().anyMatch(key -> key.startsWith("\uFEFF"))) {
      throw new IllegalArgumentException(file + ": starts with a byte order mark; remove it");
    }
    return properties;
  }

  /** Variables that start with the name of a command but are not one of its settings. */
  private static List<String> unknown(Map<String, String> environment, Map<String, Setting> known) {
    Set<String> variables = Setting.variables(known.keySet());
    return environment.keySet().stream()
        .filter(name -> !variables.contains(name))
        .filter(
            name ->
                Commands.names().stream().anyMatch(c -> name.startsWith(Setting.variable(c) + "_")))
        .sorted()
        .map(name -> name + " in the environment is not a setting" + nearest(name, variables))
        .toList();
  }

  private static String nearest(String name, Set<String> names) {
    return Suggestions.of(name, names).map("; the nearest is '%s'"::formatted).orElse("");
  }

  /** Warnings about names in the environment, which have no effect. */
  public List<String> unknownVariables() {
    return unknownVariables;
  }

  private void put(String key, String text, String origin) {
    if (!text.isEmpty()) {
      values.put(key, new Value(text, origin));
    }
  }

  private static @Nullable Path file(Map<String, String> environment, List<String> arguments) {
    String named = argument(arguments, Setting.FILE_OPTION);
    if (named == null) {
      named = environment.get(FILE_VARIABLE);
    }
    if (named != null && !named.isEmpty()) {
      return Path.of(named);
    }
    String home = System.getProperty(JavaOptions.HOME);
    Path usual = home == null ? null : Path.of(home, USUAL_FILE);
    return usual != null && Files.isReadable(usual) ? usual : null;
  }

  /** The last value of an option on the command line, before picocli parses it. */
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
    Value value = argument instanceof OptionSpec option ? valueOf(option) : null;
    return value == null ? null : value.text();
  }

  private @Nullable Value valueOf(OptionSpec option) {
    return Setting.isSetting(option) ? values.get(Setting.keyOf(option)) : null;
  }

  /** The value of an option of the program before picocli parses the command line. */
  @Nullable
  public String early(String option) {
    String given = argument(arguments, option);
    Value value = values.get(option.replaceFirst("^-+", ""));
    return given != null || value == null ? given : value.text();
  }

  /**
   * An addition to a message that says where the options it names are set, unless they are set on
   * the command line.
   */
  public String originOfOptionsIn(String message, CommandSpec command) {
    StringBuilder origins = new StringBuilder();
    for (OptionSpec option : command.options()) {
      Value value = valueOf(option);
      Pattern name = Pattern.compile(Pattern.quote(option.longestName()) + "(?![\\p{L}-])");
      if (value != null && name.matcher(message).find() && !isGiven(option)) {
        origins.append("; it is ").append(value.origin());
      }
    }
    return origins.toString();
  }

  /** The value of a short option may follow its name directly. */
  private boolean isGiven(OptionSpec option) {
    return arguments.stream()
        .takeWhile(argument -> !argument.equals("--"))
        .anyMatch(
            argument ->
                List.of(option.names()).stream()
                    .anyMatch(
                        name ->
                            argument.equals(name)
                                || argument.startsWith(name.startsWith("--") ? name + "=" : name)));
  }

  @Override
  public String toString() {
    return "the settings";
  }
}
