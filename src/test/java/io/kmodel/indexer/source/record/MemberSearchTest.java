package io.kmodel.indexer.source.record;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.ZstdOutputStream;
import io.kmodel.indexer.Tier;
import io.kmodel.indexer.source.DecoderGuard;
import io.kmodel.indexer.source.Format;
import io.kmodel.indexer.source.Members;
import io.kmodel.indexer.source.detect.FileFormat;
import io.kmodel.indexer.source.unpack.Compression;
import io.kmodel.indexer.source.unpack.InputBytes;
import io.kmodel.indexer.source.unpack.RecordInput;
import io.kmodel.indexer.source.unpack.ZstdFrames;
import io.kmodel.indexer.source.warc.Warcs;
import io.kmodel.indexer.store.LittleEndian;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Members that start with records, looked for from anywhere. */
class MemberSearchTest {
  private static final byte[] RECORD = "WARC/1.0\r\nWARC-Type: response\r\n\r\n".getBytes(US_ASCII);

  @TempDir Path root;

  @Test
  void aMemberIsFoundWhateverItsHeaderHasAndWhereverItLies() throws Exception {
    byte[] packed = Warcs.gzip(RECORD);
    byte[] data = Arrays.copyOfRange(packed, 10, packed.length);
    byte[] junk = "no member ".repeat(7000).getBytes(US_ASCII);
    for (int flags = 0; flags < 32; flags++) {
      byte[] member = Warcs.concat(header(flags), data);
      for (int before : new int[] {0, 1, 65_530, 65_536, junk.length}) {
        byte[] start = Arrays.copyOf(junk, before);
        assertThat(next(Format.WARC, start, member)).as("flags %d", flags).isEqualTo(before);
        assertThat(next(Format.ARC, start, member)).isEqualTo(-1);
      }
    }
  }

  private static byte[] header(int flags) {
    ByteArrayOutputStream header = new ByteArrayOutputStream();
    header.writeBytes(new byte[] {0x1F, (byte) 0x8B, 8, (byte) flags, 0, 0, 0, 0, 0, 3});
    if ((flags & 4) != 0) {
      header.writeBytes(new byte[] {0, 3});
      header.writeBytes(new byte[3 << 8]);
    }
    if ((flags & 8) != 0) {
      header.writeBytes("a.warc\0".getBytes(US_ASCII));
    }
    if ((flags & 16) != 0) {
      header.writeBytes("a comment\0".getBytes(US_ASCII));
    }
    if ((flags & 2) != 0) {
      header.writeBytes(new byte[] {1, 2});
    }
    return header.toByteArray();
  }

  @Test
  void aMemberThatIsCutOrDamagedCountsByWhatComesBeforeThat() throws Exception {
    byte[] stored = {0x1F, (byte) 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 1, 20, 0, -21, -1};
    byte[] member = Warcs.concat(stored, Arrays.copyOf(RECORD, 20));
    for (int length = 1; length < member.length; length++) {
      byte[] cut = Arrays.copyOf(member, length);
      assertThat(next(Format.WARC, cut)).isEqualTo(length < stored.length + 8 ? -1 : 0);
    }
    member[10] = 0;
    byte[] damaged = Warcs.concat(member, new byte[] {7});
    assertThat(next(Format.WARC, damaged)).isZero();
  }

  @ParameterizedTest
  @EnumSource(Members.class)
  void aStartThatIsSplitOverMembersIsFoundWhereItsFirstByteIs(Members members) throws Exception {
    byte[] junk = Warcs.concat(members.start(), "no member ".getBytes(US_ASCII));
    byte[] start = members.start();
    byte[] empty = members.pack(new byte[0]);
    for (int first = 1; first < 9; first++) {
      for (int second = first + 1; second < 10; second++) {
        byte[] split =
            Warcs.concat(
                members.pack(Arrays.copyOf(RECORD, first)),
                members.pack(Arrays.copyOfRange(RECORD, first, second)),
                empty,
                members.pack(Arrays.copyOfRange(RECORD, second, RECORD.length)));
        assertThat(next(members, Format.WARC, junk, split)).isEqualTo(junk.length);
        // An empty member holds no first byte.
        assertThat(next(members, Format.WARC, start, empty, split))
            .isEqualTo(start.length + empty.length);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Members.class)
  void aStartThatIsSplitByteByByteIsFound(Members members) throws Exception {
    byte[] split = members.start();
    for (byte b : RECORD) {
      split = Warcs.concat(split, members.pack(new byte[] {b}));
    }
    assertThat(next(members, Format.WARC, split)).isEqualTo(members.start().length);
  }

  /** Together they would be a line whose URI begins with the end of the record before. */
  @Test
  void aLineOfArcBeginsWhereItsMemberDoes() throws Exception {
    byte[] end = Warcs.gzip("end".getBytes(US_ASCII));
    String line = "http://a.org/ 1.2.3.4 19961104142103 text/html 9\n";
    assertThat(next(Format.ARC, end, Warcs.gzip(line.getBytes(US_ASCII)))).isEqualTo(end.length);
  }

  @Test
  void aLineOfArcIsFoundBehindOthers() throws Exception {
    String line = "http://a.org/" + "x".repeat(4000) + " 1.2.3.4 19961104142103 text/html 9\n";
    byte[] other = Warcs.gzip("no line\n".getBytes(US_ASCII));
    byte[] member = Warcs.gzip((line + "more").getBytes(US_ASCII));
    assertThat(next(Format.ARC, other, other, member)).isEqualTo(2L * other.length);
  }

  /** Each took a window, a read of 64 KiB and an inflater, names were read to the end: minutes. */
  @Test
  @Timeout(60)
  void whatOnlyLooksLikeMembersIsPassedOverQuickly() throws Exception {
    byte[] member = Warcs.gzip(RECORD);
    for (int flags : new int[] {0, 4, 8}) {
      byte[] magics = new byte[1 << 18];
      for (int i = 0; i < magics.length; i += 4) {
        magics[i] = 0x1F;
        magics[i + 1] = (byte) 0x8B;
        magics[i + 2] = 8;
        magics[i + 3] = (byte) flags;
      }
      assertThat(next(Format.WARC, magics, member)).isEqualTo(magics.length);
    }
  }

  /** Blocks of 128 KiB are longer than a window of the file, and may be packed or not. */
  @ParameterizedTest
  @EnumSource(Members.class)
  void aMemberIsFoundHoweverLongItsFirstBlockIs(Members members) throws Exception {
    Random random = new Random(5);
    byte[] noise = new byte[300_000];
    random.nextBytes(noise);
    byte[] text = Base64.getEncoder().encode(noise);
    byte[] junk = "no member ".repeat(7000).getBytes(US_ASCII);
    for (byte[] content : List.of(new byte[0], noise, text, new byte[300_000])) {
      byte[] member = members.pack(Warcs.concat(RECORD, content));
      byte[] other = members.pack(Warcs.concat("no record".getBytes(US_ASCII), content));
      for (int before : new int[] {0, 1, 65_530, junk.length}) {
        byte[] start = Warcs.concat(members.start(), Arrays.copyOf(junk, before), other);
        long found = next(members, Format.WARC, start, member, other);
        assertThat(found).isEqualTo(start.length);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(value = Members.class, mode = EnumSource.Mode.EXCLUDE, names = "GZIP")
  void framesMayAskForAnyWindowAndBeSplitInBlocksAnywhere(Members members) throws Exception {
    for (int log = 10; log <= 31; log += Tier.pick(7, 1)) {
      for (int flushed = 1; flushed < 12; flushed++) {
        ByteArrayOutputStream frame = new ByteArrayOutputStream();
        try (ZstdOutputStream out = new ZstdOutputStream(frame, 1)) {
          for (int at = 0; at < RECORD.length; at += flushed) {
            out.write(RECORD, at, Math.min(flushed, RECORD.length - at));
            out.flush();
          }
        }
        byte[] bytes = frame.toByteArray();
        assertThat(bytes[4] & 0x23).as("no single segment, no dictionary").isZero();
        bytes[5] = (byte) ((log - 10) << 3);
        byte[] start = members.start();
        assertThat(next(members, Format.WARC, start, bytes)).isEqualTo(start.length);
      }
    }
  }

  @Test
  void aFrameOfADictionaryThatIsNotThereIsNone() throws Exception {
    byte[] member = Members.ZSTD_WITH_DICTIONARY.pack(RECORD);
    assertThat(next(Members.ZSTD, Format.WARC, member)).isEqualTo(-1);
    byte[] start = Members.ZSTD_WITH_DICTIONARY.start();
    assertThat(next(Members.ZSTD, Format.WARC, start, member)).isEqualTo(start.length);
  }

  @ParameterizedTest
  @EnumSource(Members.class)
  void aMemberThatIsCutIsFoundOnceItsFirstBytesCanBeUnpacked(Members members) throws Exception {
    byte[] member = members.pack(RECORD);
    byte[] start = members.start();
    long before = -1;
    for (int length = 1; length <= member.length; length++) {
      long found = next(members, Format.WARC, start, Arrays.copyOf(member, length));
      assertThat(found).isIn(before, (long) start.length);
      int checksum = members == Members.GZIP ? 8 : 4;
      assertThat(found).isEqualTo(length >= member.length - checksum ? start.length : found);
      assertThat(found).isEqualTo(length < 14 ? -1L : found);
      before = found;
    }
    assertThat(before).isEqualTo(start.length);
  }

  /** What looks like frames takes the decoder a block each to find out. */
  @Test
  @Timeout(60)
  void whatOnlyLooksLikeFramesIsPassedOverQuickly() throws Exception {
    byte[] member = Members.ZSTD.pack(RECORD);
    // Raw, of one byte, packed, and reserved: of 128 KiB each.
    for (int type = 0; type < 4; type++) {
      int block = (1 << 17) << 3 | type << 1;
      byte[] magics = magics(block, new byte[0]);
      assertThat(next(Members.ZSTD, Format.WARC, magics, member)).isEqualTo(magics.length);
    }
    // Packed: literals, 128 KiB of one letter, and no sequences.
    byte[] literals = {0x0D, 0, 0x20, 'x', 0};
    byte[] magics = magics(literals.length << 3 | 2 << 1, literals);
    for (Format format : List.of(Format.WARC, Format.ARC)) {
      byte[] line = "http://a.org/ 1.2.3.4 19961104142103 text/html 9\n".getBytes(US_ASCII);
      byte[] next = format == Format.ARC ? Members.ZSTD.pack(line) : member;
      assertThat(next(Members.ZSTD, format, magics, next)).isEqualTo(magics.length);
    }
  }

  /** Nothing but frames of a block that starts so, and of others behind that. */
  private static byte[] magics(int blockHeader, byte[] block) {
    int step = 9 + block.length;
    byte[] magics = new byte[(1 << 20) / step * step];
    for (int i = 0; i + step <= magics.length; i += step) {
      LittleEndian.putInt(magics, i, ZstdFrames.MAGIC);
      magics[i + 5] = 0x38;
      magics[i + 6] = (byte) blockHeader;
      magics[i + 7] = (byte) (blockHeader >>> 8);
      magics[i + 8] = (byte) (blockHeader >>> 16);
      System.arraycopy(block, 0, magics, i + 9, block.length);
    }
    return magics;
  }

  private long next(Format format, byte[]... parts) throws IOException {
    return next(Members.GZIP, format, parts);
  }

  private long next(Members members, Format format, byte[]... parts) throws IOException {
    Path file = Files.write(root.resolve("a"), Warcs.concat(parts));
    Compression compression = members == Members.GZIP ? Compression.GZIP : Compression.ZSTD;
    byte[] window = new byte[RecordInput.WINDOW_BYTES];
    try (FileChannel channel = FileChannel.open(file);
        RecordInput in =
            new RecordInput(InputBytes.of(channel), compression, 1, DecoderGuard.USUAL, window)) {
      MemberSearch search = MemberSearch.of(in, FileFormat.recordStarts(format));
      return Objects.requireNonNull(search).next(0);
    }
  }
}
