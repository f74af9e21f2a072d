package io.kmodel.indexer.source;

import com.github.luben.zstd.ZstdCompressCtx;
import io.kmodel.indexer.source.warc.Warcs;
import io.kmodel.indexer.store.LittleEndian;
import io.kmodel.indexer.store.library.ZstdLibrary;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZOutputStream;

/** Packed files that are costly to make as their tools make them. */
public final class Packed {
  private static final int ZSTD_DICTIONARY = 0x184D2A5D;

  private Packed() {}

  /** A stream whose block says that it needs such a dictionary, a power of two, and does not. */
  public static byte[] xz(byte[] content, int dictionaryMebibytes) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream out = new XZOutputStream(packed, new LZMA2Options(0))) {
      out.write(content);
    }
    byte[] stream = packed.toByteArray();
    int header = 12;
    int checksum = header + 4 * stream[header];
    stream[header + 4] = (byte) (2 * (Integer.numberOfTrailingZeros(dictionaryMebibytes) + 8));
    CRC32 crc = new CRC32();
    crc.update(stream, header, checksum - header);
    LittleEndian.putInt(stream, checksum, (int) crc.getValue());
    return stream;
  }

  /** A frame with a checksum, whose content refers to a dictionary if there is one. */
  public static byte[] zstd(byte[] content, byte @Nullable [] dictionary) throws IOException {
    ZstdLibrary.load();
    try (ZstdCompressCtx context = new ZstdCompressCtx()) {
      context.setChecksum(true).setContentSize(true).setDictID(true);
      if (dictionary != null) {
        context.loadDict(dictionary);
      }
      return context.compress(content);
    }
  }

  /** A dictionary, as it is or packed, in the frame that files in zstd start with. */
  public static byte[] zstdDictionary(byte[] content) {
    byte[] header = new byte[8];
    LittleEndian.putInt(header, 0, ZSTD_DICTIONARY);
    LittleEndian.putInt(header, 4, content.length);
    return Warcs.concat(header, content);
  }

  /** As compress(1) packs with codes of at most so many bits, 10 to 16. */
  public static byte[] compress(byte[] content, int mostBits) {
    LzwOutput out = new LzwOutput(mostBits);
    Map<Integer, Integer> codes = new HashMap<>();
    int next = LzwOutput.FIRST_CODE;
    int prefix = -1;
    for (byte b : content) {
      int key = prefix << 8 | (b & 0xFF);
      Integer longer = prefix < 0 ? Integer.valueOf(b & 0xFF) : codes.get(key);
      if (longer != null) {
        prefix = longer;
      } else {
        out.write(prefix, next);
        if (next < 1 << mostBits) {
          codes.put(key, next++);
        }
        prefix = b & 0xFF;
      }
    }
    if (prefix >= 0) {
      out.write(prefix, next);
    }
    return out.end();
  }

  /** Codes, lowest bits first; each width ends with a group of eight. */
  private static final class LzwOutput {
    /** Behind the bytes, and the code that has the table begun anew, which is not made use of. */
    static final int FIRST_CODE = 257;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final int mostBits;
    private int width = 9;
    private long pending;
    private int bits;
    private int inGroup;

    LzwOutput(int mostBits) {
      this.mostBits = mostBits;
      out.write(0x1F);
      out.write(0x9D);
      out.write(0x80 | mostBits);
    }

    /** A code, when so many are known. */
    void write(int code, int known) {
      put(code);
      if (known > (1 << width) - 1 && width < mostBits) {
        while (inGroup != 0) {
          put(0);
        }
        width++;
      }
    }

    private void put(int code) {
      pending |= (long) code << bits;
      bits += width;
      while (bits >= Byte.SIZE) {
        out.write((int) pending);
        pending >>>= Byte.SIZE;
        bits -= Byte.SIZE;
      }
      inGroup = (inGroup + 1) % Byte.SIZE;
    }

    byte[] end() {
      if (bits > 0) {
        out.write((int) pending);
      }
      return out.toByteArray();
    }
  }
}
