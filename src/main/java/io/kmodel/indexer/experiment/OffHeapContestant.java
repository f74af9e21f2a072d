package io.kmodel.indexer.experiment;

import io.kmodel.indexer.memory.OffHeap;
import io.kmodel.indexer.sort.KeySorter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** One of this program's sorters, working on off-heap memory as in a build. */
final class OffHeapContestant implements SortContestant {
  private final String name;
  private final KeySorter sorter;
  private final SortSetting setting;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment keys;
  private final MemorySegment scratch;

  OffHeapContestant(String name, KeySorter sorter, SortSetting setting) {
    this.name = name;
    this.sorter = sorter;
    this.setting = setting;
    try {
      keys = OffHeap.allocate(Long.BYTES * setting.keys(), arena);
      scratch = OffHeap.allocate(Long.BYTES * setting.keys(), arena);
    } catch (OutOfMemoryError e) {
      arena.close();
      throw e;
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void load(MemorySegment from) {
    keys.copyFrom(from);
  }

  @Override
  public void sort() {
    sorter.sort(keys, setting.keys(), scratch, 0, setting.bits());
  }

  @Override
  public void unload(MemorySegment to) {
    to.copyFrom(keys);
  }

  @Override
  public void close() {
    arena.close();
  }
}
