package io.kmodel.indexer.source.unpack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.ZstdOutputStream;
import io.kmodel.indexer.source.DecoderGuard;
import io.kmodel.indexer.source.SkipReason;
import io.kmodel.indexer.source.SourceReading;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZOutputStream;

/** What decoders of libraries have decoded before damage is not lost. */
class DecodedInputTest {
  @TempDir Path root;

  @Test
  void everyByteBeforeTheFailureIsReadWhateverTheSizeOfReads() throws IOException {
    for (int length = 0; length < 40; length++) {
      for (int size : new int[] {1, 7, 16, 100}) {
        int end = length;
        InputStream in = new DecodedInput(new Failing(end), () -> new Failing(end));
        byte[] to = new byte[size];
        ByteArrayOutputStream read = new ByteArrayOutputStream();
        assertThatThrownBy(
                () -> {
                  for (int n = in.read(to); n >= 0; n = in.read(to)) {
                    read.write(to, 0, n);
                  }
                })
            .isInstanceOf(IOException.class)
            .hasMessage("damaged");
        assertThat(read.toByteArray()).isEqualTo(Failing.bytes(end));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Compression.class,
      names = {"ZSTD", "BZIP2", "XZ"})
  void linesBeforeDamageAreDocuments(Compression compression) throws Exception {
    Random random = new Random(7);
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 12_000; i++) {
      lines.append("{\"id\": \"%d\", \"contents\": \"%x\"}\n".formatted(i, random.nextLong()));
    }
    byte[] text = lines.toString().getBytes(StandardCharsets.US_ASCII);
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream out = packing(packed, compression)) {
      out.write(text);
    }
    byte[] file = Arrays.copyOf(packed.toByteArray(), packed.size() * 3 / 4);
    Path path = root.resolve("a.jsonl");
    Files.write(path, file);
    int before = bytesBeforeDamage(compression, 1, path);
    assertThat(before).isGreaterThan(text.length / 4);
    for (int size : new int[] {7, 1000, 1 << 16, 1 << 20}) {
      assertThat(bytesBeforeDamage(compression, size, path)).isEqualTo(before);
    }
    SourceReading read = SourceReading.of(root);
    String whole = new String(text, 0, before, StandardCharsets.US_ASCII);
    assertThat(read.ids()).hasSize((int) whole.chars().filter(c -> c == '\n').count());
    assertThat(read.skips.only().reason()).isEqualTo(SkipReason.DAMAGED);
    assertThat(read.skips.only().detail()).doesNotContain("null");
  }

  private static int bytesBeforeDamage(Compression compression, int size, Path path)
      throws IOException {
    byte[] to = new byte[size];
    int read = 0;
    try (FileChannel channel = FileChannel.open(path);
        InputStream in = compression.open(InputBytes.of(channel), DecoderGuard.ALONE)) {
      for (int n = in.read(to); n >= 0; n = in.read(to)) {
        read += n;
      }
    } catch (IOException e) {
      return read;
    }
    throw new AssertionError("damage was not seen");
  }

  private static OutputStream packing(OutputStream out, Compression compression)
      throws IOException {
    return switch (compression) {
      case ZSTD -> new ZstdOutputStream(out).setChecksum(true);
      case BZIP2 -> new BZip2CompressorOutputStream(out, 1);
      case XZ -> new XZOutputStream(out, new LZMA2Options(0));
      case NONE, GZIP, COMPRESS ->
          throw new IllegalArgumentException(compression + " is not tested here");
    };
  }

  /** Writes all it has into the array, and fails in that call. */
  private static final class Failing extends InputStream {
    private final ByteArrayInputStream left;

    Failing(int length) {
      left = new ByteArrayInputStream(bytes(length));
    }

    static byte[] bytes(int length) {
      byte[] bytes = new byte[length];
      for (int i = 0; i < length; i++) {
        bytes[i] = (byte) (i * 7);
      }
      return bytes;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      read(one, 0, 1);
      return one[0] & 0xFF;
    }

    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
      if (left.read(to, offset, length) < length) {
        throw new IOException("damaged");
      }
      return length;
    }
  }
}
