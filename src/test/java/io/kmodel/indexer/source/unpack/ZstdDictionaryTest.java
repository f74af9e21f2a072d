package io.kmodel.indexer.source.unpack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import io.kmodel.indexer.source.DecoderGuard;
import io.kmodel.indexer.source.DecoderGuard.Memory;
import io.kmodel.indexer.source.Format;
import io.kmodel.indexer.source.HeapGuard;
import io.kmodel.indexer.source.Packed;
import io.kmodel.indexer.source.RegularFile;
import io.kmodel.indexer.source.SkipReason;
import io.kmodel.indexer.source.SourceReading;
import io.kmodel.indexer.source.detect.FileFormat;
import io.kmodel.indexer.source.warc.Warcs;
import io.kmodel.indexer.store.LittleEndian;
import io.kmodel.indexer.store.library.ZstdLibrary;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.netpreserve.jwarc.WarcCompression;

/** Files in zstd that start with the dictionary that their frames refer to. */
class ZstdDictionaryTest {
  private static final int RECORDS = 60;
  private static final List<byte[]> WARC = new ArrayList<>();
  private static final List<byte[]> LINES = new ArrayList<>();
  private static byte[] dictionary = {};

  @TempDir Path root;

  @BeforeAll
  static void trainDictionary() throws IOException {
    ZstdLibrary.load();
    for (int i = 0; i < RECORDS; i++) {
      String html =
          "<html><title>Page %d</title><body>The text of page %d.</body></html>".formatted(i, i);
      WARC.add(Warcs.write(WarcCompression.NONE, Warcs.html("http://example.org/" + i, html)));
      LINES.add(
          "{\"id\": \"line %d\", \"contents\": \"the text of line %d, which is not long\"}\n"
              .formatted(i, i)
              .getBytes(StandardCharsets.US_ASCII));
    }
    byte[] to = new byte[4096];
    List<byte[]> samples = new ArrayList<>();
    IntStream.range(0, 20).forEach(i -> samples.addAll(WARC));
    IntStream.range(0, 20).forEach(i -> samples.addAll(LINES));
    long bytes = Zstd.trainFromBuffer(samples.toArray(byte[][]::new), to);
    assertThat(Zstd.isError(bytes)).as(Zstd.getErrorName(bytes)).isFalse();
    dictionary = Arrays.copyOf(to, (int) bytes);
  }

  /** jwarc, which knows such files, is what says that they are right. */
  @Test
  void recordsAreThoseOfTheFileThatIsNotPacked() throws Exception {
    byte[] plain = Warcs.concat(WARC.toArray(byte[][]::new));
    Files.write(root.resolve("a.warc"), plain);
    SourceReading expected = SourceReading.of(root);
    assertThat(expected.ids()).hasSize(RECORDS);
    Files.delete(root.resolve("a.warc"));
    for (byte[] content : List.of(dictionary, Zstd.compress(dictionary))) {
      byte[] file = Warcs.concat(Packed.zstdDictionary(content), frames(WARC, dictionary));
      assertThat(file.length).isLessThan(plain.length);
      Files.write(root.resolve("a.warc.zst"), file);
      CountedDecoders guard = new CountedDecoders(0, 1 << 20);
      SourceReading read = SourceReading.of(root, HeapGuard.unlimited(guard));
      assertThat(read.skips.all()).isEmpty();
      assertThat(read.docs).isEqualTo(expected.docs);
      assertThat(guard.most.get(Memory.OUTSIDE)).isGreaterThan(dictionary.length);
      guard.assertAllGivenBack();
    }
  }

  @Test
  void linesAndDocumentsAreReadWithADictionaryToo() throws Exception {
    Files.write(
        root.resolve("a.jsonl.zst"),
        Warcs.concat(Packed.zstdDictionary(dictionary), frames(LINES, dictionary)));
    byte[] text = "one text alone".getBytes(StandardCharsets.US_ASCII);
    Files.write(
        root.resolve("b.txt.zst"),
        Warcs.concat(Packed.zstdDictionary(dictionary), Packed.zstd(text, dictionary)));
    SourceReading read = SourceReading.of(root);
    assertThat(read.skips.all()).isEmpty();
    assertThat(read.ids())
        .hasSize(RECORDS + 1)
        .startsWith("line 0", "line 1")
        .endsWith("b.txt.zst");
    assertThat(read.texts()).endsWith("one text alone");
  }

  /** Crawls are looked at, and large lists cut, before they are read. */
  @Test
  void whatFilesUnpackToIsFoundOut() throws Exception {
    byte[] file =
        Warcs.concat(Packed.zstdDictionary(Zstd.compress(dictionary)), frames(WARC, dictionary));
    InputBytes in = InputBytes.of(file, 0, file.length);
    FileFormat format =
        FileFormat.of(in, "a", Format.AUTO, DecoderGuard.USUAL, new byte[RecordInput.WINDOW_BYTES]);
    assertThat(format).isEqualTo(new FileFormat(Compression.ZSTD, Format.WARC));
  }

  @Test
  void framesThatReferToADictionaryWhichIsNotThereAreDamaged() throws Exception {
    Files.write(root.resolve("a.warc.zst"), frames(WARC, dictionary));
    SourceReading read = SourceReading.of(root);
    assertThat(read.docs).isEmpty();
    assertThat(read.skips.only().reason()).isEqualTo(SkipReason.DAMAGED);
    assertThat(read.skips.only().detail()).contains("Dictionary mismatch");
  }

  @Test
  void whatComesBeforeDamageIsRead() throws Exception {
    byte[] damaged = Packed.zstd(WARC.get(3), dictionary);
    damaged[damaged.length / 2] ^= 0x55;
    Files.write(
        root.resolve("a.warc.zst"),
        Warcs.concat(
            Packed.zstdDictionary(dictionary), frames(WARC.subList(0, 3), dictionary), damaged));
    CountedDecoders guard = new CountedDecoders(0, 1 << 20);
    SourceReading read = SourceReading.of(root, HeapGuard.unlimited(guard));
    assertThat(read.ids()).hasSize(3);
    assertThat(read.skips.only().reason()).isEqualTo(SkipReason.DAMAGED);
    guard.assertAllGivenBack();
  }

  @Test
  void framesToPassOverThatHaveNoDictionaryArePassedOver() throws Exception {
    byte[] unlike = "no dictionary, nor a frame".getBytes(StandardCharsets.US_ASCII);
    for (byte[] content : List.of(new byte[0], new byte[3], unlike)) {
      Files.write(
          root.resolve("a.jsonl.zst"),
          Warcs.concat(Packed.zstdDictionary(content), frames(LINES, null)));
      SourceReading read = SourceReading.of(root);
      assertThat(read.skips.all()).isEmpty();
      assertThat(read.ids()).hasSize(RECORDS);
    }
    Files.delete(root.resolve("a.jsonl.zst"));
    // Further on one would not count for what is before it.
    Files.write(
        root.resolve("b.jsonl.zst"),
        Warcs.concat(frames(LINES, null), Packed.zstdDictionary(dictionary), frames(LINES, null)));
    assertThat(SourceReading.of(root).ids()).hasSize(2 * RECORDS);
  }

  @Test
  void aDictionaryThatIsNoneIsNamed() throws Exception {
    byte[] packed = Zstd.compress(dictionary);
    byte[] changed = dictionary.clone();
    Arrays.fill(changed, 8, 64, (byte) 0xFF);
    byte[] longer = Packed.zstdDictionary(dictionary);
    LittleEndian.putInt(longer, 4, (64 << 20) + 1);
    byte[] endless = Packed.zstdDictionary(dictionary);
    LittleEndian.putInt(endless, 4, -1);
    assertDamaged(
        Packed.zstdDictionary(Zstd.compress("neither".getBytes(StandardCharsets.US_ASCII))),
        "not a dictionary");
    assertDamaged(Packed.zstdDictionary(Zstd.compress(new byte[0])), "not a dictionary");
    assertDamaged(Packed.zstdDictionary(Arrays.copyOf(packed, packed.length - 9)), "");
    assertDamaged(Packed.zstdDictionary(changed), "");
    assertDamaged(longer, "it has 67108865 bytes, more than 67108864");
    assertDamaged(endless, "it has 4294967295 bytes, more than 67108864");
  }

  private void assertDamaged(byte[] start, String how) throws Exception {
    Files.write(root.resolve("a.warc.zst"), Warcs.concat(start, frames(WARC, dictionary)));
    CountedDecoders guard = new CountedDecoders(0, 1 << 20);
    SourceReading read = SourceReading.of(root, HeapGuard.unlimited(guard));
    assertThat(read.docs).isEmpty();
    assertThat(read.skips.only().reason()).isEqualTo(SkipReason.DAMAGED);
    assertThat(read.skips.only().detail())
        .contains("zstd: dictionary at the start of the file: " + how);
    guard.assertAllGivenBack();
  }

  @Test
  void filesThatAreCutAnywhereGiveBackTheirMemory() throws IOException {
    byte[] file =
        Warcs.concat(
            Packed.zstdDictionary(Zstd.compress(dictionary)),
            frames(WARC.subList(0, 2), dictionary));
    byte[] content = Warcs.concat(WARC.get(0), WARC.get(1));
    for (int length = ZstdDictionary.PROBE_BYTES; length <= file.length; length++) {
      Path cut = Files.write(root.resolve("cut"), Arrays.copyOf(file, length));
      CountedDecoders guard = new CountedDecoders(0, 1 << 20);
      try (var channel = RegularFile.open(cut)) {
        InputBytes in = InputBytes.of(channel);
        if (length == file.length) {
          try (InputStream zstd = Compression.ZSTD.open(in, guard)) {
            assertThat(zstd.readAllBytes()).isEqualTo(content);
          }
        } else {
          assertThatThrownBy(
                  () -> {
                    try (InputStream zstd = Compression.ZSTD.open(in, guard)) {
                      assertThat(zstd.readAllBytes().length).isEqualTo(content.length);
                    }
                  })
              .as("cut at %d", length)
              .isInstanceOfAny(IOException.class, AssertionError.class);
        }
      }
      guard.assertAllGivenBack();
    }
  }

  @Test
  void aDictionaryForWhichThereIsNoMemoryIsNamed() throws Exception {
    byte[] large = Arrays.copyOf(dictionary, 5 << 20);
    for (byte[] content : List.of(large, Zstd.compress(large))) {
      Files.write(
          root.resolve("a.warc.zst"),
          Warcs.concat(Packed.zstdDictionary(content), frames(WARC, large)));
      for (int mebibytes : new int[] {4, 9}) {
        CountedDecoders guard = new CountedDecoders(0, (long) mebibytes << 20);
        SourceReading read = SourceReading.of(root, HeapGuard.unlimited(guard));
        assertThat(read.docs).isEmpty();
        assertThat(read.skips.only().reason()).isEqualTo(SkipReason.TOO_LARGE);
        assertThat(read.skips.only().detail())
            .matches(
                mebibytes == 4
                    ? "needs [56] MiB to decode, more than the 4 MiB .*"
                    : "needs 1[01] MiB to decode, more than the 9 MiB .*");
        guard.assertAllGivenBack();
      }
      CountedDecoders guard = new CountedDecoders(0, 12 << 20);
      SourceReading read = SourceReading.of(root, HeapGuard.unlimited(guard));
      assertThat(read.ids()).hasSize(RECORDS);
      guard.assertAllGivenBack();
    }
  }

  /** Every record in a frame of its own. */
  private static byte[] frames(List<byte[]> records, byte @Nullable [] dictionary)
      throws IOException {
    ByteArrayOutputStream frames = new ByteArrayOutputStream();
    for (byte[] one : records) {
      frames.writeBytes(Packed.zstd(one, dictionary));
    }
    return frames.toByteArray();
  }
}
