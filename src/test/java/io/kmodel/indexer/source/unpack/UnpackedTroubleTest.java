package io.kmodel.indexer.source.unpack;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.Tier;
import io.kmodel.indexer.source.Docno;
import io.kmodel.indexer.source.SkipReason;
import io.kmodel.indexer.source.SourceReading;
import io.kmodel.indexer.source.Split;
import io.kmodel.indexer.source.list.FileList;
import io.kmodel.indexer.source.warc.Warcs;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The same where something is wrong with the file, or there is not enough memory. */
@Timeout(120)
class UnpackedTroubleTest extends UnpackedPieces {
  /** Its claim would keep all that is unpacked from there on. */
  @Test
  void aPieceThatCannotBeOpenedHoldsUpNobody() throws Exception {
    ahead = new Limited(2 << 20);
    write("a.jsonl.gz", gzippedLines());
    SourceReading whole = read(Docno.RECORD_ID, Long.MAX_VALUE).getFirst();
    List<Split> splits = splits(Docno.RECORD_ID, TARGET);
    Path file = root.resolve("a.jsonl.gz");
    Path away = root.resolveSibling("away");
    splits.getFirst().claim();
    splits.get(1).claim();
    Files.move(file, away);
    SourceReading missed = new SourceReading(room());
    missed.read(splits.get(1));
    Files.move(away, file);
    SourceReading first = new SourceReading(room());
    first.read(splits.getFirst());
    assertThat(missed.missedBorders).isEqualTo(1);
    assertThat(missed.docs).isEmpty();
    assertThat(join(read(splits.subList(2, splits.size()))).missedBorders).isZero();
    List<SourceReading> rest = read(List.of(splits.get(1).withRest()));
    assertThat(join(List.of(first, rest.getFirst())).docs).isEqualTo(whole.docs);
  }

  @Test
  void aFileThatWasCutOffSinceItWasListedIsReportedOnce() throws Exception {
    byte[] packed = gzippedLines();
    write("a.jsonl.gz", packed);
    List<Split> splits = splits(Docno.RECORD_ID, TARGET);
    Files.write(root.resolve("a.jsonl.gz"), Arrays.copyOf(packed, packed.length / 2));
    SourceReading pieces = join(read(splits));
    assertThat(pieces.docs).hasSizeGreaterThan(1000);
    assertThat(pieces.reasons()).containsExactly(SkipReason.DAMAGED);
  }

  /** As the places of members are kept in the heap. */
  @Test
  void aFileOfVerySmallMembersIsReadByOne() throws Exception {
    ByteArrayOutputStream members = new ByteArrayOutputStream();
    for (int i = 0; members.size() < FileList.LARGE_BYTES; i++) {
      members.writeBytes(
          stored("{\"id\": \"%d\", \"text\": \"a\"}\n".formatted(i).getBytes(UTF_8)));
    }
    write("a.jsonl.gz", members.toByteArray());
    SourceReading whole = read(Docno.PATH, Long.MAX_VALUE).getFirst();
    assertThat(whole.skips.all()).isEmpty();
    List<Split> splits = splits(Docno.PATH, 1 << 20);
    assertThat(splits).hasSizeGreaterThan(1);
    assertThat(read(splits).getFirst().missedBorders).isEqualTo(1);
    assertThat(read(List.of(splits.getFirst().withRest())).getFirst().docs).isEqualTo(whole.docs);
  }

  /** A gzip member whose content is as it was. */
  private static byte[] stored(byte[] content) {
    CRC32 checksum = new CRC32();
    checksum.update(content);
    ByteBuffer member = ByteBuffer.allocate(23 + content.length).order(ByteOrder.LITTLE_ENDIAN);
    member.putInt(0x00088B1F).putInt(0).putShort((short) 0);
    member.put((byte) 1).putShort((short) content.length).putShort((short) ~content.length);
    return member.put(content).putInt((int) checksum.getValue()).putInt(content.length).array();
  }

  @Test
  void whereTheFileIsDamagedItEndsAsItDoesForOneReaderAndIsReportedOnce() throws Exception {
    List<byte[]> files = new ArrayList<>(List.of(gzippedLines(), zstd(lines(LINES), 0)));
    if (Tier.isThorough()) {
      files.add(bzip2(lines(LINES)));
    }
    for (byte[] packed : files) {
      for (int i = 0; i < 5; i += Tier.pick(3, 1)) {
        byte[] damaged = packed.clone();
        int at = packed.length / 5 * i + random.nextInt(1000) + 100;
        if (i % 2 == 0) {
          damaged[at] ^= 0x10;
        } else {
          damaged = Arrays.copyOf(packed, Math.max(at, (int) FileList.LARGE_BYTES));
        }
        write("a.jsonl.any", damaged);
        SourceReading whole = read(Docno.RECORD_ID, Long.MAX_VALUE).getFirst();
        SourceReading pieces = join(read(Docno.RECORD_ID, TARGET));
        assertThat(whole.reasons()).contains(SkipReason.DAMAGED);
        // What others say of damage has no offset, and of zstd all is one frame.
        boolean gzip = Compression.of(packed, 0, packed.length) == Compression.GZIP;
        assertThat(whole.skips.all().getLast().place().endsWith(" at byte 0")).isEqualTo(gzip);
        assertThat(pieces.missedBorders).isZero();
        assertThat(pieces.docs).isEqualTo(whole.docs);
        assertThat(pieces.skips.all()).isEqualTo(whole.skips.all());
      }
    }
  }

  @Test
  void damageExactlyWhereAPieceBeginsIsReportedOnce() throws Exception {
    for (boolean lineEndsThere : new boolean[] {true, false}) {
      byte[] lines = lines(LINES);
      int border = 4 << 20;
      byte[] before = Arrays.copyOf(lines, border);
      if (lineEndsThere) {
        before[border - 1] = '\n';
        before[border - 2] = '}';
        before[border - 3] = '"';
      } else {
        before[border - 1] = 'x';
      }
      byte[] behind = gzip(Arrays.copyOfRange(lines, border, lines.length));
      behind[20] ^= 1;
      behind[0] = 0;
      write("a.jsonl.gz", Warcs.concat(gzip(before), behind));
      SourceReading whole = read(Docno.RECORD_ID, Long.MAX_VALUE).getFirst();
      SourceReading pieces = join(read(Docno.RECORD_ID, TARGET));
      assertThat(whole.reasons()).contains(SkipReason.DAMAGED);
      assertThat(pieces.docs).isEqualTo(whole.docs);
      assertThat(pieces.skips.all()).isEqualTo(whole.skips.all());
    }
  }

  /** All of it lies behind a border, so it would have to be kept for the next piece. */
  @Test
  void aLineThatIsLongerThanTheMemoryAheadHasTheRestReadByOne() throws Exception {
    ahead = new Limited(1 << 20);
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    text.writeBytes(lines(LINES / 2));
    text.writeBytes(line("long", 12 << 20));
    text.writeBytes(lines(LINES / 2));
    write("a.jsonl.gz", gzip(text.toByteArray()));
    checkMended();
  }

  /** As the decoder takes memory of the thread alone that reads it, that may have it. */
  @Test
  void aDecoderThatLaterWantsMoreThanIsUsualHasTheRestReadByOne() throws Exception {
    byte[] lines = lines(LINES);
    int half = lines.length / 2;
    write(
        "a.jsonl.zst",
        Warcs.concat(
            zstd(Arrays.copyOf(lines, half), 0),
            zstd(Arrays.copyOfRange(lines, half, lines.length), 27)));
    checkMended();
  }

  /** Reads in the way that a build mends borders. */
  private void checkMended() throws Exception {
    SourceReading whole = read(Docno.RECORD_ID, Long.MAX_VALUE).getFirst();
    assertThat(whole.skips.all()).isEmpty();
    List<Split> splits = splits(Docno.RECORD_ID, TARGET);
    List<SourceReading> pieces = read(splits);
    int missed = 0;
    while (pieces.get(missed).missedBorders == 0) {
      missed++;
    }
    assertThat(missed).isPositive();
    assertThat(splits.get(missed).piecesAfter()).isEqualTo(splits.size() - 1 - missed);
    List<SourceReading> mended = new ArrayList<>(pieces.subList(0, missed));
    mended.addAll(read(List.of(splits.get(missed).withRest())));
    assertThat(join(mended).docs).isEqualTo(whole.docs);
    assertThat(join(mended).skips.all()).isEmpty();
  }
}
