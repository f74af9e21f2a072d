package io.kmodel.indexer.index;

import static io.kmodel.indexer.index.IndexModel.CONTENTS;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.index.IndexModel.Posting;
import io.kmodel.indexer.index.model.IndexFiles;
import io.kmodel.indexer.store.SealedFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The bytes of the files, as the grammars in their writers' class docs have them. */
class IndexFormatTest {
  @Test
  void theWorkedExamplesOfTheGrammarsHold(@TempDir Path directory) throws IOException {
    IndexModel model = new IndexModel(8);
    model.add(
        CONTENTS,
        "ab".getBytes(UTF_8),
        List.of(new Posting(0, 1, 4), new Posting(5, 3, 4, 9, 309)));
    model.add(CONTENTS, "ac".getBytes(UTF_8), List.of(new Posting(7, 2, 0, 1)));
    model.write(directory);
    assertThat(body(directory, IndexFiles.DOCS)).isEqualTo("01 08 01");
    assertThat(body(directory, IndexFiles.POSITIONS)).isEqualTo("04 04 05 ac 02 00 01");
    assertThat(body(directory, IndexFiles.DICTIONARY))
        .startsWith("00 00 00 03 00 61 62 02 02 03 05 02 01 63 01 01 07 02")
        .contains("00 06 01 64 6f 63 2d 30 01 00 05 01 31 01 01 05 01 32 01 02");
    assertThat(body(directory, IndexFiles.TERM_INDEX))
        .isEqualTo(
            "00"
                + " 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"
                + " 01 00 00 00 00 00 00 00 3f 00 00 00 00 00 00 00"
                + " 0a 00 00 00 00 00 00 00");
    assertThat(body(directory, "lengths.contents")).isEqualTo("01 00 00 00 00 03 00 02");
    assertThat(body(directory, IndexFiles.DOCUMENT_INDEX))
        .startsWith("00 00 00 00 00 00 00 00 00 00 00 00 08 00 00 00");
  }

  @Test
  void aListOfMoreThanABlockEndsWithItsSkipTable(@TempDir Path directory) throws IOException {
    IndexModel model = new IndexModel(600);
    List<Posting> postings =
        IntStream.range(0, 257).mapToObj(d -> new Posting(2 * d, 1, 5)).toList();
    model.add(CONTENTS, "a".getBytes(UTF_8), postings);
    model.write(directory);
    assertThat(body(directory, IndexFiles.DOCS))
        .isEqualTo(
            // Gaps of 2 but for the first: one bit each, eight lanes of 32.
            "01 00 fe ff ff ff"
                + " ff ff ff ff".repeat(7)
                // Frequencies of 1, then the document after the block.
                + " 00 00 03"
                // Document 510, 36 bytes of documents, 98 bytes of positions and none of the next.
                + " fe 01 24 62 00"
                + " 62 12 01");
    assertThat(bytes(directory, IndexFiles.POSITIONS)).hasSize(99).startsWith(3, 0).endsWith(5);
  }

  /** {@link IndexModel#start} and {@link IndexModel#end} say what offsets positions have. */
  @Test
  void offsetsStandBesideTheirPositions(@TempDir Path directory) throws IOException {
    IndexModel model = new IndexModel(600);
    model.add(
        IndexModel.WHERE,
        "a".getBytes(UTF_8),
        List.of(new Posting(0, 1, 40), new Posting(5, 2, 5, 300)));
    List<Posting> postings =
        IntStream.range(0, 257).mapToObj(d -> new Posting(2 * d, 1, 20)).toList();
    model.add(IndexModel.WHERE, "b".getBytes(UTF_8), postings);
    model.write(directory);
    assertThat(body(directory, IndexFiles.POSITIONS))
        // 40 at 20 to 27; 5 at 2 to 7, 300 at 150 to 153.
        .startsWith("28 29 07 05 05 05 a7 02 a9 02 03")
        // 256 positions 20 of five bits, as many starts 10 of four; all lengths are 9.
        .matches(".{33}05 00 (.. ){160}04 00 (aa ){128}09 00 00 14 15 09");
  }

  @Test
  void lengthsAreAsWideAsTheLongestNeeds(@TempDir Path directory) throws IOException {
    for (int longest : new int[] {255, 256, 65_535, 65_536, Integer.MAX_VALUE}) {
      IndexModel model = new IndexModel(2);
      model.add(
          IndexModel.TITLE,
          "t".getBytes(UTF_8),
          List.of(new Posting(0, 3), new Posting(1, longest)));
      Path index = directory.resolve("index-" + longest);
      model.write(index);
      int width = longest <= 255 ? 1 : longest <= 65_535 ? 2 : 4;
      assertThat(bytes(index, "lengths.title")).hasSize(2 * width);
      try (InvertedIndex opened = InvertedIndex.open(index)) {
        assertThat(opened.length(IndexModel.TITLE, 0)).isEqualTo(3);
        assertThat(opened.length(IndexModel.TITLE, 1)).isEqualTo(longest);
      }
    }
  }

  private static String body(Path directory, String name) throws IOException {
    return HexFormat.ofDelimiter(" ").formatHex(bytes(directory, name));
  }

  private static byte[] bytes(Path directory, String name) throws IOException {
    return SealedFiles.body(directory.resolve(name), IndexFiles.format(name));
  }
}
