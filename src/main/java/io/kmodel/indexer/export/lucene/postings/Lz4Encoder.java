package io.kmodel.indexer.export.lucene.postings;

import io.kmodel.indexer.store.LittleEndian;
import java.io.IOException;
import java.util.Arrays;
import org.apache.lucene.util.compress.LZ4;
import org.jspecify.annotations.Nullable;

/**
 * Compresses byte for byte like Lucene's LZ4 with a HighCompressionHashTable. The encoder chooses
 * the longest match among earlier offsets with the same four bytes, and the nearest of equally long
 * ones. A search ends after 256 offsets that have the same hash but other bytes.
 *
 * <p>It is faster than Lucene's for the few KiB of suffixes in a block of terms, for two reasons.
 * It adds an offset to its table while looking it up, where Lucene uses two passes and a table for
 * any length. It also skips a candidate whose next byte rules out a longer match.
 *
 * <pre>
 * sequence := literals:4 match-4:4  [rest of literals] byte*  back:short  [rest of match]
 * </pre>
 *
 * where 15 in a half byte means that the rest follows, as bytes to be added up, the last of them
 * below 255. The last sequence has no match. Memory: 192 KiB, and 256 KiB of Lucene's once an input
 * had more than 64 KiB. Not thread-safe.
 */
final class Lz4Encoder {
  private static final int MIN_MATCH = 4;

  /** Number of bytes at the end that are always literals. */
  private static final int LAST_LITERALS = 5;

  private static final int HASH_BITS = 15;
  private static final int MULTIPLIER = -1640531535;

  /** Maximum offsets per search that have the same hash but other bytes. */
  private static final int MAX_COLLISIONS = 256;

  /** Longer inputs are compressed by Lucene's LZ4. */
  private static final int MAX_LENGTH = Character.MAX_VALUE;

  /** Value of a half byte that is followed by a rest. */
  private static final int MORE = 15;

  /** By hash: the last offset that has it, plus 1; 0 without one. */
  private final char[] last = new char[1 << HASH_BITS];

  /** By offset: the previous one with the same hash, plus 1; 0 without one. */
  private final char[] previous = new char[MAX_LENGTH];

  private LZ4.@Nullable HighCompressionHashTable lucenesTable;

  /** The last match found. */
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
      if (!find(bytes, at, addOffset(bytes, at), limit)) {
        at++;
        continue;
      }
      int end = at + matchLength;
      put(bytes, literals, at, to);
      while (++at < end) {
        addOffset(bytes, at);
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

  /** Adds an offset to the table; returns the previous one with the same hash, plus 1. */
  private int addOffset(byte[] bytes, int at) {
    int hash = (LittleEndian.getInt(bytes, at) * MULTIPLIER) >>> (Integer.SIZE - HASH_BITS);
    char known = last[hash];
    previous[at] = known;
    last[hash] = (char) (at + 1);
    return known;
  }

  /**
   * Finds the longest match for the bytes at an offset; returns false without one.
   *
   * @param newest the last earlier offset with the same hash, plus 1; 0 without one
   * @param limit where a match must end at the latest
   */
  private boolean find(byte[] bytes, int at, int newest, int limit) {
    int four = LittleEndian.getInt(bytes, at);
    int longest = 0;
    int collisions = 0;
    for (int next = newest; next > 0 && collisions < MAX_COLLISIONS; next = previous[next - 1]) {
      int candidate = next - 1;
      if (LittleEndian.getInt(bytes, candidate) != four) {
        collisions++;
      } else if (longest == 0 || bytes[candidate + longest] == bytes[at + longest]) {
        // Never -1: both end at the limit, so the candidate's range is longer.
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

  /** Puts the literals before the last match found, and the match. */
  private void put(byte[] bytes, int literals, int at, EncodedBytes to) {
    int match = matchLength - MIN_MATCH;
    putLiterals(bytes, literals, at - literals, Math.min(match, MORE), to);
    to.putShort(at - matchAt);
    if (match >= MORE) {
      putRest(match - MORE, to);
    }
  }

  /** Puts the head of a sequence, with the given lower half, and its literals. */
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
