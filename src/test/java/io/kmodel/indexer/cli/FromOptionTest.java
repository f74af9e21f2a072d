package io.kmodel.indexer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.cli.base.ExitCode;
import io.kmodel.indexer.source.RemotePath;
import io.kmodel.indexer.source.remote.FileServer;
import io.kmodel.indexer.source.warc.Warcs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Inputs that a file lists. */
class FromOptionTest extends CommandCalls {
  private String first = "";
  private String second = "";
  private String made = "";

  @BeforeEach
  void write() throws IOException {
    first = Files.writeString(directory.resolve("first page.txt"), "one sea").toString();
    second = Files.writeString(directory.resolve("second\npage.txt"), "two seas").toString();
    made = directory.resolve("made").toString();
  }

  private String list(String text) throws IOException {
    return Files.writeString(directory.resolve("list"), text).toString();
  }

  @Test
  void pathsComeOneALineOrBeforeNul() throws IOException {
    assertThat(run("build", "--from", list("\n" + first + "\r\n\n"), "-o", made, "-q")).isZero();
    assertThat(run("stats", made)).isZero();
    assertThat(out.toString()).startsWith("documents  1\n");
    assertThat(run("append", made, "--from", list(second + "\0"), "-q"))
        .as(err.toString())
        .isZero();
    assertThat(run("document", made, "1", "--number", "--field", "contents")).isZero();
    assertThat(out.toString()).isEqualTo("two seas\n");
  }

  @Test
  void theListFollowsThePathsOfTheCommandLine() throws IOException {
    assertThat(run("build", second, "--from", list(first), "-o", made, "-q")).isZero();
    assertThat(run("document", made, "1", "--number", "--field", "contents")).isZero();
    assertThat(out.toString()).isEqualTo("one sea\n");
  }

  @Test
  void aPackedListOfUrlsIsReadFromItsBase() throws IOException {
    try (FileServer server = new FileServer()) {
      server.put("/crawl/a.txt", "one sea".getBytes(StandardCharsets.UTF_8));
      server.put("/b.txt", "two seas".getBytes(StandardCharsets.UTF_8));
      byte[] list =
          Warcs.concat(
              Warcs.gzip("crawl/a.txt\n".getBytes(StandardCharsets.UTF_8)),
              Warcs.gzip((server.url("/b.txt?secret=1") + "\n").getBytes(StandardCharsets.UTF_8)));
      Path packed = Files.write(directory.resolve("warc.paths.gz"), list);
      String base = server.url("");
      assertThat(run("build", "--from", packed.toString(), "--base", base, "-o", made, "-q"))
          .as(err.toString())
          .isZero();
      assertThat(run("document", made, "crawl/a.txt", "--field", "contents")).isZero();
      assertThat(out.toString()).isEqualTo("one sea\n");
      assertThat(run("document", made, "b.txt", "--field", "contents")).isZero();
      assertThat(Path.of(made, "report.json")).content().doesNotContain("secret");
      assertThat(run("append", made, server.url("/crawl/a.txt"), "-q")).isZero();
      assertThat(run("build", server.url("/b.txt"), "--dry-run")).isZero();
      assertThat(out.toString()).contains("1 file");
      Files.write(packed, Arrays.copyOf(list, list.length - 9));
      assertThat(run("build", "--from", packed.toString(), "-o", made + "2")).isNotZero();
      assertThat(err.toString()).contains("warc.paths.gz: the list cannot be decompressed");
    }
  }

  @Test
  void urlsThatCannotBeReadAreErrorsBeforeTheBuild() throws IOException {
    String[][] wrong = {
      {"ftp://host/a", "ftp://host/a cannot be read: only https, http and s3 are supported"},
      {"https://host/dir/", "it names no file; only prefixes of s3:// can be listed"},
      {"https://host", "it names no file"},
      {"https:///a", "it names no host"},
      {"https://user:password@host/a", "https://***@host/a cannot be read: a password in a URL is"},
      {"https://host/a#b", "write # as %23"},
      {
        "https://host/a b",
        "Illegal character in path at character 15; percent-encode it, e.g. a space as %20"
      },
      {"s3:///key", "it names no bucket"},
      {"s3://my bucket/key", "the name of its bucket has other characters than letters"},
      {"https://my_host/a", "the name of its host has other characters than letters"}
    };
    for (String[] url : wrong) {
      assertThat(run("build", url[0], "-o", made)).as(url[0]).isEqualTo(ExitCode.USAGE);
      assertThat(err.toString()).contains(url[1]);
      assertThat(run("build", "--from", list("\n" + url[0]), "-o", made)).isEqualTo(ExitCode.USAGE);
      assertThat(err.toString()).contains("list: entry 2: ").contains(url[1]);
    }
    assertThat(run("build", first, "--base", "https://host/", "-o", made))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("--base is for the entries of a list");
    assertThat(run("build", "--from", list("a"), "--base", "host", "-o", made))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("--base must be a URL");
    assertThat(run("build", "--from", "https://host/list.gz", "-o", made))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .contains("'https://host/list.gz' is a URL: download it and name its path");
    assertThat(run("build", first, "-o", "s3://bucket/index")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("only paths on disk can be written");
  }

  @Test
  void passwordsInUrlsAreNeverShown() throws IOException {
    String listed = list("https://me:secret@host/a");
    String[][] calls = {
      {"build", "ftp://me:secret@host/a", "-o", made},
      {"build", "https://me:secret@host/a", "-o", made},
      {"build", "https://me:secret/1@host/a", "-o", made},
      {"build", "https://me:secret#1@host/a", "-o", made},
      {"build", "https://me:secret?1@host/a", "-o", made},
      {"build", "https://me:sec secret@host/a", "-o", made},
      {"build", "s3://me:secret@bucket/key", "-o", made},
      {"build", "--from", listed, "-o", made},
      {"build", "--from", "https://me:secret@host/list", "-o", made},
      {"build", "--from", listed, "--base", "https://me:secret@host/", "-o", made},
      {"build", "--from", listed, "--base", "me:secret@host/", "-o", made},
      {"build", "--from", listed, "--bas=https://me:secret@host/", "-o", made},
      {"build", first, "-o", "https://me:secret@host/index"},
      {"search", "https://me:secret@host/index", "sea"}
    };
    for (String[] call : calls) {
      assertThat(run(call)).isEqualTo(ExitCode.USAGE);
      assertThat(err.toString()).contains("***@").doesNotContain("secret");
    }
    assertThat(RemotePath.of("https://[::1]:80/a@b?c@d")).hasToString("https://[::1]:80/a@b");
    assertThat(RemotePath.of("https://host:80/a:b@c")).hasToString("https://host:80/a:b@c");
    assertThat(RemotePath.of("s3://bucket/a:b@c")).hasToString("s3://bucket/a:b@c");
  }

  @Test
  void aBaseWithAQueryIsRefusedAndSoIsOneThatNoEntryCouldFollow() throws IOException {
    String[][] wrong = {
      {"https://host/get?name=", "--base https://host/get has a query"},
      {"https://host/a b/", "--base https://host/a b/ cannot be used: Illegal character"},
      {"ftp://host/", "--base ftp://host/ cannot be used: only https, http and s3 are"}
    };
    for (String[] base : wrong) {
      assertThat(run("build", "--from", list(first), "--base", base[0], "-o", made))
          .isEqualTo(ExitCode.USAGE);
      assertThat(err.toString()).contains(base[1]);
    }
  }

  @Test
  void nothingToIndexAndListsThatAreNoTextAreErrors() throws IOException {
    assertThat(run("build", "-o", made)).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("nothing to index: give one or more PATHs");
    assertThat(run("append", made)).isEqualTo(ExitCode.USAGE);
    assertThat(run("build", "--from", list("\n\n"), "-o", made)).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("lists no path");
    Path latin =
        Files.write(directory.resolve("latin"), "caf\u00e9".getBytes(StandardCharsets.ISO_8859_1));
    assertThat(run("build", "--from", latin.toString(), "-o", made)).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .contains("latin: the list is not in UTF-8; if it is compressed, only gzip");
    assertThat(run("build", "--from", list("# crawl\n"), "--base", "https://host/", "-o", made))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("list: entry 1 (lists have no comments): ");
    assertThat(run("build", "--from", made + "/no", "-o", made)).isNotZero();
    assertThat(err.toString()).contains(made + "/no");
    assertThat(Path.of(made)).doesNotExist();
  }
}
