package io.kmodel.indexer.export.lucene.postings;

import io.kmodel.indexer.store.LittleEndian;
import java.io.IOException;
import java.util.Arrays;
import org.apache.lucene.util.compress.LZ4;
import org.jspecify.annotations.Nullable;

/**
 * Compresses as Lucene's LZ4 does with its HighCompressionHashTable, byte for byte: of earlier
 * places with the same four bytes, that with the longest match is taken, the last one of several;
 * the search ends after 256 places that only have their hash. Lucene looks places up and notes them
 * in passes of their own, in a table that goes on for any length, and compares all to the end.
 * Here, for the few KiB that the suffixes of a block of terms are, a place is noted when it is
 * looked up, and one is not compared whose next byte would not make a longer match.
 *
 * <pre>
 * sequence := literals:4 match-4:4  [rest of literals] byte*  back:short  [rest of match]
 * </pre>
 *
 * where 15 says that a rest follows, in bytes of up to 255 of which 255 says the same; the last
 * sequence has no match. Memory: 192 KiB, and 256 more once something had over 64. Not thread-safe.
 */
final class Lz4Encoder {
  private static final int MIN_MATCH = 4;

  /** So many bytes at the end are literals. */
  private static final int LAST_LITERALS = 5;

  private static final int HASH_BITS = 15;
  private static final int MULTIPLIER = -1640531535;

  /** Places that are passed over since they have the hash, but other bytes. */
  private static final int MAX_COLLISIONS = 256;

  /** What has more is left to Lucene. */
  private static final int MAX_LENGTH = Character.MAX_VALUE;

  /** In half a byte: a rest follows. */
  private static final int MORE = 15;

  /** By hash: the last place that has it, from 1 on; 0 for none. */
  private final char[] last = new char[1 << HASH_BITS];

  /** By place: the one before it with the same hash, likewise. */
  private final char[] before = new char[MAX_LENGTH];

  private LZ4.@Nullable HighCompressionHashTable lucenesTable;

  /** The match that was found last. */
  private int matchAt;

  private int matchLength;

  /** Compresses the first bytes of an array. */
  void compress(byte[] bytes, int length, EncodedBytes to) throws IOException {
    if (length > MAX_LENGTH) {
      compressByLucene(bytes, length, to);
      return;
    }
    int limit = length - LAST_LITERALS;
    int literals = 0;
    int at = 0;
    Arrays.fill(last, '\0');
    while (at < limit - MIN_MATCH) {
      if (!find(bytes, at, note(bytes, at), limit)) {
        at++;
        continue;
      }
      int end = at + matchLength;
      put(bytes, literals, at, to);
      while (++at < end) {
        note(bytes, at);
      }
      literals = end;
    }
    putLiterals(bytes, literals, length - literals, 0, to);
  }

  private void compressByLucene(byte[] bytes, int length, EncodedBytes to) throws IOException {
    LZ4.HighCompressionHashTable table = lucenesTable;
    if (table == null) {
      table = new LZ4.HighCompressionHashTable();
      lucenesTable = table;
    }
    LZ4.compress(bytes, 0, length, to, table);
  }

  /** Notes a place, and returns the one before it with the same hash. */
  private int note(byte[] bytes, int at) {
    int hash = (LittleEndian.getInt(bytes, at) * MULTIPLIER) >>> (Integer.SIZE - HASH_BITS);
    char known = last[hash];
    before[at] = known;
    last[hash] = (char) (at + 1);
    return known;
  }

  /**
   * Whether there is a match.
   *
   * @param newest where to begin looking, from 1 on
   * @param limit where a match ends at the latest
   */
  private boolean find(byte[] bytes, int at, int newest, int limit) {
    int four = LittleEndian.getInt(bytes, at);
    int longest = 0;
    int collisions = 0;
    for (int place = newest; place > 0 && collisions < MAX_COLLISIONS; place = before[place - 1]) {
      int candidate = place - 1;
      if (LittleEndian.getInt(bytes, candidate) != four) {
        collisions++;
      } else if (longest == 0 || bytes[candidate + longest] == bytes[at + longest]) {
        // Both go on to the limit, so one of them ends first, if nothing else differs.
        int length = Arrays.mismatch(bytes, candidate, limit, bytes, at, limit);
        if (length > longest) {
          longest = length;
          matchAt = candidate;
          if (at + length == limit) {
            break;
          }
        }
      }
    }
    matchLength = longest;
    return longest > 0;
  }

  /** Puts what is before the match, and the match. */
  private void put(byte[] bytes, int literals, int at, EncodedBytes to) {
    int match = matchLength - MIN_MATCH;
    putLiterals(bytes, literals, at - literals, Math.min(match, MORE), to);
    to.putShort(at - matchAt);
    if (match >= MORE) {
      putRest(match - MORE, to);
    }
  }

  /** Puts literals, and the lower half of the byte before them. */
  private static void putLiterals(byte[] bytes, int start, int length, int lower, EncodedBytes to) {
    to.put((byte) ((Math.min(length, MORE) << 4) | lower));
    if (length >= MORE) {
      putRest(length - MORE, to);
    }
    to.writeBytes(bytes, start, length);
  }

  private static void putRest(int length, EncodedBytes to) {
    int rest = length;
    for (; rest >= 0xFF; rest -= 0xFF) {
      to.put((byte) 0xFF);
    }
    to.put((byte) rest);
  }
}
