package io.kmodel.indexer.export.ciff;

import static io.kmodel.indexer.source.warc.Warcs.gzip;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.primitives.Bytes;
import io.kmodel.indexer.faults.OpenDescriptors;
import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.store.CorruptIndexException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files written by hand, right and wrong. */
class CiffReaderTest {
  /** Two lists and three documents with 5 tokens, no average, no description. */
  private static final String HEADER = "0C 0801 1002 1803 2002 2803 3005";

  private static final String X = "0B 0A0178 1001 1802 22021002";
  private static final String Y = "11 0A0179 1002 1803 22021001 220408021002";
  private static final String DOCUMENTS = "05 120161 1803 05 0801 120162 07 0802 120163 1802";
  private static final String WHOLE = HEADER + X + Y + DOCUMENTS;

  @TempDir Path directory;

  @Test
  void aFileIsReadAsItIsWritten() throws IOException {
    assertThat(read(bytes(WHOLE)))
        .containsExactly(
            "x 0 2",
            "y 0 1",
            "y 2 2",
            "a 3",
            "b 0",
            "c 2",
            "5 5 3",
            "CiffHeader[postingsLists=2, documents=3, totalPostingsLists=2, totalDocuments=3,"
                + " totalTerms=5, averageLength=0.0, description=]");
  }

  @Test
  void gzipIsToldByItsContent() throws IOException {
    assertThat(read(gzip(bytes(WHOLE)))).isEqualTo(read(bytes(WHOLE)));
  }

  @Test
  void fieldsThatNobodyKnowsArePassedOver() throws IOException {
    String header = "10 0801 7A020102 1002 1803 2002 2803 3005";
    String list = "14 0A0178 1001 1802 8001 05 22 04 1002 1807 8201 01 FF";
    assertThat(read(bytes(header + list + Y + DOCUMENTS))).isEqualTo(read(bytes(WHOLE)));
  }

  /** The buffer for it has 64 bytes at first, one of which is the field's. */
  @ParameterizedTest
  @ValueSource(ints = {62, 63, 64, 65, 100})
  void aTermMayHaveAnyLength(int length) throws IOException {
    String term = "%02X".formatted(length) + "78".repeat(length);
    String list = "%02X 0A".formatted(length + 10) + term + "1001 1802 22021002";
    String header = "0C 0801 1001 1803 2001 2803 3005";
    assertThat(read(bytes(header + list + DOCUMENTS)))
        .first()
        .isEqualTo("x".repeat(length) + " 0 2");
  }

  @Test
  void listsThatAreNotReadArePassedOver() throws IOException {
    Path file = Files.write(directory.resolve("file"), bytes(WHOLE));
    try (CiffReader reader = CiffReader.open(file)) {
      PostingsCursor lists = reader.lists(3);
      assertThatThrownBy(reader::nextDocument).isInstanceOf(IllegalStateException.class);
      assertThat(lists.nextTerm()).isTrue();
      assertThat(lists.term()[0]).isEqualTo((byte) 3);
      assertThat(lists.nextTerm()).isTrue();
      assertThat(lists.docFreq()).isEqualTo(2);
      assertThat(lists.totalTermFreq()).isEqualTo(3);
      assertThat(lists.nextTerm()).isFalse();
      assertThat(reader.nextDocument()).isTrue();
      assertThat(reader.postings()).isEqualTo(3);
      assertThat(reader.totalFrequency()).isEqualTo(5);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0C 0802 1002 1803 2002 2803 3005 | CIFF version 2, expected 1",
        "0C 0801 1002 1803 2001 2803 3005 | impossible header: 2 of 1 postings lists",
        "0C 0801 1002 1803 2002 2802 3005 | 2 of 2 postings lists, 3 of 2 documents"
      })
  void headersThatCannotBeAreRefused(String header, String problem) {
    assertRefused(header, problem);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0B 0A0178 1001 1803 22021002 | 1 postings with 2 occurrences, expected df 1 and cf 3",
        "0B 0A0178 1002 1802 22021002 | 1 postings with 2 occurrences, expected df 2 and cf 2",
        "0B 0A0178 1001 1802 22020801 | gap of 1 after document 0 of 3, and tf 0",
        "0D 0A0178 1001 1802 220408031002 | gap of 3 after document 0 of 3",
        "0F 0A0178 1002 1804 22021002 22021002 | posting 1 of 'x' has a docid gap of 0",
        "07 0A0178 1001 1802 | df 1 and cf 2 and no postings",
        "09 0A0178 1802 22021002 | df 0 and cf 2",
        "0B 0A0178 1004 1804 22021002 | df 4 and cf 4 in 3 documents",
        "0B 0A01FF 1001 1802 22021002 | the term of list 0 is not UTF-8",
        "0D 0A0178 1001 1802 22021002 1001 | has field 1, 2 or 3 after its postings",
        "0B 0A0178 1001 1802 22091002 | field of 9 bytes, but its message has only 2 left",
        "0B 0A0178 1001 1804 00000000 | 0x0 is not a valid field tag",
        "0B 0A0178 1001 1802 22021081 02 | a field ends 1 bytes after its message",
        "0D 0A0178 1001 1802 8880808010 01 | 0x100000008 is not a valid field tag",
        "0F 0A0178 1001 1882808080 8080808080 80 | integer of more than 10 bytes",
        "0D 0A0178 1001 1802 2204 10808080 8008 | does not fit in 32 bits",
        "0B 0A0178 1001 1802 23021002 | 0x23 is not a valid field tag",
        "FFFFFFFF0F 00 | postings list 0 has 4294967295 bytes",
        "0B 0A0179 1001 1802 22021002 | terms out of order: 'y' after 'y'",
        "0B 0A017A 1001 1802 22021002 | terms out of order: 'y' after 'z'"
      })
  void listsThatCannotBeAreRefusedWithTheirPlace(String first, String problem) {
    assertRefused(HEADER + first + Y + DOCUMENTS, problem);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "05 120161 1803 05 0802 120162 | document record 2, expected 1",
        "05 120161 1803 05 0801 1201FF 05 0802 1201FF | the name of document 1 is not UTF-8",
        "05 120161 1803 05 0801 120162 | expected document record 2 of 3",
        "0E 120161 18FFFFFFFFFFFFFFFFFF01 | document 0 has length -1",
        "05 120161 1803 05 0801 120162 07 0802 120163 1802 00 | data after the last of 3"
      })
  void documentsThatCannotBeAreRefusedWithTheirPlace(String documents, String problem) {
    assertRefused(HEADER + X + Y + documents, problem);
  }

  @Test
  void theCheckOfAnExportCountsWhatTheHeaderClaims() throws IOException {
    Path whole = Files.write(directory.resolve("whole"), bytes(WHOLE));
    String lengths = DOCUMENTS.replace("1803", "1804");
    Path longer = Files.write(directory.resolve("longer"), bytes(HEADER + X + Y + lengths));
    CiffHeader header = new CiffHeader(2, 3, 2, 3, 5, 0, "");
    assertThat(check(whole, header, true)).isEqualTo(3);
    assertThat(check(longer, header, false)).isEqualTo(3);
    assertThatThrownBy(() -> check(longer, header, true))
        .isInstanceOf(CorruptIndexException.class)
        .hasMessageContaining("lengths sum to 6, expected 5");
    CiffHeader other = new CiffHeader(2, 3, 2, 3, 6, 0, "");
    assertThatThrownBy(() -> check(whole, other, true))
        .isInstanceOf(CorruptIndexException.class)
        .hasMessageContaining("header is ");
    Path claims =
        Files.write(directory.resolve("claims"), bytes(WHOLE.replaceFirst("3005", "3006")));
    assertThatThrownBy(() -> check(claims, other, false))
        .isInstanceOf(CorruptIndexException.class)
        .hasMessageContaining("frequencies sum to 5, expected 6");
  }

  private static long check(Path file, CiffHeader header, boolean exact) throws IOException {
    return CiffCheck.check(file, header, header.totalTerms(), exact, done -> {});
  }

  @Test
  void aFileThatIsRefusedIsNotKeptOpen() throws IOException {
    assertRefused("0C 0802 1002 1803 2002 2803 3005", "CIFF version 2");
    assertThat(OpenDescriptors.below(directory)).isEmpty();
  }

  @Test
  void messagesShowNoMoreThanTheBeginningOfATerm() {
    String list = "D301 0AC801 %s 1001 1802 22021002";
    assertRefused(
        HEADER + list.formatted("79".repeat(200)) + list.formatted("78".repeat(200)) + DOCUMENTS,
        "out of order: '%s'... after '%s'...;".formatted("x".repeat(64), "y".repeat(64)));
  }

  @Test
  void aFileThatEndsAnywhereIsRefusedWithTheOffset() throws IOException {
    byte[] whole = bytes(WHOLE);
    byte[] packed = gzip(whole);
    for (int length = 0; length < whole.length; length++) {
      assertDamaged(Arrays.copyOf(whole, length));
    }
    for (int length = 2; length < packed.length; length++) {
      byte[] cut = Arrays.copyOf(packed, length);
      assertThatThrownBy(() -> read(cut))
          .as("%d bytes", length)
          .isInstanceOf(MalformedCiffException.class)
          .hasMessageContaining(": before offset ")
          .hasMessageContaining("unexpected end of gzip data");
    }
  }

  @Test
  void gzipMayHaveMembersButNothingElseBehindThem() throws IOException {
    byte[] whole = bytes(WHOLE);
    for (int at : new int[] {1, 20, whole.length}) {
      byte[] members =
          Bytes.concat(
              gzip(Arrays.copyOf(whole, at)), gzip(Arrays.copyOfRange(whole, at, whole.length)));
      assertThat(read(members)).isEqualTo(read(whole));
      for (int more = 1; more < 40; more++) {
        byte[] followed = Bytes.concat(members, Arrays.copyOf(bytes("1F8B 41"), more));
        assertThatThrownBy(() -> read(followed))
            .as("%d bytes more", more)
            .isInstanceOf(MalformedCiffException.class)
            .hasMessageContaining("data after the last gzip member");
      }
    }
  }

  @Test
  void aBitThatFlipsGivesAnErrorOfTheFormatOrAnotherFile() throws IOException {
    byte[] whole = bytes(WHOLE);
    int refused = 0;
    for (int bit = 0; bit < 8 * whole.length; bit++) {
      byte[] flipped = whole.clone();
      flipped[bit / 8] ^= (byte) (1 << bit % 8);
      try {
        assertThat(read(flipped)).isNotEqualTo(read(whole));
      } catch (MalformedCiffException e) {
        assertThat(e).hasMessageContaining(": before offset ");
        refused++;
      }
    }
    assertThat(refused).isGreaterThan(4 * whole.length);
  }

  @Test
  void gzipOfWhichABitFlipsIsRefusedOrTheSame() throws IOException {
    byte[] packed = gzip(bytes(WHOLE));
    for (int bit = 16; bit < 8 * packed.length; bit++) {
      byte[] flipped = packed.clone();
      flipped[bit / 8] ^= (byte) (1 << bit % 8);
      try {
        assertThat(read(flipped)).isEqualTo(read(packed));
      } catch (MalformedCiffException e) {
        assertThat(e).hasMessageContaining(": before offset ");
      }
    }
  }

  private void assertRefused(String hex, String problem) {
    assertThatThrownBy(() -> read(bytes(hex)))
        .isInstanceOf(MalformedCiffException.class)
        .hasMessageContaining(directory.resolve("file") + ": before offset ")
        .hasMessageContaining(problem);
  }

  private void assertDamaged(byte[] bytes) {
    assertThatThrownBy(() -> read(bytes))
        .as("%d bytes", bytes.length)
        .isInstanceOf(MalformedCiffException.class)
        .hasMessageContaining(": before offset ");
  }

  /** Everything in a file, in words. */
  private List<String> read(byte[] bytes) throws IOException {
    Path file = Files.write(directory.resolve("file"), bytes);
    try (CiffReader reader = CiffReader.open(file)) {
      List<String> all = new ArrayList<>(CiffExporterTest.postings(reader.lists(0), 0));
      while (reader.nextDocument()) {
        String name = new String(reader.documentName(), StandardCharsets.UTF_8);
        all.add(name + " " + reader.documentLength());
      }
      all.add(reader.totalFrequency() + " " + reader.totalLength() + " " + reader.postings());
      all.add(reader.header().toString());
      return all;
    }
  }

  private static byte[] bytes(String hex) {
    return HexFormat.of().parseHex(hex.replace(" ", ""));
  }
}
