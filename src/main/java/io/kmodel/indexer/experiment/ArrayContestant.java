package io.kmodel.indexer.experiment;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.Consumer;

/** A contestant that sorts an array. */
final class ArrayContestant implements SortContestant {
  private final String name;
  private final Consumer<long[]> sorter;
  private final long[] keys;

  ArrayContestant(String name, Consumer<long[]> sorter, SortSetting setting) {
    this.name = name;
    this.sorter = sorter;
    keys = new long[Math.toIntExact(setting.keys())];
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void load(MemorySegment from) {
    MemorySegment.copy(from, ValueLayout.JAVA_LONG, 0, keys, 0, keys.length);
  }

  @Override
  public void sort() {
    sorter.accept(keys);
  }

  @Override
  public void unload(MemorySegment to) {
    MemorySegment.copy(keys, 0, to, ValueLayout.JAVA_LONG, 0, keys.length);
  }

  @Override
  public void close() {}
}
