package io.kmodel.indexer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.cli.base.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** CIFF from the command line: exported, imported, refused. */
class CiffCommandsTest extends CommandCalls {
  @Test
  void anIndexGoesToCiffAndBackAndIsSearched() throws IOException {
    String index = index();
    String file = directory.resolve("file.ciff.gz").toString();
    String back = directory.resolve("back").toString();
    assertThat(run("export", "ciff", index, file)).as(err.toString()).isEqualTo(ExitCode.OK);
    assertThat(out.toString()).contains("CIFF of 3 documents, ");
    assertThat(run("export", "ciff", index, file)).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("exists; --overwrite replaces it");
    assertThat(run("import", "ciff", file, "--output", back)).isEqualTo(ExitCode.OK);
    assertThat(out.toString())
        .contains("an index of 3 documents, ", "description      indexer: field contents")
        .doesNotContain("  note  ");
    assertThat(run("verify", back)).as(err.toString()).isEqualTo(ExitCode.OK);
    assertThat(run("search", back, "river")).isEqualTo(ExitCode.OK);
    assertThat(out.toString()).contains("1. first");
    assertThat(run("import")).isEqualTo(ExitCode.USAGE);
    assertThat(run("import", "ciff", file, "-o", back, "--analyzer", "nglish"))
        .isEqualTo(ExitCode.USAGE);
  }

  @Test
  void aFileThatIsNoCiffIsRefusedInOneLine() throws IOException {
    Path file = Files.writeString(directory.resolve("page.html"), "<html>not an index</html>");
    assertThat(run("import", "ciff", file.toString(), "-o", directory.resolve("i").toString()))
        .isEqualTo(ExitCode.FAILED);
    assertThat(err.toString().lines()).hasSize(1);
    assertThat(err.toString()).contains(file + ": before offset ");
  }

  /** As wrong usage is not: nothing else in the call would help. */
  @Test
  void whatAFormatCannotHoldIsAFailure() throws IOException {
    byte[] many = HexFormat.of().parseHex("14080110001" + "8FFFFFFFF07200028FFFFFFFF073000");
    Path file = Files.write(directory.resolve("many.ciff"), many);
    String index = directory.resolve("i").toString();
    assertThat(run("import", "ciff", file.toString(), "-o", index)).isEqualTo(ExitCode.FAILED);
    assertThat(err.toString()).contains("2147483647 documents; an index holds one less");
    String document = "EC8102" + "12E88102" + "61".repeat(33_000);
    byte[] named = HexFormat.of().parseHex("0C080110001801200028013000" + document);
    Files.write(file, named);
    assertThat(run("import", "ciff", file.toString(), "-o", index)).as("%s", err).isZero();
    assertThat(run("export", "lucene", index, directory.resolve("lucene").toString()))
        .isEqualTo(ExitCode.FAILED);
    assertThat(err.toString())
        .contains("Lucene's terms have at most 32766 bytes; got one of 33000");
  }

  @Test
  void whatACiffFileSaysOfItselfIsShownInOneLine() throws IOException {
    byte[] file = HexFormat.of().parseHex("0C0801" + "4208" + "611B5B33316D0A62");
    Path ciff = Files.write(directory.resolve("file.ciff"), file);
    assertThat(run("import", "ciff", ciff.toString(), "-o", directory.resolve("i").toString()))
        .isEqualTo(ExitCode.OK);
    assertThat(out.toString().lines()).hasSize(2);
    assertThat(out.toString()).contains("description      a\\x1b[31m\\x0ab");
  }

  /** It named the field id, which is refused. */
  @Test
  void theFieldsThatTheHelpOfExportCiffNamesAreExported() throws IOException {
    assertThat(run("export", "ciff", "--help")).isZero();
    Matcher named = Pattern.compile("Read this field, e.g. (.*?) \\(").matcher(out.toString());
    assertThat(named.find()).isTrue();
    for (String field : named.group(1).split(", | or ", -1)) {
      String file = directory.resolve(field + ".ciff").toString();
      assertThat(run("export", "ciff", index(), file, "--field", field))
          .as(err.toString())
          .isZero();
    }
  }
}
