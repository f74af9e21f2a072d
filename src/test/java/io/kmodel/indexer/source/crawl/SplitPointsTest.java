package io.kmodel.indexer.source.crawl;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.kmodel.indexer.QuickEvery;
import io.kmodel.indexer.source.FileBytes;
import io.kmodel.indexer.source.Format;
import io.kmodel.indexer.source.Members;
import io.kmodel.indexer.source.SkipListener;
import io.kmodel.indexer.source.SourceOptions;
import io.kmodel.indexer.source.SourceReading;
import io.kmodel.indexer.source.Split;
import io.kmodel.indexer.source.list.FileList;
import io.kmodel.indexer.source.record.RecordFile.Cells;
import io.kmodel.indexer.source.warc.Warcs;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.netpreserve.jwarc.WarcCompression;

/** Large files are cut only where a piece would find its first record soon. */
class SplitPointsTest {
  private static final long TARGET = 5 << 20;

  private static final String NAME = "a.warc.packed";

  @TempDir Path root;

  /** Records that nothing can do much about, 10 MiB in a member each and in one. */
  private byte[] members = {};

  private byte[] one = {};
  private Members packing = Members.GZIP;

  private void pack(Members by) throws IOException {
    packing = by;
    Random random = new Random(42);
    byte[] bytes = new byte[100_000];
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    ByteArrayOutputStream plain = new ByteArrayOutputStream();
    for (int i = 0; packed.size() < 10 << 20; i++) {
      random.nextBytes(bytes);
      String text = HexFormat.of().formatHex(bytes);
      byte[] record = Warcs.write(WarcCompression.NONE, Warcs.html("http://a/" + i, text));
      packed.writeBytes(packing.pack(record));
      plain.writeBytes(record);
    }
    members = packed.toByteArray();
    one = packing.pack(plain.toByteArray());
  }

  /** However far the decoder is ahead of what it gave: a build that goes on cuts the same. */
  @Test
  void expansionIsThatOfTheBytesThatWereUnpacked() throws Exception {
    byte[] lines = "{\"id\": \"1\", \"contents\": \"a b c\"}\n".repeat(27_000).getBytes(UTF_8);
    byte[] member = Members.GZIP.pack(lines);
    try (OutputStream out = Files.newOutputStream(root.resolve(NAME))) {
      for (int i = 0; i < 1000; i++) {
        out.write(member);
      }
    }
    try (FileChannel channel = FileChannel.open(root.resolve(NAME));
        SplitPoints borders = new SplitPoints(FileBytes.of(channel), NAME, Format.JSONL)) {
      double ofMembers = (double) lines.length / member.length;
      // Four mebibytes end amid a member, as far in what it is packed as in what it unpacks to.
      assertThat(borders.expansion()).isCloseTo(ofMembers, withinPercentage(1));
    }
  }

  /**
   * Where the file was cut, every piece but the first read it to its end, in search of a member.
   */
  @ParameterizedTest
  @EnumSource(Members.class)
  void ofAFileOfOneMemberWhatItUnpacksToIsCut(Members by) throws Exception {
    pack(by);
    write(one);
    assertThat(one.length).isGreaterThan((int) FileList.LARGE_BYTES);
    try (FileChannel channel = FileChannel.open(root.resolve(NAME));
        SplitPoints borders = new SplitPoints(FileBytes.of(channel), NAME, Format.AUTO)) {
      assertThat(borders.cells()).isEqualTo(Cells.OF_UNPACKED);
    }
    assertThat(splits()).hasSizeGreaterThan(1);
  }

  @ParameterizedTest
  @EnumSource(Members.class)
  void aFileOfManyMembersIsCutWhereverItIsWanted(Members by) throws Exception {
    pack(by);
    write(members, members);
    List<Split> splits = splits();
    assertThat(splits).hasSizeGreaterThanOrEqualTo(4);
    assertThat(splits.stream().mapToLong(Split::bytes).sum())
        .isEqualTo(packing.first() + 2L * members.length);
    assertWhole();
  }

  @ParameterizedTest
  @QuickEvery(2)
  @EnumSource(Members.class)
  void aLongMemberAmongOthersIsNotCut(Members by) throws Exception {
    pack(by);
    write(members, one, one, members);
    long from = (long) packing.first() + members.length;
    long to = from + one.length;
    assertMayBe(0, true);
    assertMayBe(from - SplitPoints.PROBE_BYTES, true);
    assertMayBe(from, true);
    assertMayBe(from + 1, false);
    assertMayBe(to - SplitPoints.PROBE_BYTES, false);
    assertMayBe(to - SplitPoints.PROBE_BYTES + 1, true);
    assertMayBe(to, true);
    assertThat(splits()).hasSizeBetween(4, 7);
    assertWhole();
  }

  private void assertMayBe(long offset, boolean expected) throws IOException {
    try (FileChannel channel = FileChannel.open(root.resolve(NAME));
        SplitPoints borders = new SplitPoints(FileBytes.of(channel), NAME, Format.AUTO)) {
      assertThat(borders.cells()).isEqualTo(Cells.OF_FILE);
      assertThat(borders.mayBe(0, offset)).as("%d", offset).isEqualTo(expected);
    }
  }

  private void assertWhole() throws IOException, InterruptedException {
    SourceReading whole = SourceReading.of(root);
    SourceReading pieces = SourceReading.of(root, SourceOptions.DEFAULT, TARGET);
    assertThat(pieces.missedBorders).isZero();
    assertThat(pieces.docs).isEqualTo(whole.docs);
    assertThat(pieces.places).isEqualTo(whole.places);
    assertThat(pieces.skips.all()).isEmpty();
  }

  private List<Split> splits() throws IOException {
    return Crawl.open(List.of(root), List.of(), SourceOptions.DEFAULT, SkipListener.NONE)
        .splits(TARGET);
  }

  private void write(byte[]... parts) throws IOException {
    try (OutputStream out = Files.newOutputStream(root.resolve(NAME))) {
      out.write(packing.start());
      for (byte[] part : parts) {
        out.write(part);
      }
    }
  }
}
