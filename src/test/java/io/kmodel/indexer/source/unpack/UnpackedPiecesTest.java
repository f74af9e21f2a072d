package io.kmodel.indexer.source.unpack;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.Tier;
import io.kmodel.indexer.source.Docno;
import io.kmodel.indexer.source.SourceReading;
import io.kmodel.indexer.source.Split;
import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Large packed files of lines, unpacked once for several threads. */
@Timeout(120)
class UnpackedPiecesTest extends UnpackedPieces {
  @Test
  void piecesOfAGzipFileOfOneMemberAreTheWholeFile() throws Exception {
    write("a.jsonl.gz", gzippedLines());
    checkPieces();
  }

  /** The place of a record in a member is that of the member, whoever reads it. */
  @Test
  void piecesOfAGzipFileOfManyMembersAreTheWholeFile() throws Exception {
    ByteArrayOutputStream members = new ByteArrayOutputStream();
    byte[] lines = lines(LINES);
    for (int at = 0; at < lines.length; ) {
      int to = Math.min(lines.length, at + 1 + random.nextInt(200_000));
      members.writeBytes(gzip(Arrays.copyOfRange(lines, at, to)));
      at = to;
    }
    write("a.jsonl.gz", members.toByteArray());
    checkPieces();
    SourceReading whole = read(Docno.PATH, Long.MAX_VALUE).getFirst();
    assertThat(join(read(Docno.PATH, TARGET)).docs).isEqualTo(whole.docs);
    assertThat(whole.ids()).doesNotHaveDuplicates().anyMatch(id -> id.contains("+"));
  }

  @Test
  void oneThreadReadsAPieceAfterTheOther() throws Exception {
    threads = 1;
    write("a.jsonl.gz", gzippedLines());
    checkPieces();
  }

  @Test
  void piecesOfAZstdFileAreTheWholeFile() throws Exception {
    write("a.jsonl.zst", zstd(lines(LINES), 0));
    checkPieces();
  }

  @Test
  void piecesOfABzip2FileAreTheWholeFile() throws Exception {
    write("a.tsv.bz2", bzip2(lines(LINES)));
    checkPieces();
  }

  @Test
  void withoutMemoryToUnpackAheadPiecesWaitForEachOther() throws Exception {
    ahead = new Limited(0);
    write("a.jsonl.gz", gzippedLines());
    checkPieces();
  }

  @Test
  void withLittleMemoryItIsGivenBackWhenTheFileIsRead() throws Exception {
    Limited limited = new Limited(3L << 20);
    ahead = limited;
    write("a.jsonl.gz", gzippedLines());
    checkPieces();
    assertThat(limited.taken).isZero();
    assertThat(limited.most).isPositive();
  }

  /** Blocks of bzip2 that wait leave some of the memory to them. */
  @Test
  void linesThatAreLongerThanAChunkFindMemoryBesideBlocksThatWait() throws Exception {
    Limited limited = new Limited(8L << 20);
    ahead = limited;
    ByteArrayOutputStream lines = new ByteArrayOutputStream();
    for (int i = 0; lines.size() < Tier.pick(12_000_000, 20_000_000); i++) {
      lines.writeBytes(line(Integer.toString(i), 2_700_000 + random.nextInt(1_300_000)));
    }
    write("a.jsonl.bz2", bzip2(lines.toByteArray()));
    SourceReading all = join(read(Docno.RECORD_ID, TARGET));
    assertThat(all.missedBorders).isZero();
    assertThat(all.docs).isEqualTo(read(Docno.RECORD_ID, Long.MAX_VALUE).getFirst().docs);
    assertThat(limited.taken).isZero();
  }

  @Test
  void aFileThatGrowsLessThanItsFirstBytesHasSplitsWithoutDocuments() throws Exception {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    for (int i = 0; i < 60; i++) {
      text.writeBytes(
          "{\"id\": \"s%d\", \"text\": \"%s\"}\n"
              .formatted(i, "word ".repeat(20_000))
              .getBytes(UTF_8));
    }
    text.writeBytes(lines(LINES));
    write("a.jsonl.gz", gzip(text.toByteArray()));
    checkPieces();
  }

  @Test
  void aDocumentIsInTheCellOfWhatIsUnpackedThatItStartsIn() throws Exception {
    byte[] lines = lines(LINES);
    write("a.jsonl.gz", gzip(lines));
    Files.write(root.resolve("b.txt"), "behind".getBytes(UTF_8));
    SourceReading whole = read(Docno.RECORD_ID, Long.MAX_VALUE).getFirst();
    List<Long> units = whole.docs.stream().map(SourceReading.Doc::unit).distinct().toList();
    assertThat(units).isSorted().hasSize(1 + (lines.length - 1) / (4 << 20) + 1);
  }

  private void checkPieces() throws Exception {
    SourceReading whole = read(Docno.RECORD_ID, Long.MAX_VALUE).getFirst();
    assertThat(whole.docs).hasSizeGreaterThan(1000);
    assertThat(whole.skips.all()).isEmpty();
    List<SourceReading> pieces = read(Docno.RECORD_ID, TARGET);
    assertThat(pieces).hasSizeGreaterThan(4);
    SourceReading all = join(pieces);
    assertThat(all.missedBorders).isZero();
    assertThat(all.docs).isEqualTo(whole.docs);
    assertThat(all.places).isEqualTo(whole.places);
    assertThat(all.skips.all()).isEmpty();
    if (!Tier.isThorough() && threads > 1) {
      return; // One of these tests reads pieces without claims in the quick tier.
    }
    SourceReading unclaimed = new SourceReading();
    for (Split split : splits(Docno.RECORD_ID, TARGET)) {
      unclaimed.read(split);
    }
    assertThat(unclaimed.docs).isEqualTo(whole.docs);
  }
}
