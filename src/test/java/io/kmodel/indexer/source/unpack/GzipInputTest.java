package io.kmodel.indexer.source.unpack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.source.ContentType;
import io.kmodel.indexer.source.DocumentReader;
import io.kmodel.indexer.source.RawDocument;
import io.kmodel.indexer.source.SkipReason;
import io.kmodel.indexer.source.SourceReading;
import io.kmodel.indexer.source.Split;
import io.kmodel.indexer.source.crawl.Crawl;
import io.kmodel.indexer.source.record.RecordedSkips;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GzipInputTest {
  @Test
  void severalMembersAreOneDocument() throws IOException, InterruptedException {
    byte[] file = concat(gzip("one "), gzip(""), gzip("two"));
    assertThat(decode(file)).isEqualTo("one two");
  }

  @Test
  void allPartsOfAHeaderAreReadAndItsChecksumIsChecked() throws IOException, InterruptedException {
    byte[] plain = gzip("text");
    ByteArrayOutputStream header = new ByteArrayOutputStream();
    header.writeBytes(new byte[] {0x1F, (byte) 0x8B, 8, 2 | 4 | 8 | 16, 0, 0, 0, 0, 0, 3});
    header.writeBytes(new byte[] {2, 0, 'x', 'y'});
    header.writeBytes("name\0comment\0".getBytes(StandardCharsets.US_ASCII));
    CRC32 crc = new CRC32();
    crc.update(header.toByteArray());
    header.write((int) crc.getValue() & 0xFF);
    header.write((int) crc.getValue() >>> 8 & 0xFF);
    byte[] file = concat(header.toByteArray(), Arrays.copyOfRange(plain, 10, plain.length));
    assertThat(decode(file)).isEqualTo("text");
    for (int i = 3; i < header.size(); i++) {
      byte[] altered = file.clone();
      altered[i] ^= 1;
      assertThatThrownBy(() -> decode(altered)).as("byte " + i).isInstanceOf(ZipException.class);
    }
  }

  @Test
  void zerosAfterTheEndAreFineAndAnythingElseIsNot() throws IOException, InterruptedException {
    assertThat(decode(concat(gzip("text"), new byte[512]))).isEqualTo("text");
    byte[] file = concat(gzip("text"), new byte[] {0, 0, 'x'});
    assertThatThrownBy(() -> decode(file))
        .isInstanceOf(ZipException.class)
        .hasMessage("gzip: bytes after the last member at byte %d of the file", file.length - 1);
    byte[] more = concat(gzip("text"), new byte[] {'x'});
    assertThatThrownBy(() -> decode(more))
        .isInstanceOf(ZipException.class)
        .hasMessage("gzip: no gzip header at byte %d of the file", more.length - 1);
  }

  @Test
  void anyAlteredByteOfTheDataIsDamage() throws IOException, InterruptedException {
    byte[] file = gzip("a text about birds, rivers and rivers and birds");
    for (int i = 10; i < file.length; i++) {
      byte[] altered = file.clone();
      altered[i] ^= 0x10;
      assertThatThrownBy(() -> decode(altered)).as("byte " + i).isInstanceOf(ZipException.class);
    }
  }

  @Test
  void theLimitIsOnTheSumOfAllMembers(@TempDir Path root) throws IOException, InterruptedException {
    Files.write(root.resolve("a.gz"), gzip("x".repeat(1000)));
    Files.write(root.resolve("b.gz"), concat(gzip("x".repeat(500)), gzip("x".repeat(500))));
    Files.write(root.resolve("c.gz"), concat(gzip("x".repeat(500)), gzip("x".repeat(501))));
    RecordedSkips skips = new RecordedSkips();
    try (DocumentReader reader =
        Crawl.open(List.of(root), 1000, skips).splits(1 << 20).get(0).open(skips)) {
      for (String expected : List.of("a.gz", "b.gz")) {
        RawDocument document = reader.next();
        assertThat(document).isNotNull();
        assertThat(document.id()).isEqualTo(expected);
        assertThat(document.length()).isEqualTo(1000);
      }
      assertThat(reader.next()).isNull();
    }
    assertThat(skips.only().reason()).isEqualTo(SkipReason.TOO_LARGE);
  }

  @Test
  void aReadEndsWithItsMemberAndKnowsWhereItStarts() throws IOException {
    byte[] first = gzip("one ");
    byte[] file = concat(first, gzip(""), gzip("two"), gzip("three"));
    byte[] to = new byte[100];
    try (GzipInput in = new GzipInput(InputBytes.of(file, 0, file.length))) {
      assertThat(in.read(to, 0, 100)).isEqualTo(4);
      assertThat(in.read(to, 0, 100)).isEqualTo(3);
      assertThat(in.memberAt(0)).isZero();
      assertThat(in.memberAt(1)).isEqualTo(-1);
      assertThat(in.nextStart(0)).isEqualTo(4);
      assertThat(in.nextStart(3)).isEqualTo(4);
      assertThat(in.nextStart(4)).isEqualTo(Long.MAX_VALUE);
      // The empty member between them starts nothing.
      assertThat(in.memberAt(4)).isEqualTo(first.length + gzip("").length);
      assertThat(in.read(to, 0, 100)).isEqualTo(5);
      assertThat(in.nextStart(0)).isEqualTo(4);
      assertThat(in.nextStart(4)).isEqualTo(7);
      assertThat(in.memberAt(7)).isEqualTo(first.length + gzip("").length + gzip("two").length);
      assertThat(in.read(to, 0, 100)).isEqualTo(-1);
    }
  }

  @Test
  void whatComesBeforeDamageIsReadWhateverTheSizeOfReads() throws IOException {
    byte[] whole = gzip("The grey heron waits. ".repeat(40) + "It waits for long, and catches.");
    byte[] checksum = whole.clone();
    checksum[whole.length - 6] ^= 1;
    byte[] data = whole.clone();
    Arrays.fill(data, whole.length - 20, whole.length - 8, (byte) 0xFF);
    int text = 22 * 40 + 31;
    for (byte[] file :
        List.of(Arrays.copyOf(whole, whole.length - 1), Arrays.copyOf(whole, whole.length - 8))) {
      assertThat(bytesBeforeDamage(file, 1 << 16)).isEqualTo(text);
    }
    assertThat(bytesBeforeDamage(checksum, 1 << 16)).isEqualTo(text);
    for (byte[] file : List.of(checksum, data, Arrays.copyOf(whole, whole.length - 20))) {
      int before = bytesBeforeDamage(file, 1);
      assertThat(before).isGreaterThan(text / 2);
      for (int size : new int[] {2, 3, 100, 1 << 16}) {
        assertThat(bytesBeforeDamage(file, size)).isEqualTo(before);
      }
    }
  }

  private static int bytesBeforeDamage(byte[] file, int size) throws IOException {
    byte[] to = new byte[size];
    int read = 0;
    try (GzipInput in = new GzipInput(InputBytes.of(file, 0, file.length))) {
      for (int n = in.read(to, 0, size); n >= 0; n = in.read(to, 0, size)) {
        read += n;
      }
      throw new AssertionError("damage was not seen");
    } catch (ZipException e) {
      return read;
    }
  }

  @Test
  void linesBeforeAMissingTrailerAreReadAndThatIsReported(@TempDir Path root)
      throws IOException, InterruptedException {
    byte[] whole =
        gzip("{\"id\": \"1\", \"contents\": \"a\"}\n{\"id\": \"2\", \"contents\": \"b\"}\n");
    for (int missing = 1; missing <= 8; missing++) {
      Files.write(root.resolve("a.jsonl.gz"), Arrays.copyOf(whole, whole.length - missing));
      SourceReading read = SourceReading.of(root);
      assertThat(read.ids()).containsExactly("1", "2");
      assertThat(read.skips.only().reason()).isEqualTo(SkipReason.DAMAGED);
      assertThat(read.skips.only().detail()).endsWith("; the rest of the file was not read");
    }
  }

  @Test
  void aFileClippedAnywhereIsSkippedAsDamaged(@TempDir Path root)
      throws IOException, InterruptedException {
    byte[] first = gzip("<title>Heron</title><p>The grey heron waits.");
    byte[] whole = concat(first, gzip("It waits for long."));
    for (int length = 2; length <= whole.length; length++) {
      Path file = root.resolve("page.html.gz");
      Files.write(file, Arrays.copyOf(whole, length));
      RecordedSkips skips = new RecordedSkips();
      Split split = Crawl.open(List.of(root), 1000, skips).splits(1).get(0);
      try (DocumentReader reader = split.open(skips)) {
        RawDocument document = reader.next();
        // Cut between two members it is a whole file of one.
        if (length == whole.length || length == first.length) {
          assertThat(document).isNotNull();
          assertThat(document.id()).isEqualTo("page.html.gz");
          assertThat(document.type()).isEqualTo(ContentType.HTML);
          assertThat(skips.all()).isEmpty();
        } else {
          assertThat(document).as("clipped to %d bytes", length).isNull();
          assertThat(skips.only().reason()).isEqualTo(SkipReason.DAMAGED);
          assertThat(skips.only().detail()).contains(" at byte " + length + " of the file");
        }
      }
    }
  }

  @Test
  void aSmallFileThatDecompressesToTooMuchIsTooLarge(@TempDir Path root)
      throws IOException, InterruptedException {
    byte[] bomb = gzip("x".repeat(1_000_000));
    Files.write(root.resolve("bomb.gz"), bomb);
    RecordedSkips skips = new RecordedSkips();
    try (DocumentReader reader =
        Crawl.open(List.of(root), 5000, skips).splits(1).get(0).open(skips)) {
      assertThat(reader.next()).isNull();
    }
    assertThat(skips.only().reason()).isEqualTo(SkipReason.TOO_LARGE);
    assertThat(skips.only().detail())
        .isEqualTo(
            "%d bytes decompress to more than the limit of 5000 bytes".formatted(bomb.length));
  }

  private static String decode(byte[] file) throws IOException {
    try (GzipInput in = new GzipInput(InputBytes.of(file, 0, file.length))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static byte[] gzip(String text) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return bytes.toByteArray();
  }

  private static byte[] concat(byte[]... parts) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      bytes.writeBytes(part);
    }
    return bytes.toByteArray();
  }
}
