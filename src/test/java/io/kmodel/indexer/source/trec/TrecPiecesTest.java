package io.kmodel.indexer.source.trec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.Tier;
import io.kmodel.indexer.source.DecoderGuard;
import io.kmodel.indexer.source.Docno;
import io.kmodel.indexer.source.HeapGuard;
import io.kmodel.indexer.source.Members;
import io.kmodel.indexer.source.MetadataRequest;
import io.kmodel.indexer.source.RawDocument;
import io.kmodel.indexer.source.SkipListener;
import io.kmodel.indexer.source.SkipReason;
import io.kmodel.indexer.source.SourceReading;
import io.kmodel.indexer.source.Split;
import io.kmodel.indexer.source.record.RecordFile;
import io.kmodel.indexer.source.record.RecordStarts;
import io.kmodel.indexer.source.record.TrecTags;
import io.kmodel.indexer.source.unpack.Compression;
import io.kmodel.indexer.source.unpack.DocumentBuffer;
import io.kmodel.indexer.source.unpack.InputBytes;
import io.kmodel.indexer.source.unpack.RecordInput;
import io.kmodel.indexer.source.unpack.UnpackedPieces;
import io.kmodel.indexer.source.warc.Warcs;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.ZipException;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Packed files of TREC's documents, unpacked once for several threads. */
@Timeout(120)
class TrecPiecesTest extends UnpackedPieces {
  private static final int ROUNDS = Tier.pick(30, 120);

  /** What files are put together of, so that most kinds of nonsense come up. */
  private static final List<String> PARTS =
      List.of(
          "<DOC>",
          "\n<DOC>\n",
          "\n \t<doc>",
          "\n\uFEFF<DOC>",
          "\n" + " ".repeat(65) + "<DOC>",
          "</DOC>",
          "</DOC>\n",
          "<DOCNO>7</DOCNO>",
          "<DOCNO>",
          "<TEXT>a heron</TEXT>",
          "\n",
          " ",
          "\uFEFF",
          "no tag\n");

  /** What one reader has read. */
  private record Part(List<String> read, boolean stoppedInLine) {}

  @Test
  void whereverAFileIsCutItsPiecesAreTheWholeOrSayThatTheyAreNot() throws Exception {
    long seed = Long.getLong("seed", 21);
    Random choice = new Random(seed);
    int cuts = 0;
    int inLine = 0;
    for (int round = 0; round < ROUNDS; round++) {
      StringBuilder text = new StringBuilder();
      for (int i = choice.nextInt(30); i >= 0; i--) {
        text.append(PARTS.get(choice.nextInt(PARTS.size())));
      }
      byte[] file = Warcs.gzip(text.toString().getBytes(UTF_8));
      // Without its checksum it ends in damage, behind all of the text.
      file = choice.nextBoolean() ? file : Arrays.copyOf(file, file.length - 8);
      List<String> whole = part(file, 0, Long.MAX_VALUE).read();
      int length = text.toString().getBytes(UTF_8).length;
      for (int to = 1; to <= length; to++) {
        Part first = part(file, 0, to);
        List<String> both = new ArrayList<>(first.read());
        if (first.stoppedInLine()) {
          inLine++;
          assertThat(whole.subList(0, both.size())).isEqualTo(both);
          continue;
        }
        cuts++;
        both.addAll(part(file, to, Long.MAX_VALUE).read());
        assertThat(both).as("seed %d, cut at %d:%n%s", seed, to, text).isEqualTo(whole);
      }
    }
    assertThat(inLine).isGreaterThan(Tier.pick(75, 300));
    assertThat(cuts).isGreaterThan(inLine);
  }

  /** As the reader of a piece reads what is unpacked for it, who says once that it ends early. */
  private static Part part(byte[] file, int from, long to) throws Exception {
    List<String> read = new ArrayList<>();
    byte[] window = new byte[RecordInput.WINDOW_BYTES];
    InputBytes bytes = InputBytes.of(file, 0, file.length);
    try (RecordInput in =
        new RecordInput(bytes, Compression.GZIP, 1000, DecoderGuard.NOTHING, window)) {
      try {
        in.skip(Math.max(0, from - 1));
        if (from > 0 && !RecordStarts.trec(TrecTags.USUAL).nextLine(in)) {
          return new Part(read, false);
        }
      } catch (ZipException e) {
        return new Part(read, false);
      }
      SkipListener skips = (place, reason, detail) -> read.add(place + " " + reason + " " + detail);
      DocumentBuffer buffer = new DocumentBuffer(1000, HeapGuard.UNLIMITED);
      RecordFile.Extent extent = new RecordFile.Extent(0, RecordFile.Cells.OF_UNPACKED, to);
      RecordFile records = new RecordFile(new RecordFile.Name("a", "a"), in, skips, buffer, extent);
      TrecRecords trec = new TrecRecords(records, Docno.PATH, MetadataRequest.NONE, TrecTags.USUAL);
      try {
        for (RawDocument d = trec.next(); d != null; d = trec.next()) {
          String text = new String(d.bytes(), 0, d.length(), UTF_8);
          read.add(d.id() + " " + d.place() + " " + d.unit() + " " + text);
          buffer.clear();
        }
      } catch (ZipException e) {
        read.add("ends early");
      }
      return new Part(read, records.stoppedInLine());
    }
  }

  @Test
  void piecesOfGzipFilesAreTheWholeFile() throws Exception {
    write("a.trec.gz", gzip(documents("\n")));
    checkPieces();
  }

  @Test
  void piecesOfFilesOfManyMembersAreTheWholeFile() throws Exception {
    byte[] documents = documents("\n");
    for (Members members : List.of(Members.GZIP, Members.ZSTD)) {
      ByteArrayOutputStream file = new ByteArrayOutputStream();
      for (int at = 0; at < documents.length; ) {
        int to = Math.min(documents.length, at + 1 + random.nextInt(200_000));
        file.writeBytes(members.pack(Arrays.copyOfRange(documents, at, to)));
        at = to;
      }
      write("a.trec.packed", file.toByteArray());
      checkPieces();
    }
  }

  @Test
  void piecesOfABzip2FileAreTheWholeFile() throws Exception {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream out = new BZip2CompressorOutputStream(packed, 1)) {
      out.write(documents("\n"));
    }
    write("a.trec.bz2", packed.toByteArray());
    checkPieces();
  }

  /** None but the first starts a line, so the others' readers have nowhere to begin. */
  @Test
  void documentsThatStartWithinALineAreReadInOne() throws Exception {
    write("a.trec.gz", gzip(documents("")));
    SourceReading whole = read(Docno.PATH, Long.MAX_VALUE).getFirst();
    List<Split> splits = splits(Docno.PATH, TARGET);
    assertThat(splits).hasSizeGreaterThan(4);
    SourceReading first = new SourceReading(room());
    first.read(splits.getFirst());
    assertThat(first.missedBorders).isEqualTo(1);
    assertThat(first.docs).hasSizeLessThan(whole.docs.size()).isNotEmpty();
    SourceReading rest = new SourceReading(room());
    rest.read(splits.getFirst().withRest());
    assertThat(rest.missedBorders).isZero();
    assertThat(rest.docs).isEqualTo(whole.docs);
    assertThat(rest.places).isEqualTo(whole.places);
  }

  @Test
  void whatIsBehindDamageIsReportedOnce() throws Exception {
    byte[] file = gzip(documents("\n"));
    file[file.length / 2] ^= 0x55;
    file[file.length / 2 + 1] ^= 0x55;
    write("a.trec.gz", file);
    SourceReading whole = read(Docno.PATH, Long.MAX_VALUE).getFirst();
    assertThat(whole.reasons()).last().isEqualTo(SkipReason.DAMAGED);
    assertThat(whole.docs).hasSizeGreaterThan(1000);
    SourceReading all = join(read(Docno.PATH, TARGET));
    assertThat(all.missedBorders).isZero();
    assertThat(all.docs).isEqualTo(whole.docs);
    assertThat(all.skips.all()).isEqualTo(whole.skips.all());
  }

  /** Text that gzip cannot do much about, and some nonsense among it. */
  private byte[] documents(String between) {
    ByteArrayOutputStream documents = new ByteArrayOutputStream();
    for (int i = 0; i < LINES; i++) {
      String end = i % 97 == 5 ? "" : "</DOC>";
      String junk = i % 89 == 7 && !between.isEmpty() ? "junk\n  more\n" : "";
      String text =
          "<DOC><DOCNO>%d</DOCNO><TEXT>\n%s</TEXT>%s%s%s"
              .formatted(i, new String(line("x", random.nextInt(3000)), UTF_8), end, between, junk);
      documents.writeBytes(text.getBytes(UTF_8));
    }
    return documents.toByteArray();
  }

  private void checkPieces() throws Exception {
    SourceReading whole = read(Docno.PATH, Long.MAX_VALUE).getFirst();
    assertThat(whole.docs).hasSizeGreaterThan(1000);
    assertThat(whole.skips.all()).hasSizeGreaterThan(100);
    List<SourceReading> pieces = read(Docno.PATH, TARGET);
    assertThat(pieces).hasSizeGreaterThan(4);
    assertThat(pieces.stream().filter(piece -> !piece.docs.isEmpty())).hasSizeGreaterThan(3);
    SourceReading all = join(pieces);
    assertThat(all.missedBorders).isZero();
    assertThat(all.docs).isEqualTo(whole.docs);
    assertThat(all.places).isEqualTo(whole.places);
    assertThat(all.skips.all()).isEqualTo(whole.skips.all());
  }
}
