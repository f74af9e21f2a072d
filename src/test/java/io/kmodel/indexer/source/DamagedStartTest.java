package io.kmodel.indexer.source;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.source.warc.Warcs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.netpreserve.jwarc.WarcRecord;

/** Archives whose first member is damaged: what they are, the next ones tell. */
class DamagedStartTest {
  @TempDir Path root;

  @ParameterizedTest
  @EnumSource(Members.class)
  void damageInTheFirstMemberCostsThatMemberAlone(Members members) throws Exception {
    byte[] first = members.pack(page(0));
    byte[] whole = members.file(first, members.pack(page(1)), members.pack(page(2)));
    String name = members.name("a.warc");
    for (int at = members.first(); at < members.first() + first.length; at++) {
      byte[] damaged = whole.clone();
      damaged[at] ^= (byte) 0xFF;
      write(name, damaged);
      SourceReading read = SourceReading.of(root);
      assertThat(read.ids()).as("byte %d", at).endsWith("http://a.org/1", "http://a.org/2");
      if (read.ids().size() == 2) {
        // A changed record may look like several, of which the checksum is the last.
        assertThat(read.reasons())
            .as("byte %d", at)
            .containsAnyOf(SkipReason.DAMAGED, SkipReason.DAMAGED_RECORD, SkipReason.TOO_LARGE);
        assertThat(read.skips.all().getFirst().place())
            .as("byte %d", at)
            .endsWith(name + " at byte 0");
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Members.class)
  void membersAreLookedIntoWhateverTheFileIsCalled(Members members) throws Exception {
    byte[] whole =
        members.file(members.pack(page(0)), members.pack(page(1)), members.pack(page(2)));
    Arrays.fill(whole, members.first() + 20, members.first() + 24, (byte) 0xFF);
    for (String name : new String[] {"a", members.name("A.WARC"), members.name("a")}) {
      write(name, whole);
      SourceReading read = SourceReading.of(root.resolve(name));
      assertThat(read.ids()).as(name).containsExactly("http://a.org/1", "http://a.org/2");
      assertThat(read.skips.only().reason()).isEqualTo(SkipReason.DAMAGED);
    }
  }

  /** Whose first bytes do not say any more that it is packed. */
  @ParameterizedTest
  @EnumSource(Members.class)
  void anArchiveIsLookedIntoByItsName(Members members) throws Exception {
    byte[] whole = members.file(members.pack(page(0)), members.pack(page(1)));
    Arrays.fill(whole, 0, members.first() + 4, (byte) 0);
    boolean readable = members != Members.ZSTD_WITH_DICTIONARY;
    for (String plain : new String[] {"a.warc", "A.WET", "a.warc.wet", "a.arc"}) {
      write(members.name(plain), whole);
      SourceReading read = SourceReading.of(root.resolve(members.name(plain)));
      assertThat(read.ids()).as(plain).hasSize(readable ? 1 : 0);
      assertThat(read.skips.only().reason())
          .isEqualTo(readable ? SkipReason.DAMAGED : SkipReason.BINARY);
    }
    write(members.name("a.html"), whole);
    SourceReading read = SourceReading.of(root.resolve(members.name("a.html")));
    assertThat(read.skips.only().reason()).isEqualTo(SkipReason.BINARY);
  }

  @Test
  void anArcFileIsToldByItsNextRecord() throws Exception {
    String body = "HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n<p>heron</p>";
    String record =
        "http://a.org/ 1.2.3.4 19961104142103 text/html %d\n%s\n".formatted(body.length(), body);
    byte[] first = Warcs.gzip(record.getBytes(US_ASCII));
    Arrays.fill(first, 0, 12, (byte) 0xFF);
    write("a.arc.gz", Warcs.concat(first, Warcs.gzip(record.getBytes(US_ASCII))));
    SourceReading read = SourceReading.of(root);
    assertThat(read.ids()).containsExactly("http://a.org/");
    assertThat(read.skips.only().place()).endsWith("a.arc.gz at byte 0");
  }

  @Test
  void whatHoldsNoRecordsStaysOneDocument() throws Exception {
    byte[] page = Warcs.gzip("<p>a page about herons</p>".repeat(20).getBytes(US_ASCII));
    write("a.warc.gz", page);
    byte[] damaged = page.clone();
    Arrays.fill(damaged, 10, 12, (byte) 0xFF);
    write("b.html.gz", Warcs.concat(damaged, page));
    SourceReading read = SourceReading.of(root);
    assertThat(read.ids()).containsExactly("a.warc.gz");
    assertThat(read.skips.only().place()).endsWith("b.html.gz");
  }

  private static WarcRecord page(int number) throws IOException {
    return Warcs.html("http://a.org/" + number, "<p>page number %d</p>".formatted(number));
  }

  private void write(String name, byte[] bytes) throws IOException {
    Files.write(root.resolve(name), bytes);
  }
}
