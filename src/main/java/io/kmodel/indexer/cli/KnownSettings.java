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
 * The keys of the settings that there are. Those of one call's command are known at first; all
 * others are asked for as soon as a key is none of these, since a file may set options of other
 * commands, and what is no option of any is a mistake.
 */
final class KnownSettings extends AbstractSet<String> {
  private Map<String, Setting> settings;
  private boolean isComplete;

  /** Those of a program, which may have one command only. */
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

  /** Asks for all. */
  void complete() {
    if (!isComplete) {
      settings = byKey(Commands.all());
      isComplete = true;
    }
  }

  /** Those that are known so far. */
  Collection<Setting> soFar() {
    return settings.values();
  }
}
