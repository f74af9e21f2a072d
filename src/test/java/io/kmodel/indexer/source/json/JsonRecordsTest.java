package io.kmodel.indexer.source.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.github.luben.zstd.Zstd;
import io.kmodel.indexer.source.ContentType;
import io.kmodel.indexer.source.Docno;
import io.kmodel.indexer.source.Format;
import io.kmodel.indexer.source.SkipReason;
import io.kmodel.indexer.source.SourceOptions;
import io.kmodel.indexer.source.SourceReading;
import io.kmodel.indexer.source.list.FileList;
import io.kmodel.indexer.source.record.RecordedSkips;
import io.kmodel.indexer.source.warc.Warcs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Objects of JSON that are no lines. */
class JsonRecordsTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final ObjectWriter PRETTY = MAPPER.writerWithDefaultPrettyPrinter();

  @TempDir Path root;

  @Test
  void objectsAreDocumentsWhateverIsBetweenThem() throws Exception {
    write(
        "a.json",
        """
        [
          {"id": "1", "contents": "one"},
          {
            "id": "2",
            "title": "A \\"title\\" with { and [",
            "contents": "two } of \\\\",
            "more": [{"id": "no"}, [1, 2], "}"]
          }
        ]
        """);
    write("b.json", "{\n \"_id\": 3,\n \"text\": \"three\"}\n{\n\"_id\": 4, \"text\": \"\"}");
    write(
        "c.json",
        "\uFEFF[{\"id\":\"5\",\"contents\":\"five\"}]\uFEFF[]\r\n"
            + "[{\"id\":\"6\",\"contents\":\"\"}]");
    SourceReading read = SourceReading.of(root);
    assertThat(read.skips.all()).isEmpty();
    assertThat(read.ids()).containsExactly("1", "2", "3", "4", "5", "6");
    assertThat(read.texts()).containsExactly("one", "two } of \\", "three", "", "five", "");
    assertThat(read.docs.get(1).title()).isEqualTo("A \"title\" with { and [");
    assertThat(read.docs).extracting(SourceReading.Doc::type).containsOnly(ContentType.PLAIN_TEXT);
    assertThat(SourceReading.of(root, SourceReading.docno(Docno.PATH)).ids())
        .startsWith("a.json#4", "a.json#38");
  }

  @Test
  void objectsOfAnyShapeAreThoseOfAFileOfLines() throws Exception {
    SplittableRandom random = new SplittableRandom(7);
    for (int round = 0; round < 20; round++) {
      List<Map<String, Object>> objects = new ArrayList<>();
      for (int i = 0; i < 1 + random.nextInt(30); i++) {
        objects.add(
            Map.of(
                "id", "d" + i,
                "title", text(random, 40),
                "contents", text(random, 1 << random.nextInt(18)),
                "more", Map.of("id", "x", "list", List.of(text(random, 9), List.of()))));
      }
      Path lines = Files.createDirectories(root.resolve("lines" + round));
      Path array = Files.createDirectories(root.resolve("array" + round));
      StringBuilder jsonl = new StringBuilder();
      for (Map<String, Object> object : objects) {
        jsonl.append(MAPPER.writeValueAsString(object)).append('\n');
      }
      Files.writeString(lines.resolve("a.jsonl"), jsonl);
      byte[] all = PRETTY.writeValueAsBytes(objects);
      switch (random.nextInt(4)) {
        case 0 -> Files.write(array.resolve("a.json.gz"), Warcs.gzip(all));
        case 1 -> Files.write(array.resolve("a.json.zst"), Zstd.compress(all));
        case 2 -> Files.write(array.resolve("a.json"), MAPPER.writeValueAsBytes(objects));
        default -> Files.write(array.resolve("a.json"), all);
      }
      SourceReading expected = SourceReading.of(lines);
      SourceReading read = SourceReading.of(array, SourceReading.format(Format.JSON));
      assertThat(expected.skips.all()).isEmpty();
      assertThat(read.skips.all()).isEmpty();
      assertThat(read.docs).as("round " + round).isEqualTo(expected.docs);
    }
  }

  /** A large file is not cut: where an object starts is not seen from its midst. */
  @Test
  void aLargeFileIsReadInOne() throws Exception {
    StringBuilder array = new StringBuilder("[\n");
    List<String> ids = new ArrayList<>();
    String text = "{\\\"id\\\": \\\"no\\\", \\\"contents\\\": \\\"no\\\"}\\n".repeat(400);
    while (array.length() < 3 * FileList.LARGE_BYTES) {
      ids.add("d" + ids.size());
      array.append(ids.size() == 1 ? "" : ",\n");
      array.append("{\"id\": \"%s\", \"contents\": \"%s\"}".formatted(ids.getLast(), text));
    }
    write("a.json", array.append("\n]").toString());
    SourceReading read = SourceReading.of(root, SourceOptions.DEFAULT, 1 << 20);
    assertThat(read.skips.all()).isEmpty();
    assertThat(read.ids()).isEqualTo(ids);
  }

  @Test
  void whatMakesNoSenseIsReportedAndTheOthersAreRead() throws Exception {
    String first = "[{\"id\": \"1\", \"contents\": \"one\"},\n";
    write(
        "a.json",
        first
            + "{\"id\": \"2\"}, {\"contents\": \"no id\"}, {\"id\": \"3\", \"contents\": bare}\n"
            + "\"text\", null, {\"id\": \"4\", \"contents\": \"four\"}]\n"
            + ", {\"id\": \"5\", \"contents\": \"five\"} ]");
    SourceReading read = SourceReading.of(root);
    assertThat(read.ids()).containsExactly("1", "4", "5");
    assertThat(read.skips.all().get(0).place()).endsWith("a.json at byte " + first.length());
    assertThat(details(read))
        .containsExactly(
            "record has no text; expected one of [contents, text, body, passage, segment,"
                + " Clean-Text]",
            "record has no id; expected one of [id, _id, pid, docid, doc_id, docno, ClueWeb22-ID]",
            "not a JSON object: Unrecognized token 'bare': was expecting (JSON String, Number (or"
                + " 'NaN'/'+INF'/'-INF'), Array, Object or token 'null', 'true' or 'false')",
            "bytes outside of an object",
            "bytes outside of an object",
            "bytes outside of an object",
            "bytes outside of an object");
    assertThat(read.reasons()).containsOnly(SkipReason.DAMAGED_RECORD);
  }

  @Test
  void whatEndsEarlyIsReported() throws Exception {
    String whole =
        "[{\"id\": \"1\", \"contents\": \"one\"}, {\"id\": \"2\", \"contents\": \"t\\\"wo\"}]";
    int firstEnd = whole.indexOf('}') + 1;
    int second = whole.indexOf('{', firstEnd);
    for (int length = 1; length <= whole.length(); length++) {
      write("a.json", whole.substring(0, length));
      SourceReading read = SourceReading.of(root, SourceReading.format(Format.JSON));
      int documents = length < firstEnd ? 0 : length < whole.length() - 1 ? 1 : 2;
      assertThat(read.ids()).as("length %d", length).hasSize(documents);
      if (length == whole.length()) {
        assertThat(read.skips.all()).isEmpty();
      } else {
        boolean between =
            length == 1 || (length >= firstEnd && length <= second) || length == whole.length() - 1;
        assertThat(details(read))
            .as("length %d", length)
            .containsExactly(
                between
                    ? "the file ends within an array"
                    : "the file ends within an object; everything after its start was skipped");
      }
    }
  }

  @Test
  void aQuoteTooFewOrTooManyCostsItsObject() throws Exception {
    for (String wrong :
        List.of(
            "{\"id\": \"x\", \"contents\": \"no end}",
            "{\"id\": \"x\", \"contents\": \"too \" many\"}",
            "{\"id\": \"x\", \"contents\": \"in two\nlines {\"}")) {
      StringBuilder array = new StringBuilder("[\n");
      for (int i = 0; i < 100; i++) {
        String right = "  {\"id\": \"d%d\",\n  \"contents\": \"text\"}".formatted(i);
        array.append(i == 3 ? wrong : right).append(i == 99 ? "\n" : ",\n");
      }
      write("a.json", array.append(']').toString());
      SourceReading read = SourceReading.of(root);
      assertThat(read.ids()).as(wrong).hasSize(99).doesNotContain("x", "d3").endsWith("d99");
      assertThat(details(read)).containsExactly("a string is not closed on its line");
    }
  }

  @Test
  void aBraceTooManyHidesTheRestAndThatIsSaid() throws Exception {
    write(
        "a.json",
        "[{\"id\": \"1\", \"contents\": \"one\"},\n{{\"id\": \"2\", \"contents\": \"two\"},\n"
            + "{\"id\": \"3\", \"contents\": \"three\"}]");
    SourceReading read = SourceReading.of(root);
    assertThat(read.ids()).containsExactly("1");
    assertThat(details(read))
        .containsExactly("the file ends within an object; everything after its start was skipped");
  }

  @Test
  void anObjectThatIsTooLargeIsNamedAndTheOthersAreRead() throws Exception {
    SourceOptions usual = SourceOptions.DEFAULT;
    SourceOptions small =
        new SourceOptions(Format.AUTO, usual.docno(), 100_000, usual.maxExpansion());
    write(
        "a.json",
        "[{\"id\": \"1\", \"contents\": \"one\"}, {\"id\": \"2\", \"contents\": \"%s\"}, {\"id\": \"3\", \"contents\": \"three\"}]"
            .formatted("{ long ".repeat(30_000)));
    SourceReading read = SourceReading.of(root, small);
    assertThat(read.ids()).containsExactly("1", "3");
    assertThat(read.reasons()).containsExactly(SkipReason.TOO_LARGE);
  }

  @Test
  void placesAreNamesOfTheirOwn() throws Exception {
    byte[] one =
        "[{\"id\": \"1\", \"contents\": \"one\"},\n{\"id\": \"2\", \"contents\": \"\"}]"
            .getBytes(UTF_8);
    Files.write(root.resolve("a.json.gz"), Warcs.concat(Warcs.gzip(one), Warcs.gzip(one)));
    List<String> ids = SourceReading.of(root, SourceReading.docno(Docno.PATH)).ids();
    assertThat(ids).hasSize(4);
    assertThat(new HashSet<>(ids)).hasSize(4);
  }

  private static List<String> details(SourceReading read) {
    return read.skips.all().stream().map(RecordedSkips.Skip::detail).toList();
  }

  private static String text(SplittableRandom random, int length) {
    return random
        .ints(random.nextInt(length + 1), 0, 12)
        .mapToObj(
            i ->
                i == 11 ? "\u00e9" : i == 10 ? "\uD83D\uDE00" : "{}[]\"\\,a \n".substring(i, i + 1))
        .collect(Collectors.joining());
  }

  private void write(String name, String content) throws Exception {
    Files.writeString(root.resolve(name), content);
  }
}
