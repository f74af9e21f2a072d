package io.kmodel.indexer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.cli.Launcher.Ended;
import io.kmodel.indexer.cli.base.ExitCode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Builds on a machine that native libraries cannot be loaded on. */
class NativeLibrariesTest {
  @TempDir Path directory;

  @Test
  void withoutZstdABuildThatStoresTextFailsWithOneLine() throws Exception {
    Path page = Files.writeString(directory.resolve("page.txt"), "words of a page");
    Ended ended = build(page, "contents");
    assertThat(ended.exitCode()).as(ended.err()).isEqualTo(ExitCode.FAILED);
    assertThat(ended.err())
        .startsWith("indexer: zstd's native library cannot be loaded: ")
        .hasLineCount(1);
  }

  /** The index would depend on the machine if the file were skipped as damaged. */
  @Test
  void withoutLibdeflateABuildThatReadsLargeGzipFails() throws Exception {
    Ended ended = build(members(), "none");
    assertThat(ended.exitCode()).as(ended.err()).isEqualTo(ExitCode.FAILED);
    assertThat(ended.err())
        .startsWith("indexer: libdeflate, which decompresses gzip, cannot be loaded on ")
        .contains("not bundled for this platform; INDEXER_JAVA_OPTIONS=-Dindexer.libdeflate=false")
        .hasLineCount(1);
    assertThat(directory.resolve("index")).doesNotExist();
  }

  /** Writes a list of documents with a gzip member each. */
  private Path members() throws IOException {
    Random random = new Random(1);
    byte[] noise = new byte[60_000];
    Path file = directory.resolve("list.jsonl.gz");
    try (OutputStream out = Files.newOutputStream(file)) {
      for (int i = 0; i < 20; i++) {
        random.nextBytes(noise);
        String text = HexFormat.of().formatHex(noise);
        ByteArrayOutputStream member = new ByteArrayOutputStream();
        try (OutputStream gzip = new GZIPOutputStream(member)) {
          String line = "{\"id\": \"%d\", \"contents\": \"%s\"}\n".formatted(i, text);
          gzip.write(line.getBytes(StandardCharsets.UTF_8));
        }
        member.writeTo(out);
      }
    }
    return file;
  }

  private Ended build(Path file, String store) throws IOException, InterruptedException {
    List<String> command = Program.ofClasses("-Dos.name=unknown");
    command.addAll(List.of("build", file.toString(), "--store", store, "--threads", "1"));
    command.addAll(List.of("-q", "-o", directory.resolve("index").toString()));
    Path java = Path.of(command.removeFirst());
    return Launcher.run(java, Map.of(), command.toArray(String[]::new));
  }
}
