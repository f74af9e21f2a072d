package io.kmodel.indexer.source;

import com.github.luben.zstd.Zstd;
import io.kmodel.indexer.source.warc.Warcs;
import io.kmodel.indexer.store.library.ZstdLibrary;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.netpreserve.jwarc.WarcCompression;
import org.netpreserve.jwarc.WarcRecord;

/** How files are packed in members, each of which can be unpacked by itself. */
public enum Members {
  GZIP("gz"),
  ZSTD("zst"),
  /** Frames that refer to a dictionary, which a file has to start with. */
  ZSTD_WITH_DICTIONARY("zst");

  private final String suffix;

  Members(String suffix) {
    this.suffix = suffix;
  }

  /** A file's name with the suffix that stands for it. */
  String name(String plain) {
    return plain + "." + suffix;
  }

  /** What a file starts with. */
  public byte[] start() {
    return this == ZSTD_WITH_DICTIONARY ? Packed.zstdDictionary(Trained.DICTIONARY) : new byte[0];
  }

  /** A member. */
  public byte[] pack(byte[] content) throws IOException {
    return switch (this) {
      case GZIP -> Warcs.gzip(content);
      case ZSTD -> Packed.zstd(content, null);
      case ZSTD_WITH_DICTIONARY -> Packed.zstd(content, Trained.DICTIONARY);
    };
  }

  /** A record of an archive in a member of its own. */
  public byte[] pack(WarcRecord record) throws IOException {
    return pack(Warcs.write(WarcCompression.NONE, record));
  }

  /** A file of members. */
  public byte[] file(byte[]... members) {
    return Warcs.concat(start(), Warcs.concat(members));
  }

  /** Where the first of its members starts. */
  public int first() {
    return start().length;
  }

  /** Of pages of archives; made when it is wanted. */
  private static final class Trained {
    static final byte[] DICTIONARY = train();

    private static byte[] train() {
      List<byte[]> samples = new ArrayList<>();
      try {
        ZstdLibrary.load();
        for (int i = 0; i < 500; i++) {
          String html = "<p>page number %d</p>".formatted(i);
          samples.add(Warcs.write(WarcCompression.NONE, Warcs.html("http://a.org/" + i, html)));
        }
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
      byte[] to = new byte[4096];
      long bytes = Zstd.trainFromBuffer(samples.toArray(byte[][]::new), to);
      if (Zstd.isError(bytes)) {
        throw new IllegalStateException(Zstd.getErrorName(bytes));
      }
      return Arrays.copyOf(to, (int) bytes);
    }
  }
}
