package io.kmodel.indexer.store.library;

import static io.kmodel.indexer.source.warc.Warcs.gzip;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.primitives.Bytes;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GzipFileTest {
  private static final byte[] TEXT =
      "some words, some of them twice".getBytes(StandardCharsets.UTF_8);

  @TempDir Path directory;

  @Test
  void aFileIsReadAsItIsOrUnpacked() throws IOException {
    for (byte[] plain : new byte[][] {{}, {0x1F}, {0x1F, 0x7F}, TEXT}) {
      assertThat(unpacked(plain)).isEqualTo(plain);
      assertThat(unpacked(gzip(plain))).isEqualTo(plain);
    }
    assertThat(unpacked(Bytes.concat(gzip(TEXT), gzip(new byte[0]), gzip(TEXT))))
        .isEqualTo(Bytes.concat(TEXT, TEXT));
  }

  /** Where buffers end is where it is told with less. */
  @Test
  void whatFollowsTheLastMemberIsRefusedWhereverBuffersEnd() throws IOException {
    byte[] packed = gzip(TEXT);
    for (int buffer = 1; buffer < 60; buffer++) {
      assertThat(inflate(packed, buffer)).isEqualTo(TEXT);
      for (int zeros : new int[] {1, 2, 3, 9, 100}) {
        byte[] padded = Bytes.concat(packed, packed, new byte[zeros]);
        assertThat(inflate(padded, buffer)).isEqualTo(Bytes.concat(TEXT, TEXT));
      }
      for (byte[] more :
          new byte[][] {{7}, {0, 0, 0, 7}, {0x1F, (byte) 0x8B, 9}, Arrays.copyOf(packed, 9)}) {
        int bytes = buffer;
        assertThatThrownBy(() -> inflate(Bytes.concat(packed, more), bytes))
            .as("%d bytes more, a buffer of %d", more.length, buffer)
            .hasMessageContaining("data after the last gzip member");
      }
    }
  }

  /** As a pipe has them, of which only what is there is available. */
  @Test
  void aMemberThatComesLaterIsWaitedFor() throws IOException {
    byte[] packed = Bytes.concat(gzip(TEXT), gzip(TEXT), gzip(TEXT));
    InputStream slow =
        new ByteArrayInputStream(packed) {
          @Override
          public synchronized int available() {
            return 0;
          }

          @Override
          public synchronized int read(byte[] bytes, int from, int length) {
            return super.read(bytes, from, Math.min(length, 1));
          }
        };
    try (GzipFile members = GzipFile.open(slow, 64)) {
      assertThat(members.readAllBytes()).isEqualTo(Bytes.concat(TEXT, TEXT, TEXT));
    }
  }

  private byte[] unpacked(byte[] bytes) throws IOException {
    Path file = Files.write(directory.resolve("file"), bytes);
    try (InputStream in = GzipFile.unpacked(file)) {
      return in.readAllBytes();
    }
  }

  private static byte[] inflate(byte[] packed, int bufferBytes) throws IOException {
    try (GzipFile members = GzipFile.open(new ByteArrayInputStream(packed), bufferBytes)) {
      return members.readAllBytes();
    }
  }
}
