package io.kmodel.indexer.source.unpack;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import io.kmodel.indexer.source.SourceReading;
import io.kmodel.indexer.source.warc.Warcs;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What files are compressed with, by their first bytes. */
class CompressionTest {
  private static final byte[] SKIPPABLE = {0x50, 0x2A, 0x4D, 0x18, 4, 0, 0, 0, 1, 2, 3, 4};
  private static final byte[] EMPTY = {0x5F, 0x2A, 0x4D, 0x18, 0, 0, 0, 0};

  @TempDir Path root;

  @Test
  void zstdMayStandBehindAnyNumberOfSkippableFrames() {
    byte[] frame = Zstd.compress(new byte[100]);
    assertThat(of(SKIPPABLE, frame)).isEqualTo(Compression.ZSTD);
    assertThat(of(SKIPPABLE, SKIPPABLE, frame)).isEqualTo(Compression.ZSTD);
    assertThat(of(EMPTY, SKIPPABLE, EMPTY, EMPTY, frame)).isEqualTo(Compression.ZSTD);
  }

  @Test
  void skippableFramesAloneAreNoZstd() {
    byte[] cut = {0x50, 0x2A, 0x4D, 0x18, 100, 0, 0, 0, 1, 2, 3, 4};
    byte[] huge = {0x50, 0x2A, 0x4D, 0x18, -1, -1, -1, -1, 1, 2, 3, 4};
    assertThat(of(SKIPPABLE, SKIPPABLE)).isEqualTo(Compression.NONE);
    assertThat(of(SKIPPABLE, cut)).isEqualTo(Compression.NONE);
    assertThat(of(EMPTY, huge)).isEqualTo(Compression.NONE);
    assertThat(of(SKIPPABLE, new byte[] {0x50, 0x2A, 0x4D})).isEqualTo(Compression.NONE);
  }

  @Test
  void aTextBehindSkippableFramesIsRead() throws Exception {
    byte[] text = Zstd.compress("a text".getBytes(US_ASCII));
    Path file = Files.write(root.resolve("a.txt.zst"), Warcs.concat(SKIPPABLE, SKIPPABLE, text));
    SourceReading read = SourceReading.of(file);
    assertThat(read.skips.all()).isEmpty();
    assertThat(read.ids()).hasSize(1);
  }

  private static Compression of(byte[]... parts) {
    byte[] before = {'x'};
    byte[] bytes = Warcs.concat(before, Warcs.concat(parts));
    return Compression.of(bytes, before.length, bytes.length - before.length);
  }
}
