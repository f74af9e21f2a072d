package io.kmodel.indexer.indexing.documents;

import io.kmodel.indexer.memory.OffHeap;
import io.kmodel.indexer.store.LittleEndian;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the documents that have the id of an earlier document, from the files of {@link IdHashes},
 * in the order of the collection. So the result does not depend on which thread read which split.
 *
 * <p>Memory: an off-heap hash table of the given size, and a bit for each document of a split with
 * duplicates. If the table cannot hold all ids, the files are read several times, each time for
 * another range of hashes. Time: linear in the documents, for each pass.
 */
final class DuplicateFinder {
  /** Entries per slot of the table, at most. */
  private static final double LOAD = 0.6;

  private final long slots;

  /** Uses a table of at most {@code bytes}. */
  DuplicateFinder(long bytes) {
    this.slots = Long.highestOneBit(Math.max(2, bytes / IdHashes.HASH_BYTES));
  }

  /**
   * Finds duplicates.
   *
   * @param files of the splits in order; null for a split without documents
   * @return for each split, the duplicates among the documents of its reader; null if there are
   *     none
   */
  List<@Nullable BitSet> find(List<? extends @Nullable Path> files) throws IOException {
    long documents = 0;
    List<@Nullable BitSet> duplicates = new ArrayList<>();
    for (Path file : files) {
      duplicates.add(null);
      documents += file == null ? 0 : Files.size(file) / IdHashes.HASH_BYTES;
    }
    long ranges = Math.max(1, (long) Math.ceil(documents / (slots * LOAD)));
    try (Arena arena = Arena.ofConfined()) {
      long bytes = slots * IdHashes.HASH_BYTES;
      long table = OffHeap.allocate(bytes, arena).address();
      // Hashes are spread evenly; an uneven range would only fill the table more.
      for (long range = 0; range < ranges; range++) {
        if (range > 0) {
          OffHeap.clear(table, bytes);
        }
        for (int split = 0; split < files.size(); split++) {
          Path file = files.get(split);
          if (file != null) {
            duplicates.set(split, find(file, table, ranges, range, duplicates.get(split)));
          }
        }
      }
    }
    return duplicates;
  }

  private @Nullable BitSet find(
      Path file, long table, long ranges, long range, @Nullable BitSet before) throws IOException {
    BitSet found = before;
    byte[] hash = new byte[IdHashes.HASH_BYTES];
    try (InputStream stream = Files.newInputStream(file);
        DataInputStream in = new DataInputStream(new BufferedInputStream(stream, 1 << 16))) {
      for (int document = 0; read(in, hash); document++) {
        long high = LittleEndian.getLong(hash, 0);
        long low = LittleEndian.getLong(hash, Long.BYTES);
        boolean indexed = high != 0 || low != 0;
        if (indexed && Long.remainderUnsigned(high, ranges) == range && !insert(table, high, low)) {
          found = found == null ? new BitSet() : found;
          found.set(document);
        }
      }
    }
    return found;
  }

  private static boolean read(DataInputStream in, byte[] hash) throws IOException {
    try {
      in.readFully(hash);
      return true;
    } catch (EOFException e) {
      return false;
    }
  }

  /** Returns false if the hash was there. */
  private boolean insert(long table, long high, long low) {
    for (long slot = low & (slots - 1); ; slot = (slot + 1) & (slots - 1)) {
      long address = table + slot * IdHashes.HASH_BYTES;
      long thereHigh = OffHeap.getLong(address);
      long thereLow = OffHeap.getLong(address + Long.BYTES);
      if (thereHigh == high && thereLow == low) {
        return false;
      }
      if (thereHigh == 0 && thereLow == 0) {
        OffHeap.putLong(address, high);
        OffHeap.putLong(address + Long.BYTES, low);
        return true;
      }
    }
  }
}
