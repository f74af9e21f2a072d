package io.kmodel.indexer.export.lucene.postings;

import java.io.IOException;
import org.apache.lucene.codecs.lucene104.Lucene104PostingsFormat.IntBlockTermState;
import org.apache.lucene.codecs.lucene104.Lucene104PostingsWriter;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.util.ArrayUtil;
import org.apache.lucene.util.compress.LowercaseAsciiCompression;

/**
 * A block of Lucene's .tim file: some terms that share a prefix, and blocks of longer prefixes.
 *
 * <pre>
 * block    := entries:vint(count, 1 bit: last with the prefix)
 *             suffixes:vlong(bytes, 1 bit: terms only, 2 bits: compression) byte*
 *             lengths:vint(bytes, 1 bit: all bytes are equal) byte*
 *             stats:vint byte*  metadata:vint byte*
 * length   := vint                                          // of terms only
 *           | vint(length, 1 bit: block) [blocks back:vlong]
 * stat     := vint(docFreq, 1 bit: 0) [totalTermFreq-docFreq:vlong]
 *           | vint(n-1, 1 bit: 1)                           // n terms that occur once
 * </pre>
 *
 * What is after a number's comma are its lowest bits, and suffixes have so many bytes before they
 * are compressed: by {@link Lz4Encoder} (2) or {@link LowercaseAsciiCompression} (1), if the prefix
 * is long and it helps. Metadata say where postings lie, as Lucene104PostingsWriter has it. Memory:
 * what a block takes, a few KiB, or with the longest terms 5 MB. Not thread-safe.
 */
final class TermBlock {
  private static final int COMPRESSED_BY_LOWER_CASE = 1;
  private static final int COMPRESSED_BY_LZ4 = 2;
  private static final int TERMS_ONLY = 4;

  /**
   * Of prefixes up to that nothing is compressed: a search with two edits goes through them all.
   */
  private static final int SHORT_PREFIX = 2;

  /** Of suffixes that are no longer than that on the mean nothing is compressed. */
  private static final int SHORT_SUFFIX = 2;

  /** The same by LZ4. */
  private static final int SHORT_FOR_LZ4 = 6;

  private final FieldInfo field;
  private final Lucene104PostingsWriter postings;
  private final Lz4Encoder lz4;
  private final boolean hasFreqs;
  private final EncodedBytes suffixes = new EncodedBytes();
  private final EncodedBytes lengths = new EncodedBytes();
  private final EncodedBytes stats = new EncodedBytes();
  private final EncodedBytes metadata = new EncodedBytes();
  private final EncodedBytes compressed = new EncodedBytes();
  private byte[] spare = new byte[0];

  /** Whether it has no other blocks. */
  private boolean hasTermsOnly;

  private int count;
  private int terms;

  /** Terms up to the last one that occur once. */
  private int once;

  TermBlock(FieldInfo field, Lucene104PostingsWriter postings, Lz4Encoder lz4) {
    this.field = field;
    this.postings = postings;
    this.lz4 = lz4;
    this.hasFreqs = field.getIndexOptions() != IndexOptions.DOCS;
  }

  /** Begins a block. */
  void start(boolean hasTermsOnly) {
    this.hasTermsOnly = hasTermsOnly;
    count = 0;
    terms = 0;
  }

  void addTerm(byte[] bytes, int suffix, int length, IntBlockTermState state) throws IOException {
    lengths.putVInt(hasTermsOnly ? length : length << 1);
    suffixes.writeBytes(bytes, suffix, length);
    if (state.docFreq == 1 && (!hasFreqs || state.totalTermFreq == 1)) {
      once++;
    } else {
      endOnce();
      stats.putVInt(state.docFreq << 1);
      if (hasFreqs) {
        stats.putVLong(state.totalTermFreq - state.docFreq);
      }
    }
    postings.encodeTerm(metadata, field, state, terms == 0);
    terms++;
    count++;
  }

  /**
   * Adds a block of a longer prefix.
   *
   * @param back how far it lies before this one
   */
  void addBlock(byte[] bytes, int suffix, int length, long back) {
    lengths.putVInt((length << 1) | 1);
    lengths.putVLong(back);
    suffixes.writeBytes(bytes, suffix, length);
    count++;
  }

  /**
   * Ends the block.
   *
   * @param isLast whether no other one follows with the same prefix
   * @return whether there are more than other blocks in it
   */
  boolean write(int prefixLength, boolean isLast, EncodedBytes out) throws IOException {
    endOnce();
    out.putVInt((count << 1) | (isLast ? 1 : 0));
    writeSuffixes(prefixLength, out);
    writeLengths(out);
    writeAll(stats, out);
    writeAll(metadata, out);
    return terms > 0;
  }

  private void endOnce() {
    if (once > 0) {
      stats.putVInt(((once - 1) << 1) | 1);
      once = 0;
    }
  }

  private void writeSuffixes(int prefixLength, EncodedBytes out) throws IOException {
    int compression = prefixLength > SHORT_PREFIX ? compress() : 0;
    out.putVLong(((long) suffixes.size() << 3) | (hasTermsOnly ? TERMS_ONLY : 0) | compression);
    out.append(compression == 0 ? suffixes : compressed);
    suffixes.clear();
    compressed.clear();
  }

  /** Compresses the suffixes, if that is worth it; returns how. */
  private int compress() throws IOException {
    int size = suffixes.size();
    if (size > (long) SHORT_FOR_LZ4 * count) {
      lz4.compress(suffixes.array(), size, compressed);
      if (compressed.size() < size - size / 4) {
        return COMPRESSED_BY_LZ4;
      }
      compressed.clear();
    }
    if (size > (long) SHORT_SUFFIX * count) {
      spare = ArrayUtil.growNoCopy(spare, size);
      if (LowercaseAsciiCompression.compress(suffixes.array(), size, spare, compressed)) {
        return COMPRESSED_BY_LOWER_CASE;
      }
      compressed.clear();
    }
    return 0;
  }

  /** One byte stands for all if they are equal, as where ids are numbers of some digits. */
  private void writeLengths(EncodedBytes out) {
    byte[] bytes = lengths.array();
    int size = lengths.size();
    int equal = 1;
    while (equal < size && bytes[equal] == bytes[0]) {
      equal++;
    }
    if (equal == size) {
      out.putVInt((size << 1) | 1);
      out.put(bytes[0]);
    } else {
      out.putVInt(size << 1);
      out.append(lengths);
    }
    lengths.clear();
  }

  private static void writeAll(EncodedBytes part, EncodedBytes out) {
    out.putVInt(part.size());
    part.moveTo(out);
  }
}
