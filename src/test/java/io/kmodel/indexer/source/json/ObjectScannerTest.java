package io.kmodel.indexer.source.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.Tier;
import io.kmodel.indexer.source.Docno;
import io.kmodel.indexer.source.JsonMembers;
import io.kmodel.indexer.source.lines.TextRecord;
import io.kmodel.indexer.source.record.DamagedRecordException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever the scanner reads, Jackson reads in the same way. */
class ObjectScannerTest {
  private static final UnusedMembers NONE = new UnusedMembers(List.of());

  private static final List<String> NAMES =
      List.of(
          "id", "_id", "docid", "contents", "text", "body", "title", "url", "headings", "other");
  private static final List<String> VALUES =
      List.of(
          "\"\"",
          "\"a plain text of some words\"",
          "\"caf\u00E9 \u4E00 \uD83D\uDE00\"",
          "\"\\\"quoted\\\" and \\\\ and \\/ \\b\\f\\n\\r\\t\"",
          "\"\\u0041\\u00e9\\u4e00\\uD83D\\ude00\\u0000\"",
          "\"half \\ud83d\"",
          "\"half \\ude00\\ud83d\"",
          "\"\\x\"",
          "\"\\u12g4\"",
          "\"a\tb\"",
          "7",
          "-12",
          "007",
          "1.5",
          "12345678901234567890",
          "null",
          "true",
          "false",
          "nul",
          "NaN",
          "[\"a\",\"b\"]",
          "{\"a\":1}");

  private static String described(TextRecord record) {
    return String.join(
        "|",
        record.type.toString(),
        record.id,
        record.uri,
        record.title,
        record.headings,
        new String(record.bytes, record.from, record.to - record.from, UTF_8));
  }

  private static String byJackson(Docno docno, byte[] object) {
    try {
      TextRecord record =
          JsonDocument.byJackson(docno, JsonMembers.USUAL, null, NONE).parse(object, object.length);
      return record == null ? "nothing" : described(record);
    } catch (DamagedRecordException e) {
      return "damaged";
    }
  }

  private static String object(Random random) {
    StringBuilder object = new StringBuilder("{");
    String blank = random.nextInt(4) == 0 ? " \t\r\n".substring(random.nextInt(4)) : "";
    int members = 1 + random.nextInt(6);
    for (int i = 0; i < members; i++) {
      // Usual values more often, so that many objects are read.
      int value = random.nextInt(3) == 0 ? random.nextInt(VALUES.size()) : random.nextInt(5);
      object.append(i == 0 ? blank : blank + "," + blank);
      object.append('"').append(NAMES.get(random.nextInt(NAMES.size()))).append('"');
      object.append(blank).append(':').append(blank).append(VALUES.get(value));
    }
    return object.append(blank).append('}').append(blank).toString();
  }

  @ParameterizedTest
  @EnumSource(Docno.class)
  void randomObjects(Docno docno) {
    Random random = new Random(20261128);
    ObjectScanner scanner = new ObjectScanner(docno, null, NONE);
    int read = 0;
    int objects = Tier.pick(5000, 200_000);
    for (int i = 0; i < objects; i++) {
      byte[] object = object(random).getBytes(UTF_8);
      for (int damage = random.nextInt(3) == 0 ? 1 + random.nextInt(3) : 0; damage > 0; damage--) {
        object[random.nextInt(object.length)] =
            (byte) "\"\\{}:,u \u0001x\u00FF7".charAt(random.nextInt(12));
      }
      TextRecord record = scanner.read(object, object.length);
      if (record != null) {
        read++;
        assertThat(described(record))
            .as("%s", new String(object, UTF_8))
            .isEqualTo(byJackson(docno, object));
      }
    }
    assertThat(read).isGreaterThan(objects / 20);
  }

  /** These are the usual ones; if the scanner left them to Jackson, nobody would notice. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"id\":\"d1\",\"contents\":\"some text\"}",
        "{ \"_id\" : 7 , \"title\" : \"a\" , \"text\" : \"\\u00e9\\n\\\"x\\\"\", \"metadata\" : null }",
        "{\"docid\":\"msmarco#1\",\"url\":\"u\",\"title\":\"t\",\"headings\":\"h\",\"body\":\"b\"}",
        "{\"id\":\"d\",\"contents\":\"caf\u00E9 \uD83D\uDE00 and much more than eight bytes\"}",
      })
  void usualObjectsAreReadByTheScanner(String object) {
    byte[] bytes = object.getBytes(UTF_8);
    TextRecord record = new ObjectScanner(Docno.TREC_ID, null, NONE).read(bytes, bytes.length);
    assertThat(record).isNotNull();
    assertThat(described(record)).isEqualTo(byJackson(Docno.TREC_ID, bytes));
  }

  /** Only the first bytes of the array are the object. */
  @Test
  void whatFollowsTheObjectIsNotRead() {
    byte[] bytes = "{\"id\":\"d\",\"text\":\"t\"}\"}".getBytes(UTF_8);
    ObjectScanner scanner = new ObjectScanner(Docno.TREC_ID, null, NONE);
    assertThat(scanner.read(bytes, bytes.length)).isNull();
    assertThat(scanner.read(bytes, bytes.length - 2)).isNotNull();
    for (int length = 1; length < bytes.length - 2; length++) {
      assertThat(scanner.read(bytes, length)).as("%d bytes", length).isNull();
    }
  }
}
