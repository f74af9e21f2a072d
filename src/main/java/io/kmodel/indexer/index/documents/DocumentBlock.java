package io.kmodel.indexer.index.documents;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import io.kmodel.indexer.store.OutputFile;
import io.kmodel.indexer.store.VariableLength;
import io.kmodel.indexer.store.library.ZstdLibrary;
import java.io.IOException;
import java.util.Arrays;

/**
 * A block of stored documents while it is filled; see {@link StoredDocumentsWriter} for the
 * grammar. Memory: twice the largest block, and 1 MiB for the compressor. Not thread-safe.
 */
final class DocumentBlock implements AutoCloseable {
  /** A block ends after this much text. */
  static final int BYTES = 32 << 10;

  /**
   * Compresses about 500 MB/s to a sixth. Level 1 is a quarter faster but 4 % larger; level 5 takes
   * twice as long for 4 % less.
   */
  private static final int LEVEL = 3;

  /** Buffers up to this size are reused for the next block. */
  private static final int KEPT_BYTES = 1 << 20;

  private static final int MAX_ARRAY_BYTES = Integer.MAX_VALUE - 8;

  private final ZstdCompressCtx compressor;
  private byte[] text = new byte[2 * BYTES];
  private int textBytes;
  private byte[] packed = {};
  private int documents;

  DocumentBlock() {
    ZstdLibrary.load();
    this.compressor = new ZstdCompressCtx().setLevel(LEVEL);
  }

  /** Adds the next value of a document. */
  void value(byte[] utf8, int offset, int length) {
    long needed = (long) textBytes + VariableLength.MAX_INT_BYTES + length;
    if (needed > MAX_ARRAY_BYTES) {
      throw new IllegalArgumentException(
          "stored fields of one document take more than %d bytes".formatted(MAX_ARRAY_BYTES));
    }
    if (needed > text.length) {
      text = Arrays.copyOf(text, (int) Math.min(MAX_ARRAY_BYTES, needed + needed / 8));
    }
    textBytes = VariableLength.putInt(text, textBytes, length);
    System.arraycopy(utf8, offset, text, textBytes, length);
    textBytes += length;
  }

  /** Ends a document whose values were added. */
  void finishDocument() {
    documents++;
  }

  /** Documents in the block. */
  int documents() {
    return documents;
  }

  boolean isFull() {
    return textBytes >= BYTES;
  }

  /** Writes the block, and empties it. */
  void writeTo(OutputFile out) throws IOException {
    int most = Math.toIntExact(Zstd.compressBound(textBytes));
    if (most > packed.length) {
      packed = new byte[most];
    }
    int packedBytes = compressor.compressByteArray(packed, 0, packed.length, text, 0, textBytes);
    out.writeVInt(documents);
    out.writeVInt(textBytes);
    out.writeVInt(packedBytes);
    out.writeBytes(packed, 0, packedBytes);
    documents = 0;
    textBytes = 0;
    if (text.length > KEPT_BYTES) {
      text = new byte[2 * BYTES];
      packed = new byte[0];
    }
  }

  @Override
  public void close() {
    compressor.close();
  }
}
