package io.kmodel.indexer.source.unpack;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdDictDecompress;
import com.github.luben.zstd.ZstdInputStream;
import io.kmodel.indexer.source.DecoderMemoryException;
import io.kmodel.indexer.source.remote.UnavailableException;
import io.kmodel.indexer.store.LittleEndian;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * The dictionary that all frames of a zstd file refer to. The file begins with it, in a skippable
 * frame, compressed or not. Crawlers write such WARC files with a frame for each record (IIPC,
 * Zstandard Compression for WARC Files 1.0, section "Dictionaries").
 *
 * <p>Failure: {@link DecoderMemoryException}, or an {@link IOException} with the problem. Memory:
 * the dictionary, off-heap; while it is read, twice that, and its size in the file. Closing does
 * not release the reservation. Not thread-safe. Anything that refers to it has to be closed first.
 */
final class ZstdDictionary implements AutoCloseable {
  /** Magic numbers of a frame with a dictionary, and of the dictionary. */
  private static final int FRAME_MAGIC = 0x184D2A5D;

  private static final int MAGIC = 0xEC30A437;

  /** The frame's header and the start of its content, which identify a dictionary. */
  static final int PROBE_BYTES = ZstdFrames.SKIPPABLE_HEADER_BYTES + Integer.BYTES;

  /** Readers need not accept more than 8 MiB; no dictionary gains from more than a few windows. */
  private static final long MOST_BYTES = 64L << 20;

  private final ZstdDictDecompress dictionary;

  private ZstdDictionary(ZstdDictDecompress dictionary) {
    this.dictionary = dictionary;
  }

  /** Whether a file with these bytes starts with a dictionary. */
  static boolean isAt(byte[] bytes, int from, int length) {
    if (length < PROBE_BYTES
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
   * Reads the dictionary at the start of a file.
   *
   * @param in at the file's start; after the dictionary on return
   * @param memory of the decoder, with nothing reserved yet; its reservation on return is the
   *     dictionary's, even if that cannot be read
   * @return null if there is no dictionary; nothing was read then
   */
  static @Nullable ZstdDictionary read(InputBytes in, DecoderMemory memory) throws IOException {
    if (!in.fill(PROBE_BYTES) || !isAt(in.array(), in.at(), in.available())) {
      return null;
    }
    long bytes = frameBytes(in.array(), in.at());
    in.advance(ZstdFrames.SKIPPABLE_HEADER_BYTES);
    try {
      return new ZstdDictionary(load(in, bytes, memory));
    } catch (UnavailableException e) {
      throw e;
    } catch (RuntimeException e) {
      throw damaged(String.valueOf(e.getMessage()), e);
    }
  }

  /** Has the library copy the dictionary; the memory that stays reserved is for that copy. */
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
        throw damaged("not a dictionary", null);
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
              ? "its length is not declared"
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
    return new IOException("zstd: dictionary at the start of the file: " + how, cause);
  }

  /** Makes a decoder refer to the dictionary. */
  void giveTo(ZstdInputStream decoder) throws IOException {
    decoder.setDict(dictionary);
  }

  /** Makes a decoder refer to the dictionary. */
  void giveTo(ZstdDecompressCtx decoder) {
    decoder.loadDict(dictionary);
  }

  @Override
  public void close() {
    dictionary.close();
  }
}
