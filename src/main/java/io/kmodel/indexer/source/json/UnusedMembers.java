package io.kmodel.indexer.source.json;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Counts the members of JSON objects that are not read, by name: those of an object once it has
 * become a record. Names beyond the first {@value #MOST}, and those of more than {@value #LONGEST}
 * bytes, count together as {@value #OTHERS}. A name is expected to follow the same name as in the
 * object before; if it does not, all names are searched. Memory: the names. Not thread-safe.
 */
public final class UnusedMembers {
  private static final int MOST = 100;
  private static final int LONGEST = 100;
  private static final String OTHERS = "(other names)";

  /** Names that are read, then those that are not, in the order in which they were seen. */
  private final List<byte[]> names = new ArrayList<>();

  private final int used;
  private final long[] counts = new long[MOST + 1];

  /** Places in {@link #counts} of the members of the current object. */
  private int[] seen = new int[16];

  private int seenCount;

  /** The name that is expected. */
  private int next;

  /** Counts all names but these. */
  UnusedMembers(Collection<String> used) {
    used.stream().distinct().forEach(name -> names.add(name.getBytes(StandardCharsets.UTF_8)));
    this.used = names.size();
  }

  /** Starts an object, and forgets members seen since the last {@link #count}. */
  void start() {
    seenCount = 0;
  }

  void see(String name) {
    byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
    see(utf8, 0, utf8.length);
  }

  /** Notes a member of the current object. */
  void see(byte[] bytes, int from, int to) {
    int place = find(bytes, from, to) - used;
    if (place >= 0) {
      if (seenCount == seen.length) {
        seen = Arrays.copyOf(seen, 2 * seenCount);
      }
      seen[seenCount++] = place;
    }
  }

  private int find(byte[] bytes, int from, int to) {
    for (int i = 0; i < names.size(); i++) {
      int at = next + i < names.size() ? next + i : next + i - names.size();
      byte[] name = names.get(at);
      if (Arrays.equals(name, 0, name.length, bytes, from, to)) {
        next = at + 1 < names.size() ? at + 1 : 0;
        return at;
      }
    }
    if (to - from > LONGEST || names.size() == used + MOST) {
      return used + MOST;
    }
    names.add(Arrays.copyOfRange(bytes, from, to));
    return names.size() - 1;
  }

  /** Counts the members seen of the current object. */
  void count() {
    for (int i = 0; i < seenCount; i++) {
      counts[seen[i]]++;
    }
    seenCount = 0;
  }

  /** Returns the numbers by name, and starts again. */
  public Map<String, Long> take() {
    Map<String, Long> taken = new TreeMap<>();
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] > 0) {
        String name = i == MOST ? OTHERS : new String(names.get(used + i), StandardCharsets.UTF_8);
        taken.merge(name, counts[i], Long::sum);
      }
    }
    Arrays.fill(counts, 0);
    return taken;
  }
}
