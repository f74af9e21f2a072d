package io.kmodel.indexer.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GzipDecoderTest {
  private static final int LIMIT = 1000;

  private final GzipDecoder decoder = new GzipDecoder();

  @AfterEach
  void close() {
    decoder.close();
  }

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
        .hasMessage("gzip: ends within its header at byte " + file.length + " of the file");
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
  void theLimitIsOnTheSumOfAllMembers() throws IOException, InterruptedException {
    assertThat(decode(gzip("x".repeat(1000)))).hasSize(1000);
    assertThat(decode(concat(gzip("x".repeat(500)), gzip("x".repeat(500))))).hasSize(1000);
    byte[] more = concat(gzip("x".repeat(500)), gzip("x".repeat(501)));
    assertThat(decoder.decode(more, more.length, LIMIT)).isEqualTo(GzipDecoder.TOO_LARGE);
    byte[] bomb = gzip("x".repeat(10_000_000));
    assertThat(decoder.decode(bomb, bomb.length, LIMIT)).isEqualTo(GzipDecoder.TOO_LARGE);
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
        .isEqualTo("%d bytes decompress to more than the limit of 5000".formatted(bomb.length));
  }

  private String decode(byte[] file) throws IOException, InterruptedException {
    int length = decoder.decode(file, file.length, LIMIT);
    return new String(decoder.bytes(), 0, length, StandardCharsets.UTF_8);
  }

  private static byte[] gzip(String text) throws IOException, InterruptedException {
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
