package io.kmodel.indexer.source.json;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.Tier;
import io.kmodel.indexer.source.Docno;
import io.kmodel.indexer.source.Format;
import io.kmodel.indexer.source.JsonCounts;
import io.kmodel.indexer.source.JsonCounts.Unsure;
import io.kmodel.indexer.source.JsonMembers;
import io.kmodel.indexer.source.MetadataRequest;
import io.kmodel.indexer.source.SourceOptions;
import io.kmodel.indexer.source.SparseVector;
import io.kmodel.indexer.source.WeightScale;
import io.kmodel.indexer.source.lines.TextRecord;
import io.kmodel.indexer.source.record.DamagedRecordException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Objects with named members, metadata, lists and nested objects: whatever is read by bytes,
 * Jackson reads in the same way, and what Jackson refuses is refused for its reason.
 */
class ScannedObjectsTest {
  /** Options that name members in all ways: of objects, of lists, several for a part, or none. */
  private record Kind(SourceOptions options, @Nullable WeightScale weights) {
    static final Kind USUAL = of("", MetadataRequest.NONE);
    static final Kind METADATA =
        of(
            "",
            new MetadataRequest(true, true, ImmutableList.of("a.b", "id", "contents", "b", "c")));
    static final ImmutableList<Kind> ALL =
        ImmutableList.of(
            USUAL,
            METADATA,
            of("id=doi,a.b contents=b,contents,c title=title,a.b", MetadataRequest.NONE),
            of(
                "contents=a.b,a.c,b url=c",
                new MetadataRequest(true, false, ImmutableList.of("a", "b.a", "vector"))),
            vectors(new MetadataRequest(false, true, ImmutableList.of("a.b", "c"))));

    /** Objects with vectors, whose weights are whole. */
    static Kind vectors(MetadataRequest metadata) {
      return new Kind(options(Format.VECTORS, "", metadata), WeightScale.NONE);
    }

    static Kind of(String named, MetadataRequest metadata) {
      return new Kind(options(Format.JSONL, named, metadata), null);
    }

    private static SourceOptions options(Format format, String named, MetadataRequest metadata) {
      SourceOptions usual = SourceOptions.DEFAULT;
      return new SourceOptions(
              format,
              usual.docno(),
              named.isEmpty()
                  ? JsonMembers.USUAL
                  : JsonMembers.parse(ImmutableList.copyOf(named.split(" "))),
              usual.maxDocumentBytes(),
              usual.maxExpansion(),
              usual.maxNesting())
          .withMetadata(metadata);
    }

    ObjectScanner scanner(UnusedMembers unused) {
      return new ObjectScanner(
          options.docno(), options.json(), weights, options.metadata(), unused);
    }

    TextRecord.Parser byJackson(UnusedMembers unused) {
      return MetadataMembers.with(
          options.metadata(),
          JsonDocument.byJackson(options.docno(), options.json(), weights, unused));
    }
  }

  private static String described(TextRecord record) {
    return String.join(
        "|",
        record.type.toString(),
        record.id,
        record.uri,
        record.title,
        record.headings,
        new String(record.bytes, record.from, record.to - record.from, UTF_8),
        described(record.vector),
        record.metadata.toString());
  }

  private static String described(@Nullable SparseVector vector) {
    StringBuilder entries = new StringBuilder();
    for (int i = 0; vector != null && i < vector.size(); i++) {
      String term = new String(vector.bytes(i), vector.start(i), vector.length(i), UTF_8);
      entries.append(term).append('=').append(vector.weight(i)).append(' ');
    }
    return entries.toString();
  }

  private static String outcome(TextRecord.Parser parser, byte[] object) {
    try {
      TextRecord record = parser.parse(object, object.length);
      return record == null ? "nothing" : described(record);
    } catch (DamagedRecordException e) {
      return "damaged: " + e.getMessage();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4})
  void randomObjects(int number) {
    Kind kind = Kind.ALL.get(number);
    Random random = new Random(20261129 + number);
    RandomObjects made = new RandomObjects(random);
    UnusedMembers scanned = new UnusedMembers(List.of());
    UnusedMembers expected = new UnusedMembers(List.of());
    ObjectScanner scanner = kind.scanner(scanned);
    // Names with damage would use up the room for names.
    ObjectScanner ofDamaged = kind.scanner(new UnusedMembers(List.of()));
    TextRecord.Parser byJackson = kind.byJackson(expected);
    int objects = Tier.pick(4000, 500_000);
    int read = 0;
    for (int i = 0; i < objects; i++) {
      byte[] object = made.object(kind.weights != null).getBytes(UTF_8);
      boolean isDamaged = random.nextInt(4) == 0;
      if (isDamaged) {
        made.damage(object);
      }
      TextRecord record = (isDamaged ? ofDamaged : scanner).read(object, object.length);
      if (record != null) {
        read++;
        String by = described(record);
        assertThat(by).as("%s", new String(object, UTF_8)).isEqualTo(outcome(byJackson, object));
        if (!isDamaged) {
          scanned.count();
          expected.count();
        }
      }
    }
    assertThat(read).isGreaterThan(objects / 4).isLessThan(objects);
    assertThat(scanned.take()).isEqualTo(expected.take()).isNotEmpty();
  }

  /**
   * If one of these were left to Jackson, a collection in this form would take five times as long.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0|{\"id\":1,\"contents\":\"t\",\"score\":1.25,\"metadata\":{\"a\":[{},[],null,NaN]}}|t",
        "0|{\"_id\":\"1\",\"title\":\"x\",\"text\":\"caf\u00E9 \\u00e9\\n\",\"metadata\":{}}|caf\u00E9 \u00E9\\n",
        "0|{\"id\":\"1\",\"text\":[\"a\",null,\"b\\n\",\"\"]}|a\\nb\\n\\n",
        "0|{\"id\":\"1\",\"title\":null,\"text\":null,\"body\":\"b\"}|b",
        "0|{\"id\":true,\"text\":NaN}|",
        "2|{\"doi\":\"1\",\"c\":\"z\",\"b\":[\"x\",\"y\"]}|x\\ny\\nz",
        "3|{\"id\":\"1\",\"a\":[{\"b\":\"x\",\"c\":\"z\"},{\"b\":[\"y\"]}],\"b\":7}|x\\ny\\nz\\n7",
        "3|{\"id\":\"1\",\"a.b\":\"flat\",\"a\":{\"date\":1}}|flat",
      })
  void usualFormsAreReadByBytes(int number, String object, String text) {
    Kind kind = Kind.ALL.get(number);
    byte[] bytes = object.getBytes(UTF_8);
    TextRecord record = kind.scanner(new UnusedMembers(List.of())).read(bytes, bytes.length);
    assertThat(record).isNotNull();
    assertThat(new String(record.bytes, record.from, record.to - record.from, UTF_8))
        .isEqualTo(text == null ? "" : text.replace("\\n", "\n"));
    assertThat(described(record))
        .isEqualTo(outcome(kind.byJackson(new UnusedMembers(List.of())), bytes));
  }

  @Test
  void metadataIsReadByBytes() {
    byte[] object =
        "{\"id\":\"1\",\"date\":\"\",\"a\":[{\"b\":null},{\"b\":\" x\\u00e9 \"}],\"published\":2020,\"lang\":\"en\",\"contents\":\"t\"}"
            .getBytes(UTF_8);
    TextRecord record =
        Kind.METADATA.scanner(new UnusedMembers(List.of())).read(object, object.length);
    assertThat(record).isNotNull();
    assertThat(record.metadata.date()).isEqualTo("2020");
    assertThat(record.metadata.language()).isEqualTo("en");
    assertThat(record.metadata.named()).containsExactly("x\u00E9", "1", "t", "", "");
  }

  private static void assertSame(byte[] object, boolean isRead) {
    Kind kind = Kind.USUAL;
    UnusedMembers unused = new UnusedMembers(List.of());
    TextRecord record = kind.scanner(unused).read(object, object.length);
    String expected = outcome(kind.byJackson(unused), object);
    String shown = new String(object, ISO_8859_1);
    if (record != null) {
      assertThat(described(record)).as(shown).isEqualTo(expected);
    }
    if (isRead) {
      assertThat(record).as(shown).isNotNull();
    }
    assertThat(outcome(JsonDocument.parser(kind.options, unused, new JsonCounts()), object))
        .as(shown)
        .isEqualTo(expected);
  }

  /** In each place of eight bytes, in strings that are read and in those that are not. */
  @ParameterizedTest
  @ValueSource(strings = {"contents", "other"})
  void everyEscapeAtEveryPlace(String name) {
    String start = "{\"id\":\"1\",\"contents\":\"\",\"%s\":\"".formatted(name);
    for (int escaped = 0; escaped < 0x80; escaped++) {
      for (int place = 0; place < 9; place++) {
        String string = "x".repeat(place) + "\\" + (char) escaped + "0041" + "y".repeat(9 - place);
        boolean isRead = "\"\\/bfnrtu".indexOf(escaped) >= 0 && escaped != '"';
        assertSame((start + string + "\"}").getBytes(UTF_8), isRead);
      }
    }
    for (int unit = 0; unit < 0x10000; unit += Tier.pick(0x101, 1)) {
      boolean isHalf = Character.isSurrogate((char) unit);
      String object = start + "xy\\u%04X z\"}".formatted(unit);
      assertSame(object.getBytes(UTF_8), !isHalf || name.equals("other"));
      String ahead = start + "xy\\u%04x\\uDE00 z\"}".formatted(unit);
      assertSame(
          ahead.getBytes(UTF_8), Character.isHighSurrogate((char) unit) || name.equals("other"));
      String behind = start + "xy\\ud83D\\u%04x z\"}".formatted(unit);
      assertSame(
          behind.getBytes(UTF_8), Character.isLowSurrogate((char) unit) || name.equals("other"));
    }
  }

  /** Each first byte with second ones at the borders, and each cut, within and after ASCII. */
  @Test
  void everyKindOfUtf8AtEveryPlace() {
    int[] seconds = {0x00, 0x22, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xFF};
    for (String name : List.of("contents", "other")) {
      for (int lead = 0x80; lead < 0x100; lead++) {
        for (int second : seconds) {
          for (int more = 0; more < 4; more++) {
            int place = Tier.pick(lead % 9, more == 3 ? 8 : 0);
            String character =
                (char) lead + "" + (char) second + "\u0080\u00BF\u0080".substring(0, more);
            String object =
                "{\"id\":\"1\",\"contents\":\"\",\"%s\":\"%s%s%s\"}"
                    .formatted(name, "x".repeat(place), character, "\\n".repeat(place % 2));
            byte[] bytes = object.getBytes(ISO_8859_1);
            assertSame(bytes, Arrays.equals(new String(bytes, UTF_8).getBytes(UTF_8), bytes));
          }
        }
      }
    }
    for (int point = 0x80; point <= Character.MAX_CODE_POINT; point += Tier.pick(0x111, 1)) {
      if (point < 0xD800 || point > 0xDFFF) {
        String object =
            "{\"id\":\"1\",\"contents\":\"\\n%s\"}".formatted(Character.toString(point));
        byte[] bytes = object.getBytes(UTF_8);
        TextRecord record =
            Kind.USUAL.scanner(new UnusedMembers(List.of())).read(bytes, bytes.length);
        assertThat(record).as(object).isNotNull();
        assertThat(described(record)).contains("|\n" + Character.toString(point) + "|");
      }
    }
  }

  @Test
  void everyTruncationAndEveryOrder() {
    List<String> members =
        new ArrayList<>(
            List.of(
                "\"id\":\"d\\u0031\"",
                "\"contents\":\"caf\u00E9 \\ud83d\\ude00 \uD83D\uDE00\"",
                "\"title\":[\"a\",\"b\"]",
                "\"other\":{\"x\":[1.5e3,{\"y\":null}]}",
                "\"id\":7",
                "\"text\":\"\""));
    Random random = new Random(3);
    for (int round = 0; round < Tier.pick(20, 500); round++) {
      Collections.shuffle(members, random);
      byte[] object = ("{" + String.join(", ", members) + "}").getBytes(UTF_8);
      assertSame(object, true);
      for (int length = 0; length < object.length; length++) {
        ObjectScanner scanner = Kind.USUAL.scanner(new UnusedMembers(List.of()));
        assertThat(scanner.read(object, length)).as("%d bytes", length).isNull();
      }
    }
  }

  @Test
  void whatIsHandedOverIsCountedByReason() throws Exception {
    JsonCounts counts = new JsonCounts();
    TextRecord.Parser parser =
        JsonDocument.parser(SourceOptions.DEFAULT, new UnusedMembers(List.of()), counts);
    String deep = "[".repeat(65) + "]".repeat(65);
    List<String> objects =
        List.of(
            "{\"id\":1,\"text\":\"t\"}",
            "{\"id\":1,\"text\":\"t\",\"n\\u0061me\":2}",
            "{\"id\":1,\"text\":\"t\",\"%s\":2}".formatted("n".repeat(1001)),
            "{\"id\":1,\"text\":\"\\ud83d\"}",
            "{\"id\":1,\"text\":\"t\",\"x\":%s}".formatted(deep),
            "{\"id\":1,\"text\":\"t\",\"x\":1%s}".formatted("0".repeat(100)),
            "{\"id\":1,\"title\":{},\"text\":\"t\"}");
    for (String object : objects) {
      byte[] bytes = object.getBytes(UTF_8);
      assertThat(parser.parse(bytes, bytes.length)).as(object).isNotNull();
    }
    outcome(parser, "{\"id\":1}".getBytes(UTF_8));
    outcome(parser, "{\"id\":1,}".getBytes(UTF_8));
    outcome(parser, "{\"id\":1,\"text\":\"\u00FF\"}".getBytes(ISO_8859_1));
    assertThat(counts.fast()).isEqualTo(1);
    assertThat(counts.jackson()).isEqualTo(9);
    assertThat(counts.unsure())
        .containsEntry(Unsure.NAME, 2L)
        .containsEntry(Unsure.HALF_SURROGATE, 1L)
        .containsEntry(Unsure.DEPTH, 1L)
        .containsEntry(Unsure.NUMBER, 1L)
        .containsEntry(Unsure.STRUCTURE, 1L)
        .containsEntry(Unsure.MALFORMED, 1L)
        .containsEntry(Unsure.INVALID_UTF_8, 1L)
        .containsEntry(Unsure.INCOMPLETE, 1L)
        .doesNotContainKey(Unsure.VECTOR);
  }

  @Test
  void anUnusualVectorIsHandedOver() throws Exception {
    MetadataRequest metadata = new MetadataRequest(false, false, ImmutableList.of("vector.fox"));
    for (Kind kind : List.of(Kind.vectors(MetadataRequest.NONE), Kind.vectors(metadata))) {
      JsonCounts counts = new JsonCounts();
      TextRecord.Parser parser =
          JsonDocument.parser(kind.options, new UnusedMembers(List.of()), counts);
      byte[] object = "{\"id\":\"1\",\"vector\":{\"fox\":7}}".getBytes(UTF_8);
      TextRecord record = parser.parse(object, object.length);
      assertThat(record).isNotNull();
      assertThat(described(record.vector)).isEqualTo("fox=7 ");
      boolean isPlain = kind.options.metadata().isEmpty();
      assertThat(record.metadata.named()).isEqualTo(isPlain ? List.of() : List.of("7"));
      outcome(parser, "{\"id\":\"1\",\"vector\":{\"fox\":0.5}}".getBytes(UTF_8));
      outcome(parser, "{\"id\":\"1\",\"vector\":{\"\u00FF\":1}}".getBytes(ISO_8859_1));
      assertThat(counts.fast()).isEqualTo(isPlain ? 1 : 0);
      assertThat(counts.unsure())
          .isEqualTo(
              isPlain
                  ? Map.of(Unsure.VECTOR, 1L, Unsure.INVALID_UTF_8, 1L)
                  : Map.of(Unsure.VECTOR, 3L));
    }
  }

  /** Jackson refuses longer names than these, which are left to it. */
  @Test
  void longNamesAndManyListsHaveJacksonsLimits() {
    for (String object :
        List.of(
            "{\"id\":1,\"text\":\"t\",\"%s\":2}".formatted("n".repeat(60_000)),
            "{\"id\":1,\"text\":\"t\",\"x\":%s}".formatted("[".repeat(1_001) + "]".repeat(1_001)),
            "{\"id\":1,\"text\":\"t\",\"x\":1%s}".formatted("0".repeat(1_001)))) {
      byte[] bytes = object.getBytes(UTF_8);
      assertSame(bytes, false);
      assertThat(
              outcome(
                  JsonDocument.parser(
                      Docno.TREC_ID,
                      JsonMembers.USUAL,
                      (WeightScale) null,
                      new UnusedMembers(List.of())),
                  bytes))
          .startsWith("damaged: ");
    }
  }
}
