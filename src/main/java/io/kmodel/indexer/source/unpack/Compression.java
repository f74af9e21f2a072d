package io.kmodel.indexer.source.unpack;

import com.github.luben.zstd.ZstdInputStream;
import com.google.common.collect.ImmutableMap;
import io.kmodel.indexer.source.DecoderGuard;
import io.kmodel.indexer.store.library.ZstdLibrary;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorInputStream;
import org.apache.commons.compress.compressors.z.ZCompressorInputStream;
import org.jspecify.annotations.Nullable;

/** How a file is compressed, according to its first bytes. */
public enum Compression {
  NONE,
  GZIP,
  /** Decoders allocate the window that each frame declares, and the file's dictionary, off-heap. */
  ZSTD,
  /** Decoders take 4 MiB. */
  BZIP2,
  /** Decoders allocate the dictionary that each block declares. */
  XZ,
  /**
   * LZW, as on TREC's first disks; decoders take 0.5 MiB. The format has no checksums and no end
   * marker, so a truncated file cannot be detected.
   */
  COMPRESS;

  /** The largest zstd window that the library supports: 2 GiB, the maximum of --long. */
  private static final int ZSTD_WINDOW_LOG = 31;

  /** Mask for the third byte of a compress file: the maximum width of codes, without flags. */
  private static final int LZW_BITS = 0x7F;

  private static final int LZW_LEAST = 9;
  private static final int LZW_MOST = 16;

  /** A format suffix and a compression suffix together are shorter. */
  private static final int LONGEST_END = 16;

  private static final ImmutableMap<String, Compression> SUFFIXES =
      ImmutableMap.of(
          ".gz", GZIP, ".zst", ZSTD, ".zstd", ZSTD, ".bz2", BZIP2, ".xz", XZ, ".z", COMPRESS);

  /**
   * The compression of the bytes from {@code from} on. Six bytes suffice, except for zstd after
   * skippable frames, as pzstd writes it: that takes four bytes after these, and a dictionary takes
   * {@value ZstdDictionary#PROBE_BYTES}.
   */
  public static Compression of(byte[] bytes, int from, int length) {
    if (GzipInput.isGzip(bytes, from, length)) {
      return GZIP;
    }
    int skipped = skippableFrames(bytes, from, length);
    if (startsWith(bytes, from + skipped, length - skipped, 0x28, 0xB5, 0x2F, 0xFD)
        || ZstdDictionary.isAt(bytes, from, length)) {
      return ZSTD;
    }
    if (startsWith(bytes, from, length, 'B', 'Z', 'h') && length >= 4) {
      return bytes[from + 3] >= '1' && bytes[from + 3] <= '9' ? BZIP2 : NONE;
    }
    if (startsWith(bytes, from, length, 0x1F, 0x9D) && length >= 3) {
      int bits = bytes[from + 2] & LZW_BITS;
      return bits >= LZW_LEAST && bits <= LZW_MOST ? COMPRESS : NONE;
    }
    return startsWith(bytes, from, length, 0xFD, '7', 'z', 'X', 'Z', 0) ? XZ : NONE;
  }

  /**
   * The end of a file name in lower case, longer than any known suffix, without the compression
   * suffix.
   */
  public static String plainEnd(String name) {
    String end = end(name);
    String suffix = suffix(end);
    return suffix == null ? end : end.substring(0, end.length() - suffix.length());
  }

  /** The name in reports; empty for no compression. */
  public String label() {
    return this == NONE ? "" : name().toLowerCase(Locale.ROOT);
  }

  /** The compression that a file name suggests; the content may differ. */
  public static Compression named(String name) {
    String suffix = suffix(end(name));
    return suffix == null ? NONE : SUFFIXES.getOrDefault(suffix, NONE);
  }

  private static String end(String name) {
    return name.substring(Math.max(0, name.length() - LONGEST_END)).toLowerCase(Locale.ROOT);
  }

  private static @Nullable String suffix(String end) {
    // Called for every file, so no stream is used.
    for (String suffix : SUFFIXES.keySet()) {
      if (end.endsWith(suffix)) {
        return suffix;
      }
    }
    return null;
  }

  /** Whether a file consists of members whose offsets locate their contents. */
  public boolean hasMembers() {
    return this == GZIP || this == ZSTD;
  }

  /**
   * Decompresses all frames, streams or members of the input, one after the other.
   *
   * @param guard grants the memory for xz and zstd
   */
  public InputStream open(InputBytes in, DecoderGuard guard) throws IOException {
    return switch (this) {
      case NONE -> in;
      case GZIP -> new GzipInput(in);
      case ZSTD -> new ZstdInput(in, guard);
      case BZIP2, XZ, COMPRESS -> {
        long start = in.position();
        yield new DecodedInput(decoder(in, guard), () -> decoder(in.fork(start), guard));
      }
    };
  }

  /** A library's decoder, which may lose output before damage: see {@link DecodedInput}. */
  InputStream decoder(InputBytes in, DecoderGuard guard) throws IOException {
    return switch (this) {
      case BZIP2 -> new BZip2CompressorInputStream(in, true);
      case XZ -> new XzInput(in, guard);
      case COMPRESS -> new ZCompressorInputStream(in);
      case NONE, GZIP, ZSTD ->
          throw new IllegalArgumentException(this + " needs no other's decoder");
    };
  }

  /** A zstd decoder for data that is not a file, where a dictionary would be useless. */
  public static InputStream zstd(InputBytes in, DecoderGuard guard) throws IOException {
    ZstdLibrary.load();
    DecoderMemory memory = new DecoderMemory(guard, DecoderGuard.Memory.OUTSIDE);
    return zstd(new ZstdFrames(in, memory, ZstdFrames.Listener.NONE));
  }

  /** A decoder of frames with any window that the library supports. */
  static ZstdInputStream zstd(ZstdFrames frames) throws IOException {
    return new ZstdInputStream(frames).setLongMax(ZSTD_WINDOW_LOG);
  }

  /** Bytes of the complete skippable zstd frames at the start. */
  private static int skippableFrames(byte[] bytes, int from, int length) {
    int at = 0;
    while (length - at >= ZstdFrames.SKIPPABLE_HEADER_BYTES) {
      long size = ZstdFrames.skippableBytes(bytes, from + at);
      if (size == 0 || size > length - at) {
        break;
      }
      at += (int) size;
    }
    return at;
  }

  private static boolean startsWith(byte[] bytes, int from, int length, int... magic) {
    if (length < magic.length) {
      return false;
    }
    for (int i = 0; i < magic.length; i++) {
      if ((bytes[from + i] & 0xFF) != magic[i]) {
        return false;
      }
    }
    return true;
  }
}
