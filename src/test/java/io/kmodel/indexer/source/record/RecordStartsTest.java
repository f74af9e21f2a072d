package io.kmodel.indexer.source.record;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.source.unpack.InputBytes;
import io.kmodel.indexer.source.unpack.RecordInput;
import io.kmodel.indexer.source.warc.Warcs;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where records start in files that are not compressed ({@link MemberSearchTest} has those). */
class RecordStartsTest {
  @TempDir Path root;

  @ParameterizedTest
  @CsvSource({
    "<DOC>, true",
    "<DOC id=1>, true",
    "'  <DOC	>', true",
    "<DOC, false",
    "<DOCNO>, false",
    "<doc>, false",
    "a <DOC>, false"
  })
  void aDocumentOfTrecStartsWithItsTag(String line, boolean starts) {
    byte[] bytes = (line + "\n").getBytes(US_ASCII);
    int length = line.equals("<DOC") ? line.length() : bytes.length;
    assertThat(RecordStarts.trec(TrecTags.USUAL).matches(bytes, 0, length)).isEqualTo(starts);
  }

  @Test
  void aDocumentOfTrecIsFoundBehindAByteOrderMark() throws Exception {
    byte[] first = "<DOC><DOCNO>1</DOCNO></DOC>\n".getBytes(US_ASCII);
    byte[] second = "\uFEFF \t<DOC><DOCNO>2</DOCNO></DOC>\n".getBytes(UTF_8);
    Path file = Files.write(root.resolve("a"), Warcs.concat(first, second));
    try (FileChannel channel = FileChannel.open(file)) {
      RecordStarts starts = RecordStarts.trec(TrecTags.USUAL);
      assertThat(starts.atOrAfter(RecordInput.plain(InputBytes.of(channel)), 1))
          .isEqualTo(first.length);
    }
  }
}
