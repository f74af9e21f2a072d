package io.kmodel.indexer.source;

import com.github.luben.zstd.ZstdInputStream;
import com.google.common.collect.ImmutableMap;
import io.kmodel.indexer.store.ZstdLibrary;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorInputStream;
import org.apache.commons.compress.compressors.z.ZCompressorInputStream;
import org.jspecify.annotations.Nullable;

/** How a file is compressed, told by its first bytes. */
enum Compression {
  NONE,
  GZIP,
  /**
   * Decoders take the window that each frame names, and the file's dictionary, outside of the heap.
   */
  ZSTD,
  /** Decoders take 4 MiB. */
  BZIP2,
  /** Decoders take the dictionary that each block names. */
  XZ,
  /**
   * LZW, as of TREC's first disks; decoders take half a mebibyte. It has neither checksums nor an
   * end that could be told from a file that was cut.
   */
  COMPRESS;

  /** Windows of zstd that its library knows: 2 GiB, the most of --long. */
  private static final int ZSTD_WINDOW_LOG = 31;

  /** Of the third byte of a file of compress: how many bits codes may have; with flags besides. */
  private static final int LZW_BITS = 0x7F;

  private static final int LZW_LEAST = 9;
  private static final int LZW_MOST = 16;

  /** A suffix of a kind of file and one of a compression have fewer characters together. */
  private static final int LONGEST_END = 16;

  private static final ImmutableMap<String, Compression> SUFFIXES =
      ImmutableMap.of(
          ".gz", GZIP, ".zst", ZSTD, ".zstd", ZSTD, ".bz2", BZIP2, ".xz", XZ, ".z", COMPRESS);

  /**
   * What the bytes {@code from} and after start as; six are enough, but of zstd behind skippable
   * frames, as pzstd writes one, four behind these, and of a dictionary {@value
   * ZstdDictionary#LOOK_BYTES}.
   */
  static Compression of(byte[] bytes, int from, int length) {
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
   * The end of a file's name in lower case, with more than any suffix that we know, and without the
   * one that says how it is compressed.
   */
  static String plainEnd(String name) {
    String end = end(name);
    String suffix = suffix(end);
    return suffix == null ? end : end.substring(0, end.length() - suffix.length());
  }

  /** What reports call it; empty for none. */
  String label() {
    return this == NONE ? "" : name().toLowerCase(Locale.ROOT);
  }

  /** How a file is compressed by its name, whatever is in it. */
  static Compression named(String name) {
    String suffix = suffix(end(name));
    return suffix == null ? NONE : SUFFIXES.getOrDefault(suffix, NONE);
  }

  private static String end(String name) {
    return name.substring(Math.max(0, name.length() - LONGEST_END)).toLowerCase(Locale.ROOT);
  }

  private static @Nullable String suffix(String end) {
    // Of every file, so without a stream.
    for (String suffix : SUFFIXES.keySet()) {
      if (end.endsWith(suffix)) {
        return suffix;
      }
    }
    return null;
  }

  /** Whether a file consists of members, whose places say where what they hold is. */
  boolean hasMembers() {
    return this == GZIP || this == ZSTD;
  }

  /**
   * Decompresses, every frame, stream or member of the input, one after the other.
   *
   * @param guard is asked for the memory of xz and zstd
   */
  InputStream open(InputBytes in, DecoderGuard guard) throws IOException {
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

  /** A decoder that takes what is wrong for the end of what it gives: see {@link DecodedInput}. */
  InputStream decoder(InputBytes in, DecoderGuard guard) throws IOException {
    return switch (this) {
      case BZIP2 -> new BZip2CompressorInputStream(in, true);
      case XZ -> new XzInput(in, guard);
      case COMPRESS -> new ZCompressorInputStream(in);
      case NONE, GZIP, ZSTD ->
          throw new IllegalArgumentException(this + " needs no other's decoder");
    };
  }

  /** Of zstd that is no file: a dictionary in it would be of no use. */
  static InputStream zstd(InputBytes in, DecoderGuard guard) throws IOException {
    ZstdLibrary.load();
    DecoderMemory memory = new DecoderMemory(guard, DecoderGuard.Memory.OUTSIDE);
    return zstd(new ZstdFrames(in, memory, ZstdFrames.Listener.NONE));
  }

  /** A decoder of frames with any window that its library knows. */
  static ZstdInputStream zstd(ZstdFrames frames) throws IOException {
    return new ZstdInputStream(frames).setLongMax(ZSTD_WINDOW_LOG);
  }

  /** Bytes of the skippable frames of zstd that are there, those that are there in full. */
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
