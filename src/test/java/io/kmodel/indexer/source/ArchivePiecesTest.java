package io.kmodel.indexer.source;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.ZstdOutputStream;
import io.kmodel.indexer.QuickEvery;
import io.kmodel.indexer.Tier;
import io.kmodel.indexer.source.crawl.FileDocumentReader;
import io.kmodel.indexer.source.crawl.Piece;
import io.kmodel.indexer.source.list.FileList;
import io.kmodel.indexer.source.unpack.Compression;
import io.kmodel.indexer.source.unpack.FileUnpacker;
import io.kmodel.indexer.source.unpack.SharedDecompression;
import io.kmodel.indexer.source.unpack.UnpackedPieces;
import io.kmodel.indexer.source.warc.Warcs;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.netpreserve.jwarc.WarcCompression;

/** Archives that are packed as a whole, unpacked once for several threads. */
@Timeout(120)
class ArchivePiecesTest extends UnpackedPieces {
  private static final int ROUNDS = Tier.pick(10, 100);

  /** What records hold, so that most kinds of nonsense come up. */
  private static final List<String> PARTS =
      List.of(
          "WARC/1.0",
          "\nWARC/1.0\r\n",
          "\nWARC/1.0\r\nWARC-Type: response\r\nContent-Length: 4\r\n\r\nnest",
          "\n",
          "\r\n\r\n",
          "<p>a heron",
          "a long line of words without an end, as there are some");

  /** How a file is packed as a whole. */
  private enum Packing {
    GZIP {
      @Override
      byte[] pack(byte[] content) throws IOException {
        return gzip(content);
      }
    },
    ZSTD {
      @Override
      byte[] pack(byte[] content) throws IOException {
        return zstd(content, 0);
      }
    },
    ZSTD_WITH_DICTIONARY {
      @Override
      byte[] pack(byte[] content) throws IOException {
        byte[] start = Members.ZSTD_WITH_DICTIONARY.start();
        byte[] dictionary =
            Arrays.copyOfRange(start, Packed.zstdDictionary(new byte[0]).length, start.length);
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        packed.writeBytes(start);
        try (ZstdOutputStream out = new ZstdOutputStream(packed, 1)) {
          out.setDict(dictionary);
          out.write(content);
        }
        return packed.toByteArray();
      }
    },
    BZIP2 {
      @Override
      byte[] pack(byte[] content) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (OutputStream out = new BZip2CompressorOutputStream(packed, 1)) {
          out.write(content);
        }
        return packed.toByteArray();
      }
    };

    abstract byte[] pack(byte[] content) throws IOException;
  }

  private int mended;

  @ParameterizedTest
  @QuickEvery(2)
  @EnumSource(Packing.class)
  void piecesOfArchivesAreTheWholeFile(Packing packing) throws Exception {
    write("a.warc.packed", packing.pack(warc()));
    checkPieces();
  }

  @Test
  void piecesOfTheInternetArchivesOlderArchivesAreTheWholeFile() throws Exception {
    ByteArrayOutputStream arc = new ByteArrayOutputStream();
    String first = "filedesc://a.arc 0.0.0.0 19960923142103 text/plain 8\n1 1 IA\n\n\n";
    arc.writeBytes(first.getBytes(ISO_8859_1));
    for (int i = 0; i < LINES; i++) {
      String page = "HTTP/1.0 200 OK\r\n\r\n<p>" + text();
      String header = "http://a/%d 1.2.3.4 19961104142103 text/html".formatted(i);
      // Some are longer than they say.
      int length = page.length() - (i % 97 == 5 ? 1 : 0);
      arc.writeBytes("%s %d\n%s\n".formatted(header, length, page).getBytes(ISO_8859_1));
    }
    write("a.arc.gz", gzip(arc.toByteArray()));
    checkPieces();
  }

  /** Some records say that they are longer or shorter than they are. */
  private byte[] warc() throws IOException {
    ByteArrayOutputStream warc = new ByteArrayOutputStream();
    warc.writeBytes(Warcs.write(WarcCompression.NONE, Warcs.info()));
    for (int i = 0; i < LINES; i++) {
      byte[] record =
          i % 89 == 7
              ? Warcs.write(WarcCompression.NONE, Warcs.metadata("http://a/" + i))
              : Warcs.write(WarcCompression.NONE, Warcs.html("http://a/" + i, text()));
      if (i % 97 == 5) {
        String text = new String(record, ISO_8859_1);
        record = text.replaceFirst("Length: ", "Length: 1").getBytes(ISO_8859_1);
      }
      warc.writeBytes(record);
    }
    return warc.toByteArray();
  }

  private String text() {
    return new String(line("x", random.nextInt(3000)), UTF_8);
  }

  private void checkPieces() throws Exception {
    SourceReading whole = read(Docno.RECORD_ID, Long.MAX_VALUE).getFirst();
    assertThat(whole.ids()).hasSizeGreaterThan(1000);
    assertThat(whole.skips.all()).isNotEmpty();
    assertThat(whole.docs.getLast().unit()).isGreaterThan(whole.docs.getFirst().unit());
    List<Split> splits = splits(Docno.RECORD_ID, TARGET);
    assertThat(splits).hasSizeGreaterThan(3);
    List<SourceReading> pieces = read(splits);
    assertThat(pieces.stream().filter(piece -> !piece.docs.isEmpty())).hasSizeGreaterThan(2);
    SourceReading all = join(pieces);
    assertThat(all.missedBorders).isZero();
    assertSame(all, whole);
  }

  private static void assertSame(SourceReading pieces, SourceReading whole) {
    assertThat(pieces.ids()).isEqualTo(whole.ids());
    assertThat(pieces.docs).isEqualTo(whole.docs);
    assertThat(pieces.places).isEqualTo(whole.places);
    assertThat(pieces.skips.all()).isEqualTo(whole.skips.all());
  }

  /** Who reads the file itself goes on at the next member; what is unpacked ends there. */
  @Test
  void whatIsBehindDamageOrInAnotherMemberIsReadByOne() throws Exception {
    byte[] warc = warc();
    byte[] packed = gzip(warc);
    byte[] damaged = packed.clone();
    damaged[damaged.length / 2] ^= 0x55;
    damaged[damaged.length / 2 + 1] ^= 0x55;
    byte[] more = gzip(Warcs.write(WarcCompression.NONE, Warcs.html("http://b/", "<p>b")));
    byte[] cut = Arrays.copyOf(packed, packed.length - 8);
    List<byte[]> files = List.of(Warcs.concat(damaged, more), Warcs.concat(packed, more), cut);
    for (byte[] file : Tier.some(files, 2)) {
      write("a.warc.gz", file);
      SourceReading whole = read(Docno.RECORD_ID, Long.MAX_VALUE).getFirst();
      assertThat(whole.ids()).hasSizeGreaterThan(1000);
      assertThat(whole.texts().contains("<p>b")).isEqualTo(file != cut);
      List<Split> splits = splits(Docno.RECORD_ID, TARGET);
      assertThat(splits).hasSizeGreaterThan(3);
      assertThat(read(splits).getFirst().missedBorders).isZero();
      assertSame(readAndMend(splits), whole);
    }
  }

  /** As a build does it, with {@code SplitReading}. */
  private SourceReading readAndMend(List<Split> splits) throws Exception {
    List<SourceReading> pieces = read(splits);
    for (int i = 0; i < pieces.size(); i++) {
      if (pieces.get(i).missedBorders > 0) {
        mended++;
        List<SourceReading> all = new ArrayList<>(pieces.subList(0, i));
        all.addAll(read(List.of(splits.get(i).withRest())));
        assertThat(all.getLast().missedBorders).isZero();
        return join(all);
      }
    }
    return join(pieces);
  }

  @Test
  void whereverAnArchiveIsCutItsPiecesAreTheWholeOrSayThatTheyAreNot() throws Exception {
    long seed = Long.getLong("seed", 21);
    Random choice = new Random(seed);
    for (int round = 0; round < ROUNDS; round++) {
      byte[] file = nonsense(choice);
      Files.write(root.resolve("a.warc.gz"), file);
      SourceReading whole = SourceReading.of(root, SourceReading.docno(Docno.RECORD_ID));
      threads = 1 + choice.nextInt(3);
      SourceReading all = readAndMend(cut(file.length, choice));
      assertThat(all.docs).as("seed %d, round %d", seed, round).isEqualTo(whole.docs);
      assertSame(all, whole);
    }
    assertThat(mended).isBetween(ROUNDS / 10, ROUNDS * 9 / 10);
  }

  /**
   * Some KB of records, and one that gzip can do nothing about, so that the file is a large one.
   */
  private static byte[] nonsense(Random choice) throws IOException {
    ByteArrayOutputStream warc = new ByteArrayOutputStream();
    for (int i = choice.nextInt(40) + 4; i >= 0; i--) {
      StringBuilder body = new StringBuilder("<p>page ").append(i);
      for (int part = choice.nextInt(4); part > 0; part--) {
        body.append(PARTS.get(choice.nextInt(10) == 0 ? choice.nextInt(3) : choice.nextInt(4) + 3));
      }
      int length = body.length() + (choice.nextInt(30) == 0 ? choice.nextInt(200) - 50 : 0);
      String type = choice.nextInt(20) == 0 ? "metadata" : "resource";
      String header = "WARC/1.0\r\nWARC-Type: %s\r\nContent-Type: text/html\r\nContent-Length: %d";
      String end = choice.nextInt(20) == 0 ? "" : "\r\n\r\n";
      String record = (header + "\r\n\r\n%s%s").formatted(type, length, body, end);
      warc.writeBytes(record.getBytes(US_ASCII));
    }
    byte[] noise = new byte[(int) FileList.LARGE_BYTES + (2 << 20)];
    new Random(1).nextBytes(noise);
    byte[] last =
        "WARC/1.0\r\nWARC-Type: metadata\r\nContent-Length: %d\r\n\r\n"
            .formatted(noise.length)
            .getBytes(US_ASCII);
    byte[] records = warc.toByteArray();
    // Where no record starts, or it were cut there.
    int member = choice.nextInt(10) == 0 ? choice.nextInt(records.length) : 0;
    byte[] first = Arrays.copyOf(records, member);
    byte[] rest = Arrays.copyOfRange(records, member, records.length);
    byte[] bytes = gzip(Warcs.concat(rest, last, noise));
    bytes = member == 0 ? bytes : Warcs.concat(gzip(first), bytes);
    boolean damaged = choice.nextInt(6) == 0;
    boolean far = choice.nextBoolean();
    if (damaged) {
      int at = 100 + choice.nextInt(far ? bytes.length - 100 : 400);
      bytes[at] ^= (byte) (1 << choice.nextInt(8));
    }
    if (choice.nextInt(6) == 0 || (damaged && far)) {
      byte[] page = Warcs.write(WarcCompression.NONE, Warcs.html("http://b/", "<p>b"));
      bytes = Warcs.concat(bytes, gzip(page));
    }
    return bytes;
  }

  /** Into pieces of some hundreds of bytes, and the rest. */
  private List<Split> cut(long fileBytes, Random choice) {
    FileUnpacker.Source source =
        new FileUnpacker.Source(
            root.resolve("a.warc.gz"),
            fileBytes,
            Compression.GZIP,
            DecoderGuard.USUAL,
            SourceOptions.DEFAULT.maxExpansion(),
            true);
    SharedDecompression unpacked = new SharedDecompression(source);
    List<Split> splits = new ArrayList<>();
    long from = 0;
    for (int i = choice.nextInt(12) + 1; i >= 0; i--) {
      long to = i == 0 ? Long.MAX_VALUE : from + 1 + choice.nextInt(1000);
      splits.add(new PieceSplit(new Piece(from, to, from, to, unpacked), fileBytes));
      from = to;
    }
    return splits;
  }

  /** A piece of the one file there is. */
  private final class PieceSplit implements Split {
    private final Piece piece;
    private final long fileBytes;

    PieceSplit(Piece piece, long fileBytes) {
      this.piece = piece;
      this.fileBytes = fileBytes;
    }

    @Override
    public int ordinal() {
      return 0;
    }

    @Override
    public int piecesAfter() {
      return 0;
    }

    @Override
    public String borders() {
      return piece.from() + "-" + piece.to();
    }

    @Override
    public long bytes() {
      return piece.bytes(fileBytes);
    }

    @Override
    public void claim() {
      piece.claim();
    }

    @Override
    public void release() throws IOException {
      piece.release();
    }

    @Override
    public DocumentReader open(SkipListener skips, HeapGuard heap) throws IOException {
      FileList.Builder files = new FileList.Builder();
      files.startRoot(root);
      files.add("a.warc.gz".getBytes(US_ASCII), fileBytes);
      FileList list = files.build();
      SourceOptions options = SourceReading.docno(Docno.RECORD_ID);
      return new FileDocumentReader(list.cursor(0, list.units()), piece, options, skips, heap);
    }

    @Override
    public Split alone() {
      return new PieceSplit(piece.alone(), fileBytes);
    }

    @Override
    public Split withRest() {
      return new PieceSplit(piece.withRest(), fileBytes);
    }
  }
}
