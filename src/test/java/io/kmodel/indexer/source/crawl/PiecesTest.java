package io.kmodel.indexer.source.crawl;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.QuickEvery;
import io.kmodel.indexer.Tier;
import io.kmodel.indexer.source.DocumentReader;
import io.kmodel.indexer.source.Members;
import io.kmodel.indexer.source.SkipListener;
import io.kmodel.indexer.source.SkipReason;
import io.kmodel.indexer.source.SourceOptions;
import io.kmodel.indexer.source.SourceReading;
import io.kmodel.indexer.source.Split;
import io.kmodel.indexer.source.warc.Warcs;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.netpreserve.jwarc.WarcCompression;

/** Large files that are cut. */
class PiecesTest {
  private static final long TARGET = 5 << 20;
  private static final long[] TARGETS =
      Tier.pick(new long[] {TARGET}, new long[] {1, TARGET, 9 << 20});

  @TempDir Path root;
  private final Random random = new Random(42);

  @Test
  void piecesOfALineFileAreTheWholeFile() throws Exception {
    try (OutputStream out = Files.newOutputStream(root.resolve("a.jsonl"))) {
      for (int i = 0; out(out, "{\"id\": \"%d\", \"text\": \"%s\"}\n".formatted(i, text())); i++) {}
    }
    check(4);
  }

  @Test
  void piecesOfATrecFileAreTheWholeFile() throws Exception {
    try (OutputStream out = Files.newOutputStream(root.resolve("a.trec"))) {
      for (int i = 0;
          out(out, "<DOC>\n<DOCNO>%d</DOCNO>\n%s\n</DOC>\n".formatted(i, text()));
          i++) {}
    }
    check(4);
  }

  @Test
  void piecesOfArchivesAreTheWholeFile() throws Exception {
    checkArchive(null, this::warcRecord);
  }

  @ParameterizedTest
  @EnumSource(Members.class)
  void piecesOfPackedArchivesAreTheWholeFile(Members members) throws Exception {
    checkArchive(members, this::warcRecord);
  }

  /** The older ones of the Internet Archive. */
  @ParameterizedTest
  @QuickEvery(3)
  @EnumSource(Members.class)
  void piecesOfPackedOlderArchivesAreTheWholeFile(Members members) throws Exception {
    checkArchive(members, this::arcRecord);
  }

  private byte[] arcRecord(int number) {
    String page = "HTTP/1.0 200 OK\r\n\r\n<p>" + text();
    String uri = number == 0 ? "filedesc://a.arc" : "http://a/" + number;
    return "%s 1.2.3.4 19961104142103 text/html %d\n%s\n"
        .formatted(uri, page.length(), page)
        .getBytes(US_ASCII);
  }

  private byte[] warcRecord(int number) throws IOException {
    return Warcs.write(WarcCompression.NONE, Warcs.html("http://a/" + number, text()));
  }

  /** A record of an archive by its number. */
  @FunctionalInterface
  private interface Numbered {
    byte[] record(int number) throws IOException;
  }

  private void checkArchive(@Nullable Members members, Numbered numbered) throws Exception {
    Path file = root.resolve("a.warc");
    try (OutputStream out = Files.newOutputStream(file)) {
      if (members != null) {
        out.write(members.start());
      }
      for (int number = 0; written < 17 << 20; number++) {
        byte[] record = numbered.record(number);
        byte[] stored = members == null ? record : members.pack(record);
        out.write(stored);
        written += stored.length;
      }
    }
    check(4);
    byte[] damaged = Files.readAllBytes(file);
    damage(damaged, members);
    Files.write(file, damaged);
    SourceReading whole = SourceReading.of(root);
    SourceReading pieces = SourceReading.of(root, SourceOptions.DEFAULT, TARGET);
    assertThat(whole.skips.all()).hasSizeGreaterThan(10);
    assertThat(whole.docs).hasSizeGreaterThan(100);
    assertThat(pieces.missedBorders).isZero();
    assertThat(pieces.docs).isEqualTo(whole.docs);
    assertThat(pieces.skips.all()).isEqualTo(whole.skips.all());
  }

  /** Any byte of compressed records, but of others those that say what they are. */
  private void damage(byte[] file, @Nullable Members members) {
    int first = members == null ? 0 : members.first();
    for (int i = 0; i < 40; i++) {
      int at = first + random.nextInt(file.length - first - 100_000);
      if (members == null) {
        while (!new String(file, at, 9, US_ASCII).equals("\nWARC/1.0")) {
          at++;
        }
      }
      file[at + 3] ^= 0x20;
    }
  }

  @ParameterizedTest
  @QuickEvery(2)
  @EnumSource(Members.class)
  void aLongMemberThatAFileEndsWithDoesNotUnpackWithoutEnd(Members members) throws Exception {
    byte[] part = new byte[980];
    byte[] other = new byte[20];
    ByteArrayOutputStream record = new ByteArrayOutputStream();
    record.writeBytes(
        "WARC/1.0\r\nWARC-Type: metadata\r\nContent-Length: 70000000\r\n\r\n".getBytes(US_ASCII));
    for (int i = 0; i < 70_000; i++) {
      random.nextBytes(other);
      record.writeBytes(other);
      record.writeBytes(part);
    }
    byte[] page = members.pack(Warcs.html("http://a/", "<p>a"));
    Files.write(root.resolve("a.warc"), members.file(page, members.pack(record.toByteArray())));
    SourceReading whole = SourceReading.of(root);
    assertThat(whole.docs).hasSize(1);
    assertThat(whole.reasons()).containsExactly(SkipReason.METADATA);
  }

  /** Which of zstd takes a few bytes; what comes before it in the file does not make up for it. */
  @Test
  void aRecordThatUnpacksWithoutEndCostsNoOtherWhoeverReadsIt() throws Exception {
    Path file = root.resolve("a.warc.zst");
    byte[] zeros = new byte[200 << 20];
    byte[] header =
        "WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: %d\r\n\r\n"
            .formatted(zeros.length)
            .getBytes(US_ASCII);
    byte[] bomb = Members.ZSTD.pack(Warcs.concat(header, zeros));
    assertThat(bomb).hasSizeLessThan(1 << 16);
    int pages = 0;
    try (OutputStream out = Files.newOutputStream(file)) {
      while (written < 17 << 20) {
        boolean bombs = pages > 0 && pages % 100 == 0;
        byte[] record = bombs ? bomb : Members.ZSTD.pack(Warcs.html("http://a/" + pages, text()));
        pages++;
        out.write(record);
        written += record.length;
      }
    }
    SourceReading whole = SourceReading.of(root);
    assertThat(whole.reasons()).isNotEmpty().containsOnly(SkipReason.EXPANDS);
    assertThat(whole.docs).hasSize(pages - whole.reasons().size());
    SourceReading pieces = SourceReading.of(root, SourceOptions.DEFAULT, TARGET);
    assertThat(pieces.missedBorders).isZero();
    assertThat(pieces.docs).isEqualTo(whole.docs);
    assertThat(pieces.skips.all()).isEqualTo(whole.skips.all());
  }

  /** An archive in an archive looks like records where there are none. */
  @Test
  void aBorderThatWasMissedIsNoticedAndTheRestReadInOneGivesTheWholeFile() throws Exception {
    ByteArrayOutputStream inner = new ByteArrayOutputStream();
    ByteArrayOutputStream outer = new ByteArrayOutputStream();
    for (int i = 0; i < 150; i++) {
      inner.writeBytes(Warcs.write(WarcCompression.GZIP, Warcs.html("http://inner/" + i, text())));
      outer.writeBytes(Warcs.write(WarcCompression.NONE, Warcs.html("http://outer/" + i, text())));
    }
    byte[] nested = inner.toByteArray();
    byte[] plain = Warcs.write(WarcCompression.NONE, Warcs.html("http://nested/plain", text()));
    assertThat(nested).hasSizeGreaterThan(5 << 20);
    byte[] file =
        Warcs.concat(
            outer.toByteArray(),
            Warcs.write(
                WarcCompression.NONE,
                Warcs.response(
                    "http://a/inner.warc",
                    "application/warc",
                    Warcs.concat(nested, "\n".getBytes(US_ASCII), plain, nested))),
            outer.toByteArray());
    Files.write(root.resolve("a.warc"), file);
    SourceReading whole = SourceReading.of(root);
    assertThat(whole.docs).hasSize(300);
    Crawl crawl = Crawl.open(List.of(root), List.of(), SourceOptions.DEFAULT, whole.skips);
    List<Split> splits = crawl.splits(4 << 20);
    int ended = 0;
    int missed = -1;
    for (Split split : splits) {
      try (DocumentReader reader = split.open(SkipListener.NONE)) {
        while (reader.next() != null) {
          ended++;
        }
        missed = missed < 0 && reader.missedBorder() ? split.ordinal() : missed;
      }
    }
    assertThat(missed).as("of %d", ended).isPositive();
    SourceReading mended = new SourceReading();
    for (int i = 0; i < missed; i++) {
      mended.read(splits.get(i));
    }
    assertThat(splits.get(missed).piecesAfter()).isEqualTo(splits.size() - 1 - missed);
    mended.read(splits.get(missed).withRest());
    assertThat(mended.docs).isEqualTo(whole.docs);
  }

  /** Whichever piece finds that out first, the file counts once. */
  @Test
  void aFileThatHasVanishedIsReportedByWhatReadsItsEnd() throws Exception {
    Path file = lines(5);
    List<Split> splits = splits();
    Files.delete(file);
    SourceReading reading = new SourceReading();
    for (Split split : splits) {
      assertThat(reading.skips.all()).isEmpty();
      reading.read(split);
    }
    assertThat(reading.missedBorders).isEqualTo(splits.size() - 1).isPositive();
    assertThat(reading.skips.all())
        .singleElement()
        .satisfies(skip -> assertThat(skip.reason()).isEqualTo(SkipReason.UNREADABLE));
    SourceReading again = new SourceReading();
    again.read(splits.getFirst().withRest());
    assertThat(again.missedBorders).isZero();
    assertThat(again.skips.all()).isEqualTo(reading.skips.all());
  }

  @Test
  void whatWasCutOffAFileOfRecordsSinceItWasListedIsReportedOnce() throws Exception {
    Path file = lines(5);
    SourceReading whole = SourceReading.of(root);
    List<Split> splits = splits();
    byte[] bytes = Files.readAllBytes(file);
    int length = bytes.length / 2;
    while (bytes[length - 1] != '\n') {
      length--;
    }
    Files.write(file, Arrays.copyOf(bytes, length));
    SourceReading reading = new SourceReading();
    for (Split split : splits) {
      reading.read(split);
    }
    assertThat(reading.missedBorders).isZero();
    assertThat(reading.docs)
        .hasSizeBetween(1, whole.docs.size() - 1)
        .isEqualTo(whole.docs.subList(0, reading.docs.size()));
    String changed = "file has changed: it has %d of %d bytes".formatted(length, bytes.length);
    assertThat(reading.skips.all())
        .singleElement()
        .satisfies(skip -> assertThat(skip.reason()).isEqualTo(SkipReason.UNREADABLE))
        .satisfies(skip -> assertThat(skip.detail()).isEqualTo(changed));
  }

  private List<Split> splits() throws IOException, InterruptedException {
    return Crawl.open(List.of(root), List.of(), SourceOptions.DEFAULT, SkipListener.NONE)
        .splits(TARGET);
  }

  private Path lines(int pieces) throws IOException {
    Path file = root.resolve("a.jsonl");
    try (OutputStream out = Files.newOutputStream(file)) {
      for (int i = 0; written < pieces * TARGET; i++) {
        out(out, "{\"id\": \"%d\", \"text\": \"%s\"}\n".formatted(i, text()));
      }
    }
    return file;
  }

  private void check(int atLeast) throws IOException, InterruptedException {
    SourceReading whole = SourceReading.of(root);
    assertThat(whole.docs).hasSizeGreaterThan(100);
    assertThat(whole.reasons()).allMatch(SkipReason.METADATA::equals);
    for (long target : TARGETS) {
      SourceReading pieces = SourceReading.of(root, SourceOptions.DEFAULT, target);
      assertThat(pieces.missedBorders).isZero();
      assertThat(pieces.ids()).isEqualTo(whole.ids());
      assertThat(pieces.docs).isEqualTo(whole.docs);
      assertThat(pieces.places).isEqualTo(whole.places);
      assertThat(pieces.skips.all()).isEqualTo(whole.skips.all());
    }
    Crawl crawl = Crawl.open(List.of(root), List.of(), SourceOptions.DEFAULT, whole.skips);
    List<Split> splits = crawl.splits(TARGET);
    assertThat(splits).hasSizeGreaterThanOrEqualTo(atLeast);
    assertThat(splits.stream().mapToLong(Split::bytes).sum()).isEqualTo(crawl.bytes());
  }

  private long written;

  private boolean out(OutputStream out, String text) throws IOException {
    byte[] bytes = text.getBytes(UTF_8);
    out.write(bytes);
    written += bytes.length;
    return written < 17 << 20;
  }

  /** Of 60 KB on the average, that gzip cannot do much about. */
  private String text() {
    StringBuilder text = new StringBuilder();
    int words = random.nextInt(20_000);
    for (int i = 0; i < words; i++) {
      text.append(Integer.toString(random.nextInt(1 << 26), 36)).append(' ');
    }
    return text.toString();
  }
}
