package io.kmodel.indexer.experiment.strings;

import io.kmodel.indexer.experiment.SortContestants;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Locale;

/**
 * Java's sorts of objects, with the first 8 bytes of each string beside its number, like the
 * sorters on a device. The time includes making these and the order.
 */
public final class CpuStrings implements StringContestant {
  /** A string: its first 8 bytes, and its number. */
  private record Item(long key, int number) {}

  private final int threads;
  private ByteStrings strings = new ByteStrings(new byte[Long.BYTES], new long[1]);
  private int[] order = {};

  /**
   * Creates a contestant.
   *
   * @param threads 1, or those that the common pool was limited to
   */
  public CpuStrings(int threads) {
    this.threads = SortContestants.jdkThreads(threads);
  }

  /** Names a contestant by the threads that it uses of given ones. */
  public static String name(int threads) {
    int used = SortContestants.jdkThreads(threads);
    return String.format(Locale.ROOT, "CPU, %d thread%s", used, used == 1 ? "" : "s");
  }

  @Override
  public String name() {
    return name(threads);
  }

  @Override
  public void load(ByteStrings given) {
    strings = given;
  }

  @Override
  public Seconds sort() {
    ByteStrings all = strings;
    Comparator<Item> comparator = (a, b) -> compare(all, a, b);
    long start = System.nanoTime();
    Item[] items = new Item[all.count()];
    int[] sorted = new int[all.count()];
    if (threads == 1) {
      Arrays.setAll(items, i -> new Item(all.firstBytes(i), i));
      Arrays.sort(items, comparator);
      Arrays.setAll(sorted, i -> items[i].number);
    } else {
      Arrays.parallelSetAll(items, i -> new Item(all.firstBytes(i), i));
      Arrays.parallelSort(items, comparator);
      Arrays.parallelSetAll(sorted, i -> items[i].number);
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    order = sorted;
    return new Seconds(seconds, seconds);
  }

  /**
   * Numbers decide last, because Java's parallel sort has swapped equal strings (seen in Java 25).
   */
  private static int compare(ByteStrings all, Item a, Item b) {
    int byKey = Long.compareUnsigned(a.key, b.key);
    int byBytes = byKey != 0 ? byKey : compareBehind(all, a.number, b.number);
    return byBytes != 0 ? byBytes : Integer.compare(a.number, b.number);
  }

  /** Compares strings with the same first 8 bytes, zeros behind the end included. */
  private static int compareBehind(ByteStrings all, int a, int b) {
    int shorter = Math.min(all.length(a), all.length(b));
    return all.compareBehind(a, b, Math.min(shorter, Long.BYTES));
  }

  @Override
  public int[] order() {
    return order;
  }
}
