package io.kmodel.indexer.cli;

import java.util.AbstractSet;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/**
 * The keys of known settings. At first, these are the keys of the called command. The keys of all
 * commands are loaded when a key is not among them: a settings file may set options of other
 * commands, and only a key of no command is an error.
 */
final class KnownSettings extends AbstractSet<String> {
  private Map<String, Setting> settings;
  private boolean isComplete;

  /** Starts with the settings of a program, which may have one command only. */
  KnownSettings(CommandLine program) {
    this.settings = byKey(program);
  }

  private static Map<String, Setting> byKey(CommandLine program) {
    return Setting.allOf(program).stream()
        .collect(Collectors.toMap(Setting::key, setting -> setting));
  }

  @Override
  public boolean contains(@Nullable Object key) {
    if (!settings.containsKey(key)) {
      complete();
    }
    return settings.containsKey(key);
  }

  @Override
  public Iterator<String> iterator() {
    complete();
    return Collections.unmodifiableSet(settings.keySet()).iterator();
  }

  @Override
  public int size() {
    complete();
    return settings.size();
  }

  /** Loads the settings of all commands. */
  void complete() {
    if (!isComplete) {
      settings = byKey(Commands.all());
      isComplete = true;
    }
  }

  /** Returns the settings loaded so far. */
  Collection<Setting> soFar() {
    return settings.values();
  }
}
