package io.kmodel.indexer.source;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.ZstdOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Large packed files of lines, unpacked once for several threads. */
@Timeout(120)
class UnpackedPiecesTest {
  private static final long TARGET = 3 << 20;

  /** Enough for a file of 8 MiB when it is packed, of text like this. */
  private static final int LINES = 9_000;

  @TempDir Path root;
  private final Random random = new Random(7);
  private AheadMemory ahead = AheadMemory.UNLIMITED;
  private int threads = 4;

  @Test
  void piecesOfAGzipFileOfOneMemberAreTheWholeFile() throws Exception {
    write("a.jsonl.gz", gzip(lines(LINES)));
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
    write("a.jsonl.gz", gzip(lines(LINES)));
    checkPieces();
  }

  /** Its claim would keep all that is unpacked from there on. */
  @Test
  void aPieceThatCannotBeOpenedHoldsUpNobody() throws Exception {
    ahead = new Limited(2 << 20);
    write("a.jsonl.gz", gzip(lines(LINES)));
    SourceReading whole = read(Docno.RECORD_ID, Long.MAX_VALUE).getFirst();
    List<Split> splits = splits(Docno.RECORD_ID, TARGET);
    Path file = root.resolve("a.jsonl.gz");
    Path away = root.resolveSibling("away");
    splits.getFirst().claim();
    splits.get(1).claim();
    Files.move(file, away);
    SourceReading missed = new SourceReading(new Room());
    missed.read(splits.get(1));
    Files.move(away, file);
    SourceReading first = new SourceReading(new Room());
    first.read(splits.getFirst());
    assertThat(missed.missedBorders).isEqualTo(1);
    assertThat(missed.docs).isEmpty();
    assertThat(join(read(splits.subList(2, splits.size()))).missedBorders).isZero();
    List<SourceReading> rest = read(List.of(splits.get(1).withRest()));
    assertThat(join(List.of(first, rest.getFirst())).docs).isEqualTo(whole.docs);
  }

  @Test
  void aFileThatWasCutOffSinceItWasListedIsReportedOnce() throws Exception {
    byte[] packed = gzip(lines(LINES));
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
  void piecesOfAZstdFileAreTheWholeFile() throws Exception {
    write("a.jsonl.zst", zstd(lines(LINES), 0));
    checkPieces();
  }

  @Test
  void piecesOfABzip2FileAreTheWholeFile() throws Exception {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream out = new BZip2CompressorOutputStream(packed, 1)) {
      out.write(lines(LINES));
    }
    write("a.tsv.bz2", packed.toByteArray());
    checkPieces();
  }

  @Test
  void whereTheFileIsDamagedItEndsAsItDoesForOneReaderAndIsReportedOnce() throws Exception {
    for (byte[] packed : List.of(gzip(lines(LINES)), zstd(lines(LINES), 0))) {
      for (int i = 0; i < 4; i++) {
        byte[] damaged = packed.clone();
        int at = packed.length / 5 * (i + 1) + random.nextInt(1000);
        if (i % 2 == 0) {
          damaged[at] ^= 0x10;
        } else {
          damaged = Arrays.copyOf(packed, Math.max(at, (int) FileList.LARGE_BYTES));
        }
        write("a.jsonl.any", damaged);
        SourceReading whole = read(Docno.RECORD_ID, Long.MAX_VALUE).getFirst();
        SourceReading pieces = join(read(Docno.RECORD_ID, TARGET));
        assertThat(whole.reasons()).contains(SkipReason.DAMAGED);
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

  @Test
  void withoutMemoryToUnpackAheadPiecesWaitForEachOther() throws Exception {
    ahead = new Limited(0);
    write("a.jsonl.gz", gzip(lines(LINES)));
    checkPieces();
  }

  @Test
  void withLittleMemoryItIsGivenBackWhenTheFileIsRead() throws Exception {
    Limited limited = new Limited(3L << 20);
    ahead = limited;
    write("a.jsonl.gz", gzip(lines(LINES)));
    checkPieces();
    assertThat(limited.taken).isZero();
    assertThat(limited.most).isGreaterThan(1L << 20);
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
    SourceReading unclaimed = new SourceReading();
    for (Split split : splits(Docno.RECORD_ID, TARGET)) {
      unclaimed.read(split);
    }
    assertThat(unclaimed.docs).isEqualTo(whole.docs);
  }

  private List<SourceReading> read(Docno docno, long fullBytes) throws Exception {
    return read(splits(docno, fullBytes));
  }

  private List<Split> splits(Docno docno, long fullBytes) throws IOException {
    SourceOptions options = SourceReading.docno(docno);
    return Crawl.open(List.of(root), List.of(), options, SkipListener.NONE).splits(fullBytes);
  }

  /** By several threads, each of which takes the next. */
  private List<SourceReading> read(List<Split> splits) throws Exception {
    List<SourceReading> readings = new ArrayList<>();
    for (int i = 0; i < splits.size(); i++) {
      readings.add(new SourceReading(new Room()));
    }
    int[] next = new int[1];
    Callable<Void> work =
        () -> {
          while (true) {
            int split;
            synchronized (next) {
              split = next[0]++;
              if (split >= splits.size()) {
                return null;
              }
              splits.get(split).claim();
            }
            readings.get(split).read(splits.get(split));
          }
        };
    try (ExecutorService workers = Executors.newFixedThreadPool(threads)) {
      List<Future<Void>> all = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        all.add(workers.submit(work));
      }
      for (Future<Void> one : all) {
        one.get();
      }
    }
    for (Split split : splits) {
      split.release();
    }
    return readings;
  }

  private static SourceReading join(List<SourceReading> readings) {
    SourceReading all = new SourceReading();
    for (SourceReading one : readings) {
      all.docs.addAll(one.docs);
      all.places.addAll(one.places);
      one.skips.all().forEach(s -> all.skips.skipped(s.place(), s.reason(), s.detail()));
      all.missedBorders += one.missedBorders;
    }
    return all;
  }

  private final class Room implements HeapGuard {
    @Override
    public long freeBytes() {
      return Long.MAX_VALUE;
    }

    @Override
    public long largestBytes() {
      return Long.MAX_VALUE;
    }

    @Override
    public boolean reserve(long heapBytes) {
      return true;
    }

    @Override
    public AheadMemory ahead() {
      return ahead;
    }

    @Override
    public void release() {}
  }

  private static final class Limited implements AheadMemory {
    private final long limit;
    private long taken;
    private long most;

    Limited(long limit) {
      this.limit = limit;
    }

    @Override
    public synchronized boolean take(long bytes) {
      if (taken + bytes > limit) {
        return false;
      }
      taken += bytes;
      most = Math.max(most, taken);
      return true;
    }

    @Override
    public synchronized void giveBack(long bytes) {
      taken -= bytes;
    }
  }

  private byte[] lines(int count) {
    ByteArrayOutputStream lines = new ByteArrayOutputStream();
    for (int i = 0; i < count; i++) {
      lines.writeBytes(line(Integer.toString(i), random.nextInt(3000)));
    }
    return lines.toByteArray();
  }

  private byte[] line(String id, int length) {
    byte[] text = new byte[length * 3 / 4];
    random.nextBytes(text);
    String words = Base64.getEncoder().encodeToString(text);
    return "{\"id\": \"%s\", \"text\": \"%s\"}\n".formatted(id, words).getBytes(UTF_8);
  }

  private void write(String name, byte[] bytes) throws IOException {
    assertThat(bytes).hasSizeGreaterThanOrEqualTo((int) FileList.LARGE_BYTES);
    Files.write(root.resolve(name), bytes);
  }

  private static byte[] gzip(byte[] content) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream out =
        new GZIPOutputStream(packed) {
          {
            def.setLevel(Deflater.BEST_SPEED);
          }
        }) {
      out.write(content);
    }
    return packed.toByteArray();
  }

  private static byte[] zstd(byte[] content, int longWindow) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (ZstdOutputStream out = new ZstdOutputStream(packed, 1)) {
      out.setChecksum(true);
      if (longWindow > 0) {
        out.setLong(longWindow);
      }
      out.write(content);
    }
    return packed.toByteArray();
  }
}
