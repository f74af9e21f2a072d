package io.kmodel.indexer.source.parquet;

import com.github.luben.zstd.Zstd;
import dev.hardwood.internal.compression.Decompressor;
import dev.hardwood.internal.compression.DecompressorFactory;
import dev.hardwood.metadata.CompressionCodec;
import io.kmodel.indexer.source.unpack.GzipInput;
import io.kmodel.indexer.source.unpack.InputBytes;
import io.kmodel.indexer.store.library.ZstdLibrary;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.commons.compress.compressors.lz4.BlockLZ4CompressorInputStream;
import org.brotli.dec.BrotliInputStream;

/**
 * Decompresses pages with the program's own libraries, each page in one call into an array of its
 * exact size. Hardwood's decompressors would keep the largest page of every thread, and need other
 * libraries. Thread-safe.
 */
final class PageCodecs extends DecompressorFactory {
  /** Keeps the level that is set here: Hardwood logs that it found no Vector API. */
  private static final Logger LOGGER = Logger.getLogger("dev.hardwood");

  static {
    if (LOGGER.getLevel() == null) {
      LOGGER.setLevel(Level.WARNING);
    }
  }

  /** Decompresses a part of an array into one of the expected size. */
  @FunctionalInterface
  private interface Codec {
    void unpack(byte[] in, int from, int length, byte[] out) throws IOException;
  }

  /** Checks decompressed data before they are decoded. */
  @FunctionalInterface
  interface Check {
    void accept(byte[] unpacked) throws IOException;
  }

  /** Decompresses a stream. */
  @FunctionalInterface
  private interface Opener {
    InputStream open(byte[] in, int from, int length) throws IOException;
  }

  /** A codec whose data are the output itself. */
  private record Unpacking(CompressionCodec codec, Codec by, Check check) implements Decompressor {
    @Override
    public byte[] decompress(ByteBuffer page, int size) throws IOException {
      byte[] out = new byte[size];
      by.unpack(page.array(), page.arrayOffset() + page.position(), page.remaining(), out);
      check.accept(out);
      return out;
    }

    @Override
    public String getName() {
      return codec.name();
    }
  }

  private final Check check;

  PageCodecs(Check check) {
    super(null);
    this.check = check;
  }

  /** Whether pages with this compression can be read. */
  static boolean knows(CompressionCodec codec) {
    return codec != CompressionCodec.LZO && codec != CompressionCodec.LZ4;
  }

  @Override
  public Decompressor getDecompressor(CompressionCodec codec) {
    return new Unpacking(
        codec,
        switch (codec) {
          case UNCOMPRESSED -> PageCodecs::copy;
          case SNAPPY -> SnappyBlock::unpack;
          case ZSTD -> PageCodecs::zstd;
          case GZIP ->
              stream(
                  (in, from, length) ->
                      new GzipInput(
                          InputBytes.of(in, from, from + length), "page", GzipInput.NEVER_AT_ONCE));
          case BROTLI ->
              stream(
                  (in, from, length) ->
                      new BrotliInputStream(new ByteArrayInputStream(in, from, length)));
          case LZ4_RAW ->
              stream(
                  (in, from, length) ->
                      new BlockLZ4CompressorInputStream(
                          new ByteArrayInputStream(in, from, length)));
          case LZ4, LZO -> throw new IllegalArgumentException(codec + " is not supported");
        },
        check);
  }

  private static void copy(byte[] in, int from, int length, byte[] out) throws IOException {
    if (length != out.length) {
      throw new IOException("page of another length");
    }
    System.arraycopy(in, from, out, 0, length);
  }

  private static void zstd(byte[] in, int from, int length, byte[] out) throws IOException {
    ZstdLibrary.load();
    long result = Zstd.decompressByteArray(out, 0, out.length, in, from, length);
    if (Zstd.isError(result) || result != out.length) {
      throw new IOException("damaged zstd frame");
    }
  }

  private static Codec stream(Opener opener) {
    return (in, from, length, out) -> {
      try (InputStream unpacked = opener.open(in, from, length)) {
        if (unpacked.readNBytes(out, 0, out.length) < out.length || unpacked.read() >= 0) {
          throw new IOException("page of another length");
        }
      }
    };
  }
}
