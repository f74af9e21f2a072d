package io.kmodel.indexer.source.crawl;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.kmodel.indexer.source.Docno;
import io.kmodel.indexer.source.DocumentReader;
import io.kmodel.indexer.source.Format;
import io.kmodel.indexer.source.RawDocument;
import io.kmodel.indexer.source.SourceOptions;
import io.kmodel.indexer.source.record.RecordedSkips;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;

/** Any bytes as a text file of a crawl: a document within the limit, or a skip; one of both. */
class CrawlFuzzTest {
  private static final int LIMIT = 1 << 14;

  private static final List<String> NAMES = List.of("a", "a.html", "a.html.gz", "a.gz", "a.txt");

  private static final byte[] GZIP = {0x1F, (byte) 0x8B};

  /** How files begin that are unpacked whatever they are called: gzip, zstd, bzip2, xz. */
  private static final List<byte[]> PACKED =
      List.of(
          GZIP,
          new byte[] {0x28, (byte) 0xB5, 0x2F, (byte) 0xFD},
          new byte[] {'B', 'Z', 'h'},
          new byte[] {(byte) 0xFD, '7', 'z', 'X', 'Z'});

  private static final SourceOptions OPTIONS =
      new SourceOptions(Format.TEXT, Docno.PATH, LIMIT, SourceOptions.DEFAULT_MAX_EXPANSION);

  @TempDir Path root;

  /** The first byte says how the file is called. */
  @FuzzTest
  void aFileIsADocumentOrASkip(byte[] input) throws IOException, InterruptedException {
    byte[] content = Arrays.copyOfRange(input, Math.min(1, input.length), input.length);
    byte[] document = read(NAMES.get(input.length == 0 ? 0 : (input[0] & 0xFF) % 5), content);
    if (document != null && PACKED.stream().noneMatch(magic -> startsWith(content, magic))) {
      assertThat(document).isEqualTo(content);
    }
  }

  @FuzzTest
  void whatUnpacksUnpacksAsInTheJdk(byte[] tail) throws IOException, InterruptedException {
    byte[] content = new byte[tail.length + 3];
    content[0] = 0x1F;
    content[1] = (byte) 0x8B;
    content[2] = 8;
    System.arraycopy(tail, 0, content, 3, tail.length);
    byte[] document = read("a.gz", content);
    if (document != null) {
      try (GZIPInputStream jdk = new GZIPInputStream(new ByteArrayInputStream(content))) {
        assertThat(document).isEqualTo(jdk.readAllBytes());
      }
    }
  }

  /** Members of any lengths, one byte changed anywhere: their content, or a skip. */
  @FuzzTest
  void changedMembersUnpackToTheirContentOrNotAtAll(FuzzedDataProvider data)
      throws IOException, InterruptedException {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    int place = data.consumeInt(0, 1 << 16);
    byte change = data.consumeByte();
    do {
      byte[] member = data.consumeBytes(data.consumeInt(0, 1 << 10));
      content.write(member);
      try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
        out.write(member);
      }
    } while (data.remainingBytes() > 0);
    byte[] file = packed.toByteArray();
    file[place % file.length] ^= change;
    byte[] document = read("a.gz", file);
    if (document != null && startsWith(file, GZIP)) {
      assertThat(document).isEqualTo(content.toByteArray());
    }
  }

  private static boolean startsWith(byte[] content, byte[] magic) {
    return content.length >= magic.length
        && Arrays.equals(content, 0, magic.length, magic, 0, magic.length);
  }

  /** The document that a file is read as; null where it is skipped. */
  private byte @Nullable [] read(String name, byte[] content)
      throws IOException, InterruptedException {
    Path file = root.resolve(name);
    Files.write(file, content);
    RecordedSkips skips = new RecordedSkips();
    byte[] found = null;
    Crawl crawl = Crawl.open(List.of(root), List.of(), OPTIONS, skips);
    try (DocumentReader reader = crawl.splits(1).getFirst().open(skips)) {
      for (RawDocument document = reader.next(); document != null; document = reader.next()) {
        assertThat(found).isNull();
        assertThat(document.length()).isBetween(0, LIMIT);
        found = Arrays.copyOf(document.bytes(), document.length());
      }
    } finally {
      Files.delete(file);
    }
    assertThat(skips.all()).hasSize(found == null ? 1 : 0);
    return found;
  }
}
