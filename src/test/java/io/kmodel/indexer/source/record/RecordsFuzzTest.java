package io.kmodel.indexer.source.record;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.DictionaryFile;
import com.code_intelligence.jazzer.junit.FuzzTest;
import com.github.luben.zstd.ZstdOutputStream;
import com.google.common.base.CharMatcher;
import com.google.common.base.Splitter;
import io.kmodel.indexer.source.Docno;
import io.kmodel.indexer.source.Format;
import io.kmodel.indexer.source.Location;
import io.kmodel.indexer.source.Members;
import io.kmodel.indexer.source.SkipReason;
import io.kmodel.indexer.source.SourceOptions;
import io.kmodel.indexer.source.SourceReading;
import io.kmodel.indexer.source.lines.TsvColumns;
import io.kmodel.indexer.source.unpack.Compression;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorOutputStream;
import org.junit.jupiter.api.io.TempDir;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZOutputStream;

/**
 * Any bytes as an archive or a collection, packed or not: documents within the limit and skips that
 * lie in the file, and for lists of lines one of both a line.
 */
class RecordsFuzzTest {
  private static final int LIMIT = 1 << 14;

  private static final List<Format> FORMATS =
      List.of(Format.WARC, Format.ARC, Format.WET, Format.TREC, Format.JSONL, Format.TSV);

  private static final List<Docno> DOCNOS =
      List.of(Docno.TREC_ID, Docno.URI, Docno.RECORD_ID, Docno.PATH);

  private static final List<Compression> COMPRESSIONS =
      List.of(Compression.GZIP, Compression.ZSTD, Compression.BZIP2, Compression.XZ);

  private static final Pattern BLANK = Pattern.compile("(\u00EF\u00BB\u00BF)?[ \t\u000B\f\r]*");

  @TempDir Path root;

  /** The first byte says which format it is, and what documents are known by. */
  @DictionaryFile(resourcePath = "records.dict")
  @FuzzTest
  void recordsAreDocumentsAndSkipsWithinTheFile(byte[] input)
      throws IOException, InterruptedException {
    int choice = choice(input);
    Format format = FORMATS.get(choice % FORMATS.size());
    Docno docno = DOCNOS.get(choice / FORMATS.size() % DOCNOS.size());
    byte[] content = content(input);
    SourceReading reading = read(content, format, docno);
    if (compressionOf(content) == Compression.NONE) {
      for (Location place : reading.places) {
        assertThat(place.offset()).isBetween(0L, content.length - 1L);
      }
      if (format.lines()) {
        assertThat(reading.docs.size() + reading.skips.all().size())
            .isEqualTo(lines(content) - headers(content, format));
      }
    }
    SourceReading again = read(content, format, docno);
    assertThat(again.docs).isEqualTo(reading.docs);
    assertThat(again.skips.all()).isEqualTo(reading.skips.all());
  }

  /** Objects of JSON; the first byte says what they are known by. */
  @DictionaryFile(resourcePath = "records.dict")
  @FuzzTest
  void objectsAreDocumentsAndSkipsWithinTheFile(byte[] input)
      throws IOException, InterruptedException {
    int choice = choice(input);
    Docno docno = DOCNOS.get(choice % DOCNOS.size());
    byte[] content = content(input);
    if (compressionOf(content) != Compression.NONE) {
      return;
    }
    SourceReading plain = read(content, Format.JSON, docno);
    for (Location place : plain.places) {
      assertThat((char) content[(int) place.offset()]).isEqualTo('{');
    }
    SourceReading packed = read(pack(content, Compression.ZSTD), Format.JSON, docno);
    assertThat(packed.docs).isEqualTo(plain.docs);
    assertThat(packed.reasons()).isEqualTo(plain.reasons());
  }

  /** The first byte says which format it is, and how it is packed. */
  @DictionaryFile(resourcePath = "records.dict")
  @FuzzTest
  void packedRecordsAreThePlainOnes(byte[] input) throws IOException, InterruptedException {
    int choice = choice(input);
    Format format = FORMATS.get(choice % FORMATS.size());
    Compression packing = COMPRESSIONS.get(choice / FORMATS.size() % COMPRESSIONS.size());
    byte[] content = content(input);
    if (compressionOf(content) != Compression.NONE) {
      return;
    }
    SourceReading plain = read(content, format, Docno.TREC_ID);
    SourceReading packed = read(pack(content, packing), format, Docno.TREC_ID);
    if (plain.reasons().contains(SkipReason.DAMAGED_RECORD)) {
      // A packed record that says it is longer than it is takes in those after it.
      assertThat(packed.reasons()).contains(SkipReason.DAMAGED_RECORD);
    } else {
      assertThat(packed.texts()).isEqualTo(plain.texts());
      assertThat(packed.reasons()).isEqualTo(plain.reasons());
    }
  }

  /** Members cut anywhere, of which one may have a wrong checksum. */
  @DictionaryFile(resourcePath = "records.dict")
  @FuzzTest
  void framesOfZstdAreReadAsMembersOfGzipAre(FuzzedDataProvider data)
      throws IOException, InterruptedException {
    Format format = data.pickValue(FORMATS);
    Docno docno = data.pickValue(List.of(Docno.TREC_ID, Docno.URI, Docno.RECORD_ID));
    int[] lengths = data.consumeInts(data.consumeInt(0, 20));
    int damaged = data.consumeInt(-1, 20);
    byte[] content = data.consumeRemainingAsBytes();
    SourceReading members = read(cut(content, lengths, damaged, Members.GZIP), format, docno);
    SourceReading frames = read(cut(content, lengths, damaged, Members.ZSTD), format, docno);
    assertThat(frames.docs).isEqualTo(members.docs);
    assertThat(frames.reasons()).isEqualTo(members.reasons());
  }

  /** A file of members of such lengths, and one of what is left. */
  private static byte[] cut(byte[] content, int[] lengths, int damaged, Members members)
      throws IOException {
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    int at = 0;
    for (int i = 0; i <= lengths.length; i++) {
      int left = content.length - at;
      int length = i == lengths.length ? left : Math.floorMod(lengths[i], left + 1);
      byte[] member = members.pack(Arrays.copyOfRange(content, at, at + length));
      if (i == damaged) {
        member[member.length - (members == Members.GZIP ? 8 : 4)] ^= 1;
      }
      file.writeBytes(member);
      at += length;
    }
    return file.toByteArray();
  }

  /** One byte changed anywhere in a packed text: its content, or a skip. */
  @FuzzTest
  void changedFilesUnpackToTheirContentOrNotAtAll(FuzzedDataProvider data)
      throws IOException, InterruptedException {
    Compression packing = COMPRESSIONS.get(data.consumeInt(0, COMPRESSIONS.size() - 1));
    int place = data.consumeInt(0, 1 << 16);
    byte change = data.consumeByte();
    byte[] content = data.consumeRemainingAsBytes();
    byte[] file = pack(content, packing);
    file[place % file.length] ^= change;
    if (compressionOf(file) != packing || content.length > LIMIT) {
      return;
    }
    SourceReading reading = read(file, Format.TEXT, Docno.PATH);
    assertThat(reading.docs.size() + reading.skips.all().size()).isEqualTo(1);
    for (SourceReading.Doc doc : reading.docs) {
      assertThat(doc.text()).isEqualTo(new String(content, UTF_8));
    }
  }

  private static int choice(byte[] input) {
    return input.length == 0 ? 0 : input[0] & 0xFF;
  }

  private static byte[] content(byte[] input) {
    return Arrays.copyOfRange(input, Math.min(1, input.length), input.length);
  }

  private SourceReading read(byte[] content, Format format, Docno docno)
      throws IOException, InterruptedException {
    Files.write(root.resolve("a"), content);
    SourceOptions options =
        new SourceOptions(format, docno, LIMIT, SourceOptions.DEFAULT_MAX_EXPANSION);
    SourceReading reading = SourceReading.of(root, options);
    assertThat(reading.missedBorders).isZero();
    for (SourceReading.Doc doc : reading.docs) {
      assertThat(doc.text().length()).isBetween(0, LIMIT);
    }
    return reading;
  }

  /** Lines that hold anything but white space, also behind a byte order mark. */
  private static long lines(byte[] content) {
    return Splitter.on('\n')
        .splitToStream(new String(content, ISO_8859_1))
        .filter(line -> !BLANK.matcher(line).matches())
        .count();
  }

  /** Lines of a list that name its columns, as its first does. */
  private static long headers(byte[] content, Format format) {
    TsvColumns columns = TsvColumns.named(content, 0, content.length);
    if (format != Format.TSV || columns == null) {
      return 0;
    }
    return Splitter.on('\n')
        .splitToStream(new String(content, ISO_8859_1))
        .map(line -> CharMatcher.is('\r').trimTrailingFrom(line).getBytes(ISO_8859_1))
        .filter(line -> columns.isHeader(line, line.length))
        .count();
  }

  private static Compression compressionOf(byte[] content) {
    return Compression.of(content, 0, content.length);
  }

  private static byte[] pack(byte[] content, Compression compression) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream out = packing(packed, compression)) {
      out.write(content);
    }
    return packed.toByteArray();
  }

  private static OutputStream packing(OutputStream out, Compression compression)
      throws IOException {
    return switch (compression) {
      case NONE -> out;
      case GZIP -> new GZIPOutputStream(out);
      case ZSTD -> new ZstdOutputStream(out).setChecksum(true);
      case BZIP2 -> new BZip2CompressorOutputStream(out, 1);
      case XZ -> new XZOutputStream(out, new LZMA2Options(0));
      case COMPRESS -> throw new IllegalArgumentException("there is no stream that packs so");
    };
  }
}
