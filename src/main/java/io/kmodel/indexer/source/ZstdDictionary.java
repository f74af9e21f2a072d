package io.kmodel.indexer.source;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdDictDecompress;
import com.github.luben.zstd.ZstdInputStream;
import io.kmodel.indexer.store.LittleEndian;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * The dictionary that all frames of a file in zstd refer to, which the file begins with, in a frame
 * to pass over, itself compressed or not: as crawlers write WARC files of a frame for each record
 * (IIPC, Zstandard Compression for WARC Files 1.0, section "Dictionaries").
 *
 * <p>Failure: {@link DecoderMemoryException}, or an {@link IOException} that says what is wrong
 * with it. Memory: it, outside of the heap, and while it is read twice that, and as much as it
 * takes in the file; closing does not give back what was reserved for it. Not thread-safe; what
 * refers to it has to be closed before it is.
 */
final class ZstdDictionary implements AutoCloseable {
  /** What a frame with a dictionary starts with, and the dictionary itself. */
  private static final int FRAME_MAGIC = 0x184D2A5D;

  private static final int MAGIC = 0xEC30A437;

  /** Of the frame, and of what is in it: so many tell that it is one. */
  static final int LOOK_BYTES = ZstdFrames.SKIPPABLE_HEADER_BYTES + Integer.BYTES;

  /** Readers need not take more than 8 MiB; no dictionary gains by more than some windows. */
  private static final long MOST_BYTES = 64L << 20;

  private final ZstdDictDecompress dictionary;

  private ZstdDictionary(ZstdDictDecompress dictionary) {
    this.dictionary = dictionary;
  }

  /** Whether a file with these bytes starts with a dictionary. */
  static boolean isAt(byte[] bytes, int from, int length) {
    if (length < LOOK_BYTES
        || LittleEndian.getInt(bytes, from) != FRAME_MAGIC
        || frameBytes(bytes, from) < Integer.BYTES) {
      return false;
    }
    int magic = LittleEndian.getInt(bytes, from + ZstdFrames.SKIPPABLE_HEADER_BYTES);
    return magic == MAGIC || magic == ZstdFrames.MAGIC;
  }

  private static long frameBytes(byte[] bytes, int from) {
    return Integer.toUnsignedLong(LittleEndian.getInt(bytes, from + Integer.BYTES));
  }

  /**
   * Reads the dictionary that a file starts with.
   *
   * @param in at the file's start; behind the dictionary afterwards
   * @param memory of the decoder, which has nothing yet; what it has is the dictionary's
   *     afterwards, also where that cannot be read
   * @return null if there is none; nothing was read then
   */
  static @Nullable ZstdDictionary read(InputBytes in, DecoderMemory memory) throws IOException {
    if (!in.fill(LOOK_BYTES) || !isAt(in.array(), in.at(), in.available())) {
      return null;
    }
    long bytes = frameBytes(in.array(), in.at());
    in.advance(ZstdFrames.SKIPPABLE_HEADER_BYTES);
    try {
      return new ZstdDictionary(load(in, bytes, memory));
    } catch (RuntimeException e) {
      throw damaged(String.valueOf(e.getMessage()), e);
    }
  }

  /** Has the library copy it; what is kept of the memory is for that copy. */
  private static ZstdDictDecompress load(InputBytes in, long bytes, DecoderMemory memory)
      throws IOException {
    ZstdDictDecompress dictionary;
    long kept;
    try (Arena arena = Arena.ofConfined()) {
      memory.reserve(requireUsual(bytes));
      ByteBuffer content = read(in, bytes, arena);
      if (content.getInt(0) == ZstdFrames.MAGIC) {
        long unpacked = requireUsual(Zstd.getFrameContentSize(content));
        memory.reserve(bytes + unpacked);
        content = unpack(content, buffer(arena, unpacked));
      }
      if (content.capacity() < Integer.BYTES || content.getInt(0) != MAGIC) {
        throw damaged("it is none", null);
      }
      kept = content.capacity();
      memory.reserve(memory.bytes() + kept);
      dictionary = new ZstdDictDecompress(content);
    }
    memory.keep(kept);
    return dictionary;
  }

  private static long requireUsual(long bytes) throws IOException {
    if (bytes < 0 || bytes > MOST_BYTES) {
      throw damaged(
          bytes < 0
              ? "it does not say how long it is"
              : "it has %d bytes, more than %d".formatted(bytes, MOST_BYTES),
          null);
    }
    return bytes;
  }

  private static ByteBuffer buffer(Arena arena, long bytes) {
    return arena.allocate(bytes).asByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
  }

  private static ByteBuffer read(InputBytes in, long bytes, Arena arena) throws IOException {
    ByteBuffer content = buffer(arena, bytes);
    while (content.hasRemaining()) {
      if (!in.fill()) {
        throw damaged("the file ends within it", null);
      }
      int there = Math.min(content.remaining(), in.available());
      content.put(in.array(), in.at(), there);
      in.advance(there);
    }
    return content.flip();
  }

  private static ByteBuffer unpack(ByteBuffer packed, ByteBuffer to) throws IOException {
    long length =
        Zstd.decompressDirectByteBuffer(to, 0, to.capacity(), packed, 0, packed.capacity());
    if (Zstd.isError(length)) {
      throw damaged(Zstd.getErrorName(length), null);
    }
    if (length != to.capacity()) {
      throw damaged("it has %d bytes, not %d".formatted(length, to.capacity()), null);
    }
    return to;
  }

  private static IOException damaged(String how, @Nullable RuntimeException cause) {
    return new IOException("zstd: the dictionary that the file starts with: " + how, cause);
  }

  /** Has a decoder refer to it. */
  void giveTo(ZstdInputStream decoder) throws IOException {
    decoder.setDict(dictionary);
  }

  /** Has a decoder refer to it. */
  void giveTo(ZstdDecompressCtx decoder) {
    decoder.loadDict(dictionary);
  }

  @Override
  public void close() {
    dictionary.close();
  }
}
