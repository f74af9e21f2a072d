package io.kmodel.indexer.source.unpack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdOutputStream;
import io.kmodel.indexer.source.DecoderGuard;
import io.kmodel.indexer.source.DecoderGuard.Memory;
import io.kmodel.indexer.source.DecoderMemoryException;
import io.kmodel.indexer.source.HeapGuard;
import io.kmodel.indexer.source.Packed;
import io.kmodel.indexer.source.SkipReason;
import io.kmodel.indexer.source.SourceReading;
import io.kmodel.indexer.source.record.RecordedSkips;
import io.kmodel.indexer.source.warc.Warcs;
import io.kmodel.indexer.store.library.ZstdLibrary;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.ClosedByInterruptException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.netpreserve.jwarc.WarcCompression;

/** Decoders take no more memory than they are given, and what needs more is named. */
class DecoderMemoryTest {
  private static final long MEBIBYTE = 1 << 20;

  @TempDir Path root;

  @BeforeAll
  static void loadZstd() throws IOException {
    ZstdLibrary.load();
  }

  @Test
  void filesWhoseDecodersNeedMoreThanThereIsAreLeftOutAndNamed() throws Exception {
    Files.write(root.resolve("a.jsonl.xz"), Packed.xz(lines(0, 9), 64));
    Files.write(root.resolve("b.jsonl.xz"), Packed.xz(lines(10, 19), 8));
    Files.write(root.resolve("c.jsonl.zst"), zstd(lines(20, 29), 27));
    Files.write(root.resolve("d.jsonl.zst"), zstd(lines(30, 39), 23));
    Files.write(
        root.resolve("e.txt.xz"), Packed.xz("one".getBytes(StandardCharsets.US_ASCII), 1024));
    CountedDecoders guard = new CountedDecoders(64 * MEBIBYTE, 128 * MEBIBYTE);
    SourceReading read = SourceReading.of(root, HeapGuard.unlimited(guard));
    assertThat(read.ids()).hasSize(20).contains("10", "19", "30", "39");
    assertThat(read.reasons()).hasSize(3).containsOnly(SkipReason.TOO_LARGE);
    assertThat(read.skips.all())
        .extracting(RecordedSkips.Skip::detail)
        .containsExactly(
            "needs 65 MiB to decode, more than the 64 MiB that --memory leaves for it;"
                + " raise --memory or lower --threads",
            "needs 129 MiB to decode, more than the 128 MiB that --memory leaves for it;"
                + " raise --memory or lower --threads",
            "needs 1025 MiB to decode, more than the 64 MiB that --memory leaves for it;"
                + " raise --memory or lower --threads");
    guard.assertAllGivenBack();
  }

  @Test
  void whatWasDecodedBeforeMoreMemoryIsNeededIsKept() throws Exception {
    Files.write(
        root.resolve("a.jsonl.xz"), join(Packed.xz(lines(0, 9), 1), Packed.xz(lines(10, 19), 64)));
    Files.write(
        root.resolve("b.jsonl.zst"), join(zstd(lines(20, 29), 20), zstd(lines(30, 39), 27)));
    CountedDecoders guard = new CountedDecoders(8 * MEBIBYTE, 8 * MEBIBYTE);
    SourceReading read = SourceReading.of(root, HeapGuard.unlimited(guard));
    assertThat(read.ids()).hasSize(20).contains("0", "9", "20", "29");
    assertThat(read.reasons()).containsExactly(SkipReason.TOO_LARGE, SkipReason.TOO_LARGE);
    assertThat(read.skips.all())
        .allSatisfy(
            skip -> assertThat(skip.detail()).endsWith("; the rest of the file was not read"));
    guard.assertAllGivenBack();
  }

  @Test
  void dictionariesMayGrowFromStreamToStream() throws Exception {
    byte[] file =
        join(
            Packed.xz(lines(0, 4999), 1),
            Packed.xz(lines(5000, 5009), 16),
            Packed.xz(lines(5010, 9999), 4));
    Files.write(root.resolve("a.jsonl.xz"), file);
    CountedDecoders guard = new CountedDecoders(17 * MEBIBYTE, 0);
    SourceReading read = SourceReading.of(root, HeapGuard.unlimited(guard));
    assertThat(read.skips.all()).isEmpty();
    assertThat(read.ids()).hasSize(10_000).startsWith("0", "1").endsWith("9999");
    assertThat(guard.most.get(Memory.HEAP)).isBetween(16 * MEBIBYTE, 17 * MEBIBYTE);
    guard.assertAllGivenBack();
  }

  @Test
  void theWindowOfEveryFrameIsAskedForAndItsBytesStayAsTheyAre() throws IOException {
    Random random = new Random(3);
    for (int round = 0; round < 200; round++) {
      ByteArrayOutputStream file = new ByteArrayOutputStream();
      long window = 0;
      for (int frame = 0; frame < 1 + random.nextInt(4); frame++) {
        if (random.nextInt(3) == 0) {
          int size = random.nextInt(30);
          file.write(new byte[] {(byte) (0x50 + random.nextInt(16)), 0x2A, 0x4D, 0x18});
          file.write(new byte[] {(byte) size, 0, 0, 0});
          file.write(new byte[size]);
        } else {
          int log = 10 + random.nextInt(18);
          byte[] content = new byte[1 + random.nextInt(1 << random.nextInt(20))];
          // Some blocks are stored, some are of one byte, some are packed.
          if (random.nextBoolean()) {
            random.nextBytes(content);
          }
          window = Math.max(window, 1L << log);
          file.write(frame(content, log, random.nextBoolean()));
        }
      }
      byte[] bytes = file.toByteArray();
      CountedDecoders guard = new CountedDecoders(0, Long.MAX_VALUE);
      DecoderMemory memory = new DecoderMemory(guard, Memory.OUTSIDE);
      InputBytes frames = InputBytes.of(bytes, 0, bytes.length);
      try (InputStream in = new ZstdFrames(frames, memory, ZstdFrames.Listener.NONE)) {
        assertThat(read(in, random)).as("round " + round).isEqualTo(bytes);
      }
      assertThat(guard.most.getOrDefault(Memory.OUTSIDE, 0L))
          .as("round " + round)
          .isBetween(window, window + 3 * Math.min(window, 1 << 17));
      guard.assertAllGivenBack();
    }
  }

  @Test
  void framesThatSayHowLargeTheyAreNeedNoMore() throws IOException {
    byte[] content = new byte[300_000];
    new Random(5).nextBytes(content);
    for (int size : new int[] {0, 1, 255, 256, 300, 65_791, 65_792, 300_000}) {
      byte[] frame = Zstd.compress(Arrays.copyOf(content, size), 19);
      CountedDecoders guard = new CountedDecoders(0, Long.MAX_VALUE);
      try (InputStream in = Compression.zstd(InputBytes.of(frame, 0, frame.length), guard)) {
        assertThat(in.readAllBytes()).isEqualTo(Arrays.copyOf(content, size));
      }
      assertThat(guard.most.getOrDefault(Memory.OUTSIDE, 0L)).isBetween((long) size, 2L * size);
    }
  }

  @Test
  void framesCutAnywhereAreDamagedAndGiveBackTheirMemory() throws IOException {
    byte[] file = join(zstd(lines(0, 99), 18), zstd(lines(100, 199), 20), new byte[9]);
    for (int length = 1; length <= file.length; length++) {
      CountedDecoders guard = new CountedDecoders(0, Long.MAX_VALUE);
      InputBytes in = InputBytes.of(file, 0, length);
      boolean whole = length == zstd(lines(0, 99), 18).length || length == file.length - 9;
      try (InputStream zstd = Compression.zstd(in, guard)) {
        if (whole) {
          assertThat(zstd.readAllBytes()).isNotEmpty();
        } else {
          assertThatThrownBy(zstd::readAllBytes).isInstanceOf(IOException.class);
        }
      }
      guard.assertAllGivenBack();
    }
  }

  @Test
  void aPageWhoseWindowIsTooLargeIsNamed() throws Exception {
    byte[] html = "<p>page</p>".getBytes(StandardCharsets.US_ASCII);
    byte[] page = zstd(html, 27);
    Files.write(
        root.resolve("a.warc"),
        Warcs.write(
            WarcCompression.NONE,
            Warcs.response("large", "text/html", page, "Content-Encoding", "zstd"),
            Warcs.response("small", "text/html", zstd(html, 20), "Content-Encoding", "zstd")));
    CountedDecoders guard = new CountedDecoders(0, 8 * MEBIBYTE);
    SourceReading read = SourceReading.of(root, HeapGuard.unlimited(guard));
    assertThat(read.ids()).containsExactly("small");
    assertThat(read.skips.only().reason()).isEqualTo(SkipReason.TOO_LARGE);
    assertThat(read.skips.only().detail()).startsWith("zstd: needs 129 MiB to decode");
    guard.assertAllGivenBack();
  }

  @Test
  void aThreadThatIsToStopDoesNotWaitForMemory() throws IOException {
    try (DecoderMemory memory = new DecoderMemory(stopped(), Memory.HEAP)) {
      assertThatThrownBy(() -> memory.reserve(1)).isInstanceOf(ClosedByInterruptException.class);
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  void aPageThatAThreadWhichIsToStopDecodesIsNotDamaged() throws Exception {
    byte[] page = zstd("<p>page</p>".getBytes(StandardCharsets.US_ASCII), 20);
    Files.write(
        root.resolve("a.warc"),
        Warcs.write(
            WarcCompression.NONE,
            Warcs.response("a", "text/html", page, "Content-Encoding", "zstd")));
    assertThatThrownBy(() -> SourceReading.of(root, HeapGuard.unlimited(stopped())))
        .isInstanceOf(InterruptedException.class);
    // It is noted in the thread on the way; the next test is not to find it.
    Thread.interrupted();
  }

  private static DecoderGuard stopped() {
    return new CountedDecoders(Long.MAX_VALUE, Long.MAX_VALUE) {
      @Override
      public boolean reserve(Memory memory, long bytes) throws InterruptedException {
        throw new InterruptedException();
      }
    };
  }

  @Test
  void aDecoderMayHaveInPartsNoMoreThanAtOnceWhereNobodyKeepsAnAccount() throws IOException {
    for (Memory kind : Memory.values()) {
      try (DecoderMemory memory = new DecoderMemory(DecoderGuard.ALONE, kind)) {
        memory.reserve(60 * MEBIBYTE);
        memory.reserve(66 * MEBIBYTE);
        assertThatThrownBy(() -> memory.reserve(130 * MEBIBYTE))
            .isInstanceOf(DecoderMemoryException.class)
            .hasMessageContaining("needs 130 MiB");
      }
    }
  }

  private static byte[] read(InputStream in, Random random) throws IOException {
    ByteArrayOutputStream read = new ByteArrayOutputStream();
    byte[] to = new byte[1 + random.nextInt(1 << 17)];
    for (int n = in.read(to); n >= 0; n = in.read(to)) {
      read.write(to, 0, n);
    }
    return read.toByteArray();
  }

  private static byte[] lines(int from, int to) {
    StringBuilder lines = new StringBuilder();
    for (int i = from; i <= to; i++) {
      lines.append("{\"id\": \"%d\", \"contents\": \"text\"}\n".formatted(i));
    }
    return lines.toString().getBytes(StandardCharsets.US_ASCII);
  }

  private static byte[] join(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  private static byte[] zstd(byte[] content, int windowLog) throws IOException {
    return frame(content, windowLog, true);
  }

  /** A frame that does not say how large its content is. */
  private static byte[] frame(byte[] content, int windowLog, boolean checksum) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream out = new ZstdOutputStream(packed).setLong(windowLog).setChecksum(checksum)) {
      out.write(content);
    }
    return packed.toByteArray();
  }
}
