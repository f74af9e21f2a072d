package io.kmodel.indexer.index.documents;

import com.github.luben.zstd.EndDirective;
import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import io.kmodel.indexer.store.OutputFile;
import io.kmodel.indexer.store.VariableLength;
import io.kmodel.indexer.store.library.ZstdLibrary;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A block of stored documents while it is filled; see {@link StoredDocumentsWriter} for the
 * grammar. Memory: twice the largest block, and 1 MiB for the compressor. Values of at least
 * {@value #LARGE_BYTES} bytes are compressed from where they are, in pieces, and so take only their
 * compressed size. Not thread-safe.
 */
final class DocumentBlock implements AutoCloseable {
  /** A block ends after this much text. */
  static final int BYTES = 32 << 10;

  /**
   * Compresses about 500 MB/s to a sixth. Level 1 is a quarter faster but 4 % larger; level 5 takes
   * twice as long for 4 % less.
   */
  private static final int LEVEL = 3;

  static final int LARGE_BYTES = 16 << 20;

  /** Part of such a value that is handed to the compressor at a time, and of its output. */
  private static final int PIECE_BYTES = 1 << 20;

  /** A value that is not copied into {@link #text}, where it belongs at an offset. */
  private record Large(int at, ByteBuffer utf8) {}

  /** Buffers up to this size are reused for the next block. */
  private static final int KEPT_BYTES = 1 << 20;

  private static final int MAX_ARRAY_BYTES = Integer.MAX_VALUE - 8;

  private final ZstdCompressCtx compressor;
  private byte[] text = new byte[2 * BYTES];
  private int textBytes;
  private byte[] packed = {};
  private int documents;

  private final List<Large> large = new ArrayList<>();
  private int largeBytes;

  DocumentBlock() {
    ZstdLibrary.load();
    this.compressor = new ZstdCompressCtx().setLevel(LEVEL);
  }

  /** Adds the next value of a document. The array must not change until the block is written. */
  void value(byte[] utf8, int offset, int length) {
    boolean isLarge = length >= LARGE_BYTES;
    long needed = (long) textBytes + VariableLength.MAX_INT_BYTES + (isLarge ? 0 : length);
    if (needed + largeBytes + (isLarge ? length : 0) > MAX_ARRAY_BYTES) {
      throw new IllegalArgumentException(
          "stored fields of one document take more than %d bytes".formatted(MAX_ARRAY_BYTES));
    }
    if (needed > text.length) {
      text = Arrays.copyOf(text, (int) Math.min(MAX_ARRAY_BYTES, needed + needed / 8));
    }
    textBytes = VariableLength.putInt(text, textBytes, length);
    if (isLarge) {
      large.add(new Large(textBytes, ByteBuffer.wrap(utf8, offset, length)));
      largeBytes += length;
      return;
    }
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

  /** Whether the block must be written before another document is added. */
  boolean isFull() {
    return textBytes >= BYTES || !large.isEmpty();
  }

  /** Writes the block, and empties it. */
  void writeTo(OutputFile out) throws IOException {
    if (large.isEmpty()) {
      writeText(out);
    } else {
      writeLarge(out);
    }
    documents = 0;
    textBytes = 0;
    if (text.length > KEPT_BYTES) {
      text = new byte[2 * BYTES];
      packed = new byte[0];
    }
  }

  private void writeText(OutputFile out) throws IOException {
    int most = Math.toIntExact(Zstd.compressBound(textBytes));
    if (most > packed.length) {
      packed = new byte[most];
    }
    int packedBytes = compressor.compressByteArray(packed, 0, packed.length, text, 0, textBytes);
    out.writeVInt(documents);
    out.writeVInt(textBytes);
    out.writeVInt(packedBytes);
    out.writeBytes(packed, 0, packedBytes);
  }

  /** Writes a block with large values. It is kept compressed until its size is known. */
  private void writeLarge(OutputFile out) throws IOException {
    ByteBuffer from = ByteBuffer.allocateDirect(PIECE_BYTES);
    ByteBuffer to = ByteBuffer.allocateDirect(PIECE_BYTES);
    List<byte[]> pieces = new ArrayList<>();
    compressor.setPledgedSrcSize((long) textBytes + largeBytes);
    int at = 0;
    for (Large value : large) {
      compress(ByteBuffer.wrap(text, at, value.at() - at), from, to, pieces);
      compress(value.utf8(), from, to, pieces);
      at = value.at();
    }
    compress(ByteBuffer.wrap(text, at, textBytes - at), from, to, pieces);
    from.clear().limit(0);
    for (boolean ended = false; !ended; ) {
      ended = compressor.compressDirectByteBufferStream(to, from, EndDirective.END);
      drain(to, pieces);
    }
    out.writeVInt(documents);
    out.writeVInt(textBytes + largeBytes);
    out.writeVInt(Math.toIntExact(pieces.stream().mapToLong(piece -> piece.length).sum()));
    for (byte[] piece : pieces) {
      out.writeBytes(piece, 0, piece.length);
    }
    large.clear();
    largeBytes = 0;
  }

  private void compress(ByteBuffer value, ByteBuffer from, ByteBuffer to, List<byte[]> pieces) {
    while (value.hasRemaining()) {
      int n = Math.min(PIECE_BYTES, value.remaining());
      from.clear().put(value.slice(value.position(), n)).flip();
      value.position(value.position() + n);
      while (from.hasRemaining()) {
        compressor.compressDirectByteBufferStream(to, from, EndDirective.CONTINUE);
        drain(to, pieces);
      }
    }
  }

  private static void drain(ByteBuffer to, List<byte[]> pieces) {
    byte[] piece = new byte[to.flip().remaining()];
    to.get(piece);
    to.clear();
    if (piece.length > 0) {
      pieces.add(piece);
    }
  }

  @Override
  public void close() {
    compressor.close();
  }
}
