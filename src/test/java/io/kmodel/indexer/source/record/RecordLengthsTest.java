package io.kmodel.indexer.source.record;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.source.DocumentReader;
import io.kmodel.indexer.source.Format;
import io.kmodel.indexer.source.HeapGuard;
import io.kmodel.indexer.source.Members;
import io.kmodel.indexer.source.SkipListener;
import io.kmodel.indexer.source.SkipReason;
import io.kmodel.indexer.source.SourceOptions;
import io.kmodel.indexer.source.SourceReading;
import io.kmodel.indexer.source.crawl.Crawl;
import io.kmodel.indexer.source.warc.Warcs;
import io.kmodel.indexer.store.LittleEndian;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.netpreserve.jwarc.WarcCompression;

/** Records that say they are longer than they are: they cost neither others, nor much time. */
class RecordLengthsTest {
  private static final int CLAIMED = 60_000_000;
  private static final String LIE =
      "WARC/1.0\nWARC-Type: resource\nContent-Length: " + CLAIMED + "\n\n";

  @TempDir Path root;

  /** Took 459 s a megabyte: each record took 60 MB, and the turn of large ones, before its body. */
  @Test
  @Timeout(60)
  void aPlainFileOfLiesTakesNoMemoryAndLittleTime() throws Exception {
    int lies = 18_000;
    byte[] good = Warcs.write(WarcCompression.NONE, Warcs.html("http://a.org/", "heron"));
    write("a.warc", Warcs.concat(LIE.repeat(lies).getBytes(US_ASCII), good));
    Grants grants = new Grants(1 << 20, Long.MAX_VALUE);
    SourceReading read = SourceReading.of(root, grants);
    assertThat(read.texts()).containsExactly("heron");
    assertThat(read.reasons()).hasSize(lies).containsOnly(SkipReason.DAMAGED_RECORD);
    assertThat(read.skips.all().getLast().place())
        .endsWith("a.warc at byte " + (lies - 1) * LIE.length());
    assertThat(read.skips.all().getLast().detail())
        .isEqualTo("the file ends after %d of %d bytes of a record", good.length, CLAIMED);
    assertThat(grants.reserved).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(Members.class)
  @Timeout(60)
  void aMemberThatLiesEndsWhereTheNextRecordStarts(Members packing) throws Exception {
    int lies = 2000;
    byte[] lie = packing.pack(LIE.getBytes(US_ASCII));
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    file.writeBytes(packing.start());
    for (int i = 0; i < lies; i++) {
      file.writeBytes(lie);
    }
    file.writeBytes(packing.pack(Warcs.html("http://a.org/", "heron")));
    write("a.warc.gz", file.toByteArray());
    Grants grants = new Grants(1 << 20, Long.MAX_VALUE);
    SourceReading read = SourceReading.of(root, grants);
    assertThat(read.texts()).containsExactly("heron");
    assertThat(read.reasons()).hasSize(lies).containsOnly(SkipReason.DAMAGED_RECORD);
    assertThat(read.skips.all().getLast().place())
        .endsWith("a.warc.gz at byte " + (packing.first() + (lies - 1) * lie.length));
    assertThat(read.skips.all().getLast().detail())
        .isEqualTo("the next record starts after 0 of %d bytes of a record", CLAIMED);
    assertThat(grants.reserved).isEmpty();
  }

  /** A length a little too large took in the records after it, without a word. */
  @ParameterizedTest
  @EnumSource(Members.class)
  void whatARecordSaysBeyondItsMemberIsNotTakenFromThoseBehindIt(Members packing) throws Exception {
    for (int tooMany : new int[] {1, 5, 100, 1000, 5000}) {
      assertNotTaken(packing, tooMany);
    }
  }

  private void assertNotTaken(Members packing, int tooMany) throws Exception {
    List<byte[]> members = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      int more = i % 3 == 1 ? tooMany : 0;
      members.add(packing.pack(page(i, more)));
    }
    write("a.warc.gz", packing.file(members.toArray(new byte[0][])));
    SourceReading read = SourceReading.of(root);
    int inTheLineEnds = tooMany <= 4 ? 7 : 0;
    assertThat(read.ids()).hasSize(13 + inTheLineEnds).contains("http://a.org/0", "http://a.org/2");
    assertThat(read.reasons())
        .hasSize(7 - inTheLineEnds)
        .allMatch(reason -> reason == SkipReason.DAMAGED_RECORD);
  }

  @ParameterizedTest
  @EnumSource(Members.class)
  void aHeaderThatEndsWithItsMemberCostsNoOther(Members packing) throws Exception {
    byte[] whole = page(0, 0);
    for (int length = 1; length < 100; length++) {
      write(
          "a.warc.gz",
          packing.file(
              packing.pack(page(1, 0)),
              packing.pack(Arrays.copyOf(whole, length)),
              packing.pack(page(2, 0))));
      SourceReading read = SourceReading.of(root);
      assertThat(read.ids()).as("%d", length).containsExactly("http://a.org/1", "http://a.org/2");
      assertThat(read.skips.only().reason()).isEqualTo(SkipReason.DAMAGED_RECORD);
    }
  }

  @Test
  void arcMembersThatLieCostNoOther() throws Exception {
    String line = "http://a.org/%d 1.2.3.4 19961104142103 text/html %d\n%s\n";
    String body = "HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n<p>heron</p>";
    byte[] first = Warcs.gzip(line.formatted(0, body.length(), body).getBytes(US_ASCII));
    byte[] lies = Warcs.gzip(line.formatted(1, 90, body).getBytes(US_ASCII));
    byte[] cut = Warcs.gzip("http://a.org/2 1.2.3.4 19961104142103 text/ht".getBytes(US_ASCII));
    byte[] last = Warcs.gzip(line.formatted(3, body.length(), body).getBytes(US_ASCII));
    write("a.arc.gz", Warcs.concat(first, lies, cut, last));
    SourceReading read = SourceReading.of(root, SourceReading.format(Format.ARC));
    assertThat(read.ids()).containsExactly("http://a.org/0", "http://a.org/3");
    assertThat(read.reasons())
        .containsExactly(SkipReason.DAMAGED_RECORD, SkipReason.DAMAGED_RECORD);
  }

  /** As bgzip cuts them; and empty ones in between, as it ends files. */
  @ParameterizedTest
  @EnumSource(Members.class)
  void membersMayBeCutAnywhere(Members packing) throws Exception {
    for (int bytes : new int[] {5, 61, 1000, 30_000}) {
      assertReadWhole(packing, bytes);
    }
  }

  private void assertReadWhole(Members packing, int bytes) throws Exception {
    ByteArrayOutputStream warc = new ByteArrayOutputStream();
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      warc.writeBytes(page(i, 0));
      ids.add("http://a.org/" + i);
    }
    byte[] plain = warc.toByteArray();
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    packed.writeBytes(packing.start());
    for (int at = 0; at < plain.length; at += bytes) {
      packed.writeBytes(
          packing.pack(Arrays.copyOfRange(plain, at, Math.min(at + bytes, plain.length))));
      if (at % 7 == 0) {
        packed.writeBytes(packing.pack(new byte[0]));
      }
    }
    write("a.warc.gz", packed.toByteArray());
    SourceReading read = SourceReading.of(root);
    assertThat(read.ids()).isEqualTo(ids);
    assertThat(read.skips.all()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(Members.class)
  void headersAndBodiesMayHaveMembersOfTheirOwnAndRecordsShareOne(Members packing)
      throws Exception {
    byte[] first = page(1, 0);
    int body = new String(first, US_ASCII).indexOf("\r\n\r\n") + 4;
    write(
        "a.warc.gz",
        packing.file(
            packing.pack(page(0, 0)),
            packing.pack(Arrays.copyOf(first, body)),
            packing.pack(Arrays.copyOfRange(first, body, first.length)),
            packing.pack(Warcs.concat(page(2, 0), page(3, 0))),
            packing.pack(page(4, 0))));
    SourceReading read = SourceReading.of(root);
    assertThat(read.ids())
        .containsExactly(
            "http://a.org/0",
            "http://a.org/1",
            "http://a.org/2",
            "http://a.org/3",
            "http://a.org/4");
    assertThat(read.skips.all()).isEmpty();
  }

  /** Each holds the others, as the text of blocks that are stored: each was read to the end. */
  @Test
  @Timeout(60)
  void membersThatContainEachOtherAreNotAllReadToTheEnd() throws Exception {
    byte[] text = LIE.getBytes(US_ASCII);
    int blockBytes = 0xFFFF;
    byte[] file = new byte[2 << 20];
    int step = 15 + text.length;
    for (int start = 0; start < blockBytes - step; start += step) {
      file[start] = 0x1F;
      file[start + 1] = (byte) 0x8B;
      file[start + 2] = 8;
      System.arraycopy(text, 0, file, start + 15, text.length);
      for (int block = start + 10; block + 5 <= file.length; block += 5 + blockBytes) {
        // Of a block that is stored: its length, twice.
        LittleEndian.putInt(file, block + 1, blockBytes);
      }
    }
    write("a.warc.gz", file);
    SourceReading read = SourceReading.of(root);
    assertThat(read.ids()).isEmpty();
    assertThat(read.skips.all()).hasSizeBetween(1, 20);
  }

  @Test
  void aLargePageTakesItsHeapOnceItsBytesCome() throws Exception {
    String text = "heron ".repeat(100_000);
    byte[] large =
        Warcs.write(WarcCompression.GZIP, Warcs.resource("http://a.org/", "text/plain", text));
    byte[] small =
        Warcs.write(WarcCompression.GZIP, Warcs.resource("http://b.org/", "text/plain", "owl"));
    write("a.warc.gz", Warcs.concat(large, small));
    Grants enough = new Grants(1 << 20, 100 << 20);
    assertThat(SourceReading.of(root, enough).texts()).containsExactly(text, "owl");
    assertThat(enough.reserved).containsExactly((long) HeapGuard.USUAL_PER_BYTE * text.length());
    SourceReading read = SourceReading.of(root, new Grants(1 << 20, 2 << 20));
    assertThat(read.texts()).containsExactly("owl");
    assertThat(read.skips.only().reason()).isEqualTo(SkipReason.TOO_LARGE);
    assertThat(read.skips.only().detail()).startsWith(text.length() + " bytes, which need more");
  }

  /** Others wait for it, and records that are passed over may be long. */
  @Test
  void whatAPageTookThatIsNoneInTheEndIsFreeBeforeTheNextRecordIsPassedOver() throws Exception {
    String noText = "\0".repeat(200_000);
    write(
        "a.warc",
        Warcs.write(
            WarcCompression.NONE,
            Warcs.resource("http://a.org/", "text/plain", noText),
            Warcs.metadata("http://a.org/")));
    Grants grants = new Grants(1 << 20, 100 << 20);
    List<String> skips = new ArrayList<>();
    SkipListener listener = (place, reason, detail) -> skips.add(reason + " " + grants.held);
    Crawl crawl = Crawl.open(List.of(root), List.of(), SourceOptions.DEFAULT, listener);
    try (DocumentReader reader = crawl.splits(Long.MAX_VALUE).getFirst().open(listener, grants)) {
      assertThat(reader.next()).isNull();
    }
    assertThat(skips).containsExactly("NOT_TEXT true", "METADATA false");
  }

  /** How long it is nobody knows who does not read it. */
  @Test
  void ofWhatIsTooLargeWithoutALengthItIsSaidHowMuchItHasAtLeast() throws Exception {
    write("a.txt.gz", Warcs.gzip("heron ".repeat(100_000).getBytes(US_ASCII)));
    SourceReading read = SourceReading.of(root, new Grants(1 << 20, 2 << 20));
    assertThat(read.skips.only().reason()).isEqualTo(SkipReason.TOO_LARGE);
    assertThat(read.skips.only().detail())
        .matches("\\d+ bytes decompress to \\d+ bytes or more, which need more heap than .*");
  }

  private static byte[] page(int number, int tooMany) {
    String body = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>page %d".formatted(number);
    String text = body + " heron".repeat(number * 20);
    String header =
        """
        WARC/1.0
        WARC-Type: response
        WARC-Target-URI: http://a.org/%d
        Content-Type: application/http
        Content-Length: %d

        """
            .formatted(number, text.length() + tooMany)
            .replace("\n", "\r\n");
    return (header + text + "\r\n\r\n").getBytes(US_ASCII);
  }

  private void write(String name, byte[] bytes) throws IOException {
    Files.write(root.resolve(name), bytes);
  }

  /** Notes what is asked for. */
  private static final class Grants implements HeapGuard {
    final List<Long> reserved = new ArrayList<>();
    boolean held;
    private final long free;
    private final long most;

    Grants(long free, long most) {
      this.free = free;
      this.most = most;
    }

    @Override
    public long freeBytes() {
      return free;
    }

    @Override
    public long largestBytes() {
      return most;
    }

    @Override
    public boolean reserve(long heapBytes) {
      reserved.add(heapBytes);
      held = heapBytes <= most;
      return held;
    }

    @Override
    public void release() {
      held = false;
    }
  }
}
