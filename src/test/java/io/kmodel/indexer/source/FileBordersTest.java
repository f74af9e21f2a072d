package io.kmodel.indexer.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.netpreserve.jwarc.WarcCompression;

/** Large files are cut only where a piece would find its first record soon. */
class FileBordersTest {
  private static final long TARGET = 5 << 20;

  @TempDir Path root;

  /** Records that gzip cannot do much about, 10 MiB in a member each and in one. */
  private static byte[] members = {};

  private static byte[] one = {};

  @BeforeAll
  static void pack() throws IOException {
    Random random = new Random(42);
    byte[] bytes = new byte[100_000];
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    ByteArrayOutputStream plain = new ByteArrayOutputStream();
    for (int i = 0; packed.size() < 10 << 20; i++) {
      random.nextBytes(bytes);
      String text = HexFormat.of().formatHex(bytes);
      byte[] record = Warcs.write(WarcCompression.NONE, Warcs.html("http://a/" + i, text));
      packed.writeBytes(Warcs.gzip(record));
      plain.writeBytes(record);
    }
    members = packed.toByteArray();
    one = Warcs.gzip(plain.toByteArray());
  }

  /** Every piece but the first read the file to its end, in search of a member. */
  @Test
  void aFileOfOneMemberIsNotCut() throws Exception {
    write(one);
    assertThat(one.length).isGreaterThan((int) FileList.LARGE_BYTES);
    assertThat(splits()).hasSize(1);
    assertWhole();
  }

  @Test
  void aFileOfManyMembersIsCutWhereverItIsWanted() throws Exception {
    write(members, members);
    List<Split> splits = splits();
    assertThat(splits).hasSizeGreaterThanOrEqualTo(4);
    assertThat(splits.stream().mapToLong(Split::bytes).sum()).isEqualTo(2L * members.length);
    assertWhole();
  }

  @Test
  void aLongMemberAmongOthersIsNotCut() throws Exception {
    write(members, one, one, members);
    long from = members.length;
    long to = from + one.length;
    assertMayBe(0, true);
    assertMayBe(from - FileBorders.LOOK_BYTES, true);
    assertMayBe(from, true);
    assertMayBe(from + 1, false);
    assertMayBe(to - FileBorders.LOOK_BYTES, false);
    assertMayBe(to - FileBorders.LOOK_BYTES + 1, true);
    assertMayBe(to, true);
    assertThat(splits()).hasSizeBetween(4, 7);
    assertWhole();
  }

  private void assertMayBe(long offset, boolean expected) throws IOException {
    try (FileChannel channel = FileChannel.open(root.resolve("a.warc.gz"))) {
      FileBorders borders = new FileBorders(channel, "a.warc.gz", Format.AUTO);
      assertThat(borders.canBeCut()).isTrue();
      assertThat(borders.mayBe(offset)).as("%d", offset).isEqualTo(expected);
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
    try (OutputStream out = Files.newOutputStream(root.resolve("a.warc.gz"))) {
      for (byte[] part : parts) {
        out.write(part);
      }
    }
  }
}
