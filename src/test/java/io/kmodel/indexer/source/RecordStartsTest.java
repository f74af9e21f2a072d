package io.kmodel.indexer.source;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Where records start in gzip, looked for from anywhere. */
class RecordStartsTest {
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

  @Test
  void aStartThatIsSplitOverMembersIsFoundWhereItsFirstByteIs() throws Exception {
    byte[] junk = "no member ".getBytes(US_ASCII);
    byte[] empty = Warcs.gzip(new byte[0]);
    for (int first = 1; first < 9; first++) {
      for (int second = first + 1; second < 10; second++) {
        byte[] split =
            Warcs.concat(
                Warcs.gzip(Arrays.copyOf(RECORD, first)),
                Warcs.gzip(Arrays.copyOfRange(RECORD, first, second)),
                empty,
                Warcs.gzip(Arrays.copyOfRange(RECORD, second, RECORD.length)));
        assertThat(next(Format.WARC, junk, split)).isEqualTo(junk.length);
        // An empty member holds no first byte.
        assertThat(next(Format.WARC, empty, split)).isEqualTo(empty.length);
      }
    }
  }

  @Test
  void aStartThatIsSplitByteByByteIsFound() throws Exception {
    byte[] split = new byte[0];
    for (byte b : RECORD) {
      split = Warcs.concat(split, Warcs.gzip(new byte[] {b}));
    }
    assertThat(next(Format.WARC, split)).isZero();
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

  @Test
  void aDocumentOfTrecIsFoundBehindAByteOrderMark() throws Exception {
    byte[] first = "<DOC><DOCNO>1</DOCNO></DOC>\n".getBytes(US_ASCII);
    byte[] second = "\uFEFF \t<DOC><DOCNO>2</DOCNO></DOC>\n".getBytes(UTF_8);
    Path file = Files.write(root.resolve("a"), Warcs.concat(first, second));
    try (FileChannel channel = FileChannel.open(file)) {
      RecordStarts starts = RecordStarts.of(Format.TREC);
      assertThat(starts.atOrAfter(InputBytes.of(channel), 1, Compression.NONE))
          .isEqualTo(first.length);
    }
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

  private long next(Format format, byte[]... parts) throws IOException {
    Path file = root.resolve("a");
    Files.write(file, Warcs.concat(parts));
    try (FileChannel channel = FileChannel.open(file)) {
      return RecordStarts.of(format).nextMember(InputBytes.of(channel));
    }
  }
}
