package io.kmodel.indexer.source.remote;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import io.kmodel.indexer.source.Packed;
import io.kmodel.indexer.source.RemotePath;
import io.kmodel.indexer.source.SkipListener;
import io.kmodel.indexer.source.SkipReason;
import io.kmodel.indexer.source.SourceOptions;
import io.kmodel.indexer.source.SourceReading;
import io.kmodel.indexer.source.Split;
import io.kmodel.indexer.source.crawl.Crawl;
import io.kmodel.indexer.source.list.FileList;
import io.kmodel.indexer.source.remote.FileServer.Reply;
import io.kmodel.indexer.source.warc.Warcs;
import io.kmodel.indexer.store.LittleEndian;
import io.kmodel.indexer.store.library.ZstdLibrary;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.netpreserve.jwarc.WarcCompression;

/** A server that fails within a file ends the reading, whatever decodes the file. */
@Timeout(60)
class OutageTest {
  /** The bytes that the second request gets; the first one asks for the size. */
  private static final int SERVED = 1 << 19;

  private FileServer server;

  @BeforeEach
  void start() throws IOException {
    server = new FileServer();
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  /** Lines of JSON that hardly compress: packed, they have at least so many bytes. */
  private static byte[] lines(int bytes) {
    Random random = new Random(9);
    StringBuilder lines = new StringBuilder();
    byte[] noise = new byte[7500];
    for (int i = 0; lines.length() * 3L / 4 < bytes; i++) {
      random.nextBytes(noise);
      String text = Base64.getEncoder().encodeToString(noise);
      lines.append("{\"id\": \"%d\", \"text\": \"%s\"}\n".formatted(i, text));
    }
    return lines.toString().getBytes(US_ASCII);
  }

  /** An archive whose second header begins right before the bytes that are not served. */
  private static byte[] archive() throws IOException {
    int header = archive(SERVED - 1000, 0).length - SERVED + 1000;
    return archive(SERVED - header - 20, 1);
  }

  private static byte[] archive(int textBytes, int more) throws IOException {
    var first = Warcs.resource("http://a/", "text/plain", "x".repeat(textBytes));
    byte[] start = Warcs.write(WarcCompression.NONE, first);
    var second = Warcs.resource("http://b/", "text/plain", "second");
    return more == 0 ? start : Warcs.concat(start, Warcs.write(WarcCompression.NONE, second));
  }

  private static byte[] file(String name) throws IOException {
    byte[] lines = lines(SERVED + 100_000);
    return switch (name) {
      case "a.jsonl" -> lines;
      case "a.jsonl.gz" -> Warcs.gzip(lines);
      case "a.jsonl.zst" -> Packed.zstd(lines, null);
      case "a.jsonl.xz" -> Packed.xz(lines, 1);
      case "a.jsonl.z" -> Packed.compress(lines, 16);
      case "a.jsonl.bz2" -> {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (OutputStream out = new BZip2CompressorOutputStream(packed)) {
          out.write(lines);
        }
        yield packed.toByteArray();
      }
      case "a.warc" -> archive();
      case "dictionary.zst" -> {
        ZstdLibrary.load();
        byte[] dictionary = new byte[SERVED + 10];
        LittleEndian.putInt(dictionary, 0, 0xEC30A437);
        yield Warcs.concat(Packed.zstdDictionary(dictionary), Zstd.compress(lines));
      }
      default -> throw new IllegalArgumentException(name);
    };
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a.jsonl",
        "a.jsonl.gz",
        "a.jsonl.zst",
        "a.jsonl.xz",
        "a.jsonl.z",
        "a.jsonl.bz2",
        "a.warc",
        "dictionary.zst"
      })
  void aRefusalWithinAFileIsNoDamage(String name) throws IOException {
    byte[] file = file(name);
    assertThat(file).hasSizeGreaterThan(SERVED);
    server.put("/" + name, file);
    server.at(3, 1000, usual -> Reply.of(403, ""));
    Path url = RemotePath.of(server.url("/" + name));
    assertThatThrownBy(() -> SourceReading.of(url))
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining("the server answers 403");
    assertThat(server.requests).hasSize(3);
  }

  @Test
  void parquetIsNotReadFromAServerThatSendsNoParts() throws Exception {
    server.ranges = false;
    byte[] file = new byte[SERVED];
    System.arraycopy("PAR1".getBytes(US_ASCII), 0, file, 0, 4);
    server.put("/a.parquet", file);
    SourceReading read = SourceReading.of(RemotePath.of(server.url("/a.parquet")));
    assertThat(read.skips.only().reason()).isEqualTo(SkipReason.UNREADABLE);
    assertThat(read.skips.only().detail()).contains("download it and name its path");
    assertThat(server.requests).hasSize(2);
  }

  @Test
  void aSmallParquetFileIsReadFromAnyServer() throws Exception {
    server.ranges = false;
    server.put("/a.parquet", Files.readAllBytes(Path.of("corpus-samples/formats/birds.parquet")));
    SourceReading read = SourceReading.of(RemotePath.of(server.url("/a.parquet")));
    assertThat(read.skips.all()).isEmpty();
    assertThat(read.docs).isNotEmpty();
  }

  @Test
  void otherReadersOfAFileThatIsDecompressedOnceDoNotTakeItForDamage() throws Exception {
    byte[] file = Warcs.gzip(lines((int) FileList.LARGE_BYTES + 100_000));
    server.put("/a.jsonl.gz", file);
    List<Split> splits =
        Crawl.open(
                List.of(RemotePath.of(server.url("/a.jsonl.gz"))),
                List.of(),
                SourceOptions.DEFAULT,
                SkipListener.NONE)
            .splits(3 << 20);
    assertThat(splits).hasSizeGreaterThan(2);
    for (Split split : splits) {
      split.claim();
    }
    server.script =
        (request, usual) ->
            request.header("range").startsWith("bytes=0-") ? usual : Reply.of(403, "");
    SourceReading read = new SourceReading();
    assertThatThrownBy(() -> read.read(splits.getFirst())).isInstanceOf(UnavailableException.class);
    server.script = (request, usual) -> usual;
    assertThatThrownBy(() -> read.read(splits.get(1))).isInstanceOf(UnavailableException.class);
    assertThat(read.skips.all()).isEmpty();
  }
}
