package io.kmodel.indexer.source.unpack;

import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import io.kmodel.indexer.store.LittleEndian;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Probes zstd frames: decodes the first blocks of a frame under a header with the smallest window
 * that fits every block, so that a probe takes the same memory for every frame.
 *
 * <p>Memory: also some 0.5 MiB off-heap.
 */
public final class ZstdProbe extends MemberProbe {
  /** The magic number, and a descriptor with bits to check. */
  private static final int TELLING_BYTES = 5;

  /** Bit of the descriptor that is not used and has to be zero. */
  private static final int RESERVED = 0x08;

  private static final int DICTIONARY_SIZE = 3;

  /** The window's exponent less 10, with a mantissa of zero: 128 KiB. */
  private static final int WINDOW = (17 - 10) << 3;

  private final ZstdDecompressCtx decoder = new ZstdDecompressCtx();
  private final @Nullable ZstdDictionary dictionary;
  private final byte[] header = new byte[ZstdFrames.MOST_HEADER_BYTES];

  /** Probes frames that may refer to a dictionary. */
  ZstdProbe(@Nullable ZstdDictionary dictionary) {
    this.dictionary = dictionary;
  }

  @Override
  public int headerBytes() {
    return TELLING_BYTES;
  }

  /** A header and a block. */
  @Override
  public int packedBytes() {
    return ZstdFrames.MOST_HEADER_BYTES
        + ZstdFrames.BLOCK_HEADER_BYTES
        + ZstdFrames.MOST_BLOCK_BYTES;
  }

  @Override
  public boolean isHeader(byte[] bytes, int at) {
    return bytes[at] == (byte) ZstdFrames.MAGIC
        && LittleEndian.getInt(bytes, at) == ZstdFrames.MAGIC
        && (bytes[at + Integer.BYTES] & RESERVED) == 0;
  }

  @Override
  int unpackMember(byte[] packed, int from, int to, int wanted) {
    int descriptor = packed[from + Integer.BYTES];
    int at = from + ZstdFrames.headerBytes(descriptor);
    if (at + ZstdFrames.BLOCK_HEADER_BYTES > to) {
      return -1;
    }
    try {
      start(packed, from);
      boolean last = false;
      while (!last && length < wanted) {
        if (at + ZstdFrames.BLOCK_HEADER_BYTES > to) {
          return -1;
        }
        int block = ZstdFrames.blockHeader(packed, at);
        last = ZstdFrames.isLast(block);
        int end = at + ZstdFrames.BLOCK_HEADER_BYTES + ZstdFrames.blockBytes(block);
        decode(ByteBuffer.wrap(packed, at, Math.min(end, to) - at), wanted);
        if (end > to) {
          return -1;
        }
        at = end;
      }
    } catch (ZstdException e) {
      // The output before the damage counts.
      return -1;
    }
    int next = at + ZstdFrames.checksumBytes(descriptor);
    boolean goesOn = length > 0 && length < wanted;
    return goesOn && next + TELLING_BYTES <= to && isHeader(packed, next) ? next : -1;
  }

  /** Starts with a replaced header. */
  private void start(byte[] packed, int from) {
    decoder.reset();
    if (dictionary != null) {
      dictionary.giveTo(decoder);
    }
    int descriptor = packed[from + Integer.BYTES];
    LittleEndian.putInt(header, 0, ZstdFrames.MAGIC);
    header[Integer.BYTES] = (byte) (descriptor & DICTIONARY_SIZE);
    header[Integer.BYTES + 1] = WINDOW;
    int bytes = ZstdFrames.dictionaryBytes(descriptor);
    int at = from + TELLING_BYTES + ZstdFrames.windowBytes(descriptor);
    System.arraycopy(packed, at, header, Integer.BYTES + 2, bytes);
    decode(ByteBuffer.wrap(header, 0, Integer.BYTES + 2 + bytes), unpacked.length);
  }

  /** Decodes all of the input, or until there are {@code wanted} bytes. */
  private void decode(ByteBuffer packed, int wanted) {
    ByteBuffer to = ByteBuffer.wrap(unpacked, length, wanted - length);
    int before;
    do {
      before = packed.remaining() + to.remaining();
      decoder.decompressByteBufferStream(to, packed);
    } while (packed.hasRemaining()
        && to.hasRemaining()
        && packed.remaining() + to.remaining() < before);
    length = to.position();
  }

  @Override
  public void close() {
    decoder.close();
  }
}
