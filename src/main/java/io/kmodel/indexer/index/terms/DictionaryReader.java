package io.kmodel.indexer.index.terms;

import io.kmodel.indexer.store.ByteReader;
import io.kmodel.indexer.store.InputFile;
import java.io.IOException;
import java.util.Arrays;

/**
 * Walks the dictionary's entries forward from the start of any block; see {@link
 * TermDictionaryWriter} for the grammar. Memory: the buffer and the longest key. Not thread-safe.
 */
public final class DictionaryReader {
  private final IndexContent content;
  private final InputFile file;
  private final TermIndex index;
  private final ByteReader in;
  private final TermEntry entry = new TermEntry();

  /** The key of the last entry of the previous block if that was read, else empty. */
  private byte[] lastKey = new byte[64];

  private int lastKeyLength;

  /** Ordinal of the current entry among all terms of the index, -1 before the first. */
  private long ordinal = -1;

  public DictionaryReader(IndexContent content, int bufferBytes) throws IOException {
    this.content = content;
    this.file = content.dictionary();
    this.index = content.termIndex();
    this.in = file.reader(bufferBytes);
  }

  /** Positions the reader before a block's first entry. */
  public void seekBlock(long block) throws IOException {
    in.seek(file.bodyStart() + index.blockOffset(block));
    ordinal = block * TermDictionaryWriter.BLOCK_TERMS - 1;
    entry.keyLength = 0;
  }

  /**
   * Returns the bytes of documents and positions of all terms before a block. {@link #seekBlock}
   * must be called next.
   */
  long postingsBytesBefore(long block) throws IOException {
    if (block == index.blocks()) {
      InputFile docs = content.docs();
      InputFile positions = content.positions();
      return docs.bodyEnd() - docs.bodyStart() + positions.bodyEnd() - positions.bodyStart();
    }
    in.seek(file.bodyStart() + index.blockOffset(block));
    return in.readVLong() + in.readVLong();
  }

  /** Reads the next entry; false at the end of the dictionary. */
  public boolean next() throws IOException {
    if (ordinal + 1 >= index.terms()) {
      return false;
    }
    ordinal++;
    if (ordinal % TermDictionaryWriter.BLOCK_TERMS == 0) {
      startBlock();
      entry.read(in, content.schema());
      checkOrder();
    } else {
      entry.docsStart += entry.docsBytes;
      entry.positionsStart += entry.positionsBytes;
      entry.read(in, content.schema());
    }
    if (entry.docsBytes > content.docs().bodyEnd() - entry.docsStart
        || entry.positionsBytes > content.positions().bodyEnd() - entry.positionsStart) {
      throw in.corrupt(
          "term %d before offset %d has %d + %d bytes from %d, %d, more than the files hold"
              .formatted(
                  ordinal,
                  in.position(),
                  entry.docsBytes,
                  entry.positionsBytes,
                  entry.docsStart,
                  entry.positionsStart));
    }
    return true;
  }

  /** The current entry. */
  public TermEntry entry() {
    return entry;
  }

  public long ordinal() {
    return ordinal;
  }

  public long block() {
    return Math.floorDiv(ordinal, TermDictionaryWriter.BLOCK_TERMS);
  }

  /** File offset after the current entry. */
  public long position() {
    return in.position();
  }

  private void startBlock() throws IOException {
    long expected = file.bodyStart() + index.blockOffset(block());
    if (in.position() != expected) {
      throw in.corrupt(
          "block %d starts at %d, expected %d".formatted(block(), in.position(), expected));
    }
    long docsOffset = in.readVLong();
    long positionsOffset = in.readVLong();
    InputFile docs = content.docs();
    InputFile positions = content.positions();
    if (docsOffset < 0
        || docsOffset > docs.bodyEnd() - docs.bodyStart()
        || positionsOffset < 0
        || positionsOffset > positions.bodyEnd() - positions.bodyStart()) {
      throw in.corrupt(
          "block %d before offset %d points to %d, %d, beyond the files' ends"
              .formatted(block(), in.position(), docsOffset, positionsOffset));
    }
    keepKey();
    entry.keyLength = 0;
    entry.docsStart = docs.bodyStart() + docsOffset;
    entry.positionsStart = positions.bodyStart() + positionsOffset;
  }

  private void keepKey() {
    if (lastKey.length < entry.keyLength) {
      lastKey = new byte[entry.key.length];
    }
    System.arraycopy(entry.key, 0, lastKey, 0, entry.keyLength);
    lastKeyLength = entry.keyLength;
  }

  /** Checks the order across blocks; within a block {@link TermEntry#read} checks it. */
  private void checkOrder() throws IOException {
    if (Arrays.compareUnsigned(entry.key, 0, entry.keyLength, lastKey, 0, lastKeyLength) <= 0) {
      throw in.corrupt("terms out of order before " + in.position());
    }
  }
}
