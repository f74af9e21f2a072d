package io.kmodel.indexer.source.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.kmodel.indexer.source.SourceReading;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Names of members that come once, as the terms of a sparse vector may. */
class JsonParsersTest {
  /** Each was copied with all before it, some thousand, for the next: 0.1 ms and more a line. */
  @Test
  void namesOfMembersThatAreNewInEveryLineAreForgotten() throws IOException {
    JsonParsers parsers = new JsonParsers();
    int most = 0;
    for (int line = 0; line < 2000; line++) {
      String name = "term" + line;
      byte[] bytes = "{\"id\": 1, \"%s\": 2}".formatted(name).getBytes(UTF_8);
      try (JsonParser json = parsers.parser(bytes, bytes.length)) {
        assertThat(json.nextToken()).isEqualTo(JsonToken.START_OBJECT);
        assertThat(json.nextFieldName()).isEqualTo("id");
        assertThat(json.nextIntValue(0)).isEqualTo(1);
        assertThat(json.nextFieldName()).isEqualTo(name);
        assertThat(json.nextIntValue(0)).isEqualTo(2);
      }
      most = Math.max(most, parsers.names());
    }
    assertThat(most).as("some are remembered").isBetween(100, 300);
  }

  @Test
  void linesWithManyNamesAreReadAsOthersAre(@TempDir Path root) throws Exception {
    StringBuilder lines = new StringBuilder();
    List<String> ids = new ArrayList<>();
    List<String> texts = new ArrayList<>();
    for (int line = 0; line < 300; line++) {
      lines.append("{\"id\": \"%d\", \"vector\": {".formatted(line));
      for (int i = 0; i < 20; i++) {
        lines.append("\"t\u00E9rm%d\": %d, ".formatted(20 * line + i, i));
      }
      lines.append("\"id\": 1}, \"title\": \"t\", \"contents\": \"heron %d\"}\n".formatted(line));
      ids.add(Integer.toString(line));
      texts.add("heron " + line);
    }
    Files.writeString(root.resolve("a.jsonl"), lines);
    SourceReading read = SourceReading.of(root);
    assertThat(read.ids()).isEqualTo(ids);
    assertThat(read.texts()).isEqualTo(texts);
    assertThat(read.skips.all()).isEmpty();
  }
}
