package io.kmodel.indexer.export.lucene.postings;

import java.io.IOException;
import org.apache.lucene.codecs.lucene104.Lucene104PostingsFormat.IntBlockTermState;
import org.apache.lucene.codecs.lucene104.Lucene104PostingsWriter;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.util.ArrayUtil;
import org.apache.lucene.util.compress.LowercaseAsciiCompression;

/**
 * Encodes a block of Lucene's .tim file: terms that share a prefix, and pointers to the blocks of
 * longer prefixes.
 *
 * <pre>
 * block    := entries:vint(count, 1 bit: last with the prefix)
 *             suffixes:vlong(bytes, 1 bit: terms only, 2 bits: compression) byte*
 *             lengths:vint(bytes, 1 bit: all bytes are equal) byte*
 *             stats:vint byte*  metadata:vint byte*
 * length   := vint                                          // if there are only terms
 *           | vint(length, 1 bit: block) [blocks back:vlong]
 * stat     := vint(docFreq, 1 bit: 0) [totalTermFreq-docFreq:vlong]
 *           | vint(n-1, 1 bit: 1)                           // n terms that occur once
 * </pre>
 *
 * Items after the first one in parentheses are the lowest bits of the number. The size of suffixes
 * is given before compression. They are compressed by {@link Lz4Encoder} (2) or {@link
 * LowercaseAsciiCompression} (1) if the prefix is long and that saves enough space. Metadata are
 * the terms' states, encoded by Lucene104PostingsWriter. Memory: a few KiB, or 5 MB with the
 * longest terms. Not thread-safe.
 */
final class TermBlock {
  private static final int COMPRESSED_BY_LOWER_CASE = 1;
  private static final int COMPRESSED_BY_LZ4 = 2;
  private static final int TERMS_ONLY = 4;

  /**
   * Blocks of prefixes up to this length are not compressed: a fuzzy search with two edits reads
   * all of them.
   */
  private static final int SHORT_PREFIX = 2;

  /** Suffixes up to this average length are not compressed. */
  private static final int SHORT_SUFFIX = 2;

  /** Suffixes up to this average length are not compressed by LZ4. */
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

  /** Whether the block has no pointers to other blocks. */
  private boolean hasTermsOnly;

  private int count;
  private int terms;

  /** Number of last terms that occur once; not yet in {@link #stats}. */
  private int singletons;

  TermBlock(FieldInfo field, Lucene104PostingsWriter postings, Lz4Encoder lz4) {
    this.field = field;
    this.postings = postings;
    this.lz4 = lz4;
    this.hasFreqs = field.getIndexOptions() != IndexOptions.DOCS;
  }

  /** Starts a block. */
  void start(boolean hasTermsOnly) {
    this.hasTermsOnly = hasTermsOnly;
    count = 0;
    terms = 0;
  }

  void addTerm(byte[] bytes, int suffix, int length, IntBlockTermState state) throws IOException {
    lengths.putVInt(hasTermsOnly ? length : length << 1);
    suffixes.writeBytes(bytes, suffix, length);
    if (state.docFreq == 1 && (!hasFreqs || state.totalTermFreq == 1)) {
      singletons++;
    } else {
      putSingletons();
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
   * Adds a pointer to the block of a longer prefix.
   *
   * @param back distance back from this block to the other
   */
  void addBlock(byte[] bytes, int suffix, int length, long back) {
    lengths.putVInt((length << 1) | 1);
    lengths.putVLong(back);
    suffixes.writeBytes(bytes, suffix, length);
    count++;
  }

  /**
   * Appends the block to a buffer.
   *
   * @param isLast whether this is the last block of the prefix
   * @return whether the block has terms
   */
  boolean write(int prefixLength, boolean isLast, EncodedBytes out) throws IOException {
    putSingletons();
    out.putVInt((count << 1) | (isLast ? 1 : 0));
    writeSuffixes(prefixLength, out);
    writeLengths(out);
    writeAll(stats, out);
    writeAll(metadata, out);
    return terms > 0;
  }

  private void putSingletons() {
    if (singletons > 0) {
      stats.putVInt(((singletons - 1) << 1) | 1);
      singletons = 0;
    }
  }

  private void writeSuffixes(int prefixLength, EncodedBytes out) throws IOException {
    int compression = prefixLength > SHORT_PREFIX ? compress() : 0;
    out.putVLong(((long) suffixes.size() << 3) | (hasTermsOnly ? TERMS_ONLY : 0) | compression);
    out.append(compression == 0 ? suffixes : compressed);
    suffixes.clear();
    compressed.clear();
  }

  /** Compresses the suffixes if that saves enough; returns the method, 0 for none. */
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

  /** Writes the lengths; only once if all bytes are equal, as for ids of fixed length. */
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
