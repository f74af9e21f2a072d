package io.kmodel.indexer.export.lucene.segment;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.lucene.codecs.compressing.CompressionMode;
import org.apache.lucene.codecs.compressing.Compressor;
import org.apache.lucene.codecs.compressing.Decompressor;
import org.apache.lucene.store.ByteBuffersDataInput;
import org.apache.lucene.store.DataOutput;
import org.apache.lucene.util.ArrayUtil;

/**
 * Compresses stored fields after marking binary values as strings, which differ in their type only:
 *
 * <pre>
 * value := number &lt;&lt; 3 | type:vlong  length:vint  bytes     type 0: a string, 1: binary
 * </pre>
 *
 * <p>All values must be of these types. Memory: a copy of the bytes compressed at a time.
 */
final class StringCompressionMode extends CompressionMode {
  private static final int BINARY = 1;

  private final CompressionMode mode;

  StringCompressionMode(CompressionMode mode) {
    this.mode = mode;
  }

  @Override
  public Compressor newCompressor() {
    return new Marking(mode.newCompressor());
  }

  @Override
  public Decompressor newDecompressor() {
    return mode.newDecompressor();
  }

  /** What the next byte is; a text whose bytes are all passed is followed by a type. */
  private enum Part {
    TYPE,
    NUMBER,
    LENGTH,
    TEXT
  }

  /** Lucene cuts large documents anywhere, so values continue from one call to the next. */
  private static final class Marking extends Compressor {
    private final Compressor to;
    private byte[] bytes = new byte[0];
    private Part next = Part.TYPE;

    /** The length of the text so far, then how many of its bytes are left. */
    private int length;

    /** Position of the next bits of the length. */
    private int shift;

    Marking(Compressor to) {
      this.to = to;
    }

    @Override
    public void compress(ByteBuffersDataInput in, DataOutput out) throws IOException {
      int count = Math.toIntExact(in.length());
      bytes = ArrayUtil.growNoCopy(bytes, count);
      in.readBytes(bytes, 0, count);
      mark(count);
      to.compress(new ByteBuffersDataInput(List.of(ByteBuffer.wrap(bytes, 0, count))), out);
    }

    private void mark(int count) {
      int at = 0;
      while (at < count) {
        if (next == Part.TEXT) {
          int passed = Math.min(length, count - at);
          at += passed;
          length -= passed;
          next = length == 0 ? Part.TYPE : Part.TEXT;
        } else {
          mark(bytes, at++);
        }
      }
    }

    private void mark(byte[] of, int at) {
      byte b = of[at];
      switch (next) {
        case TYPE -> {
          of[at] = (byte) (b & ~BINARY);
          next = b < 0 ? Part.NUMBER : Part.LENGTH;
          length = 0;
          shift = 0;
        }
        case NUMBER -> next = b < 0 ? Part.NUMBER : Part.LENGTH;
        case LENGTH -> {
          length |= (b & 0x7F) << shift;
          shift += 7;
          next = b < 0 ? Part.LENGTH : Part.TEXT;
        }
        case TEXT -> throw new AssertionError("texts are passed over");
      }
    }

    @Override
    public void close() throws IOException {
      to.close();
    }
  }
}
