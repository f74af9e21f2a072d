package io.kmodel.indexer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.cli.base.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The commands that make an index of others: append, delete and merge. */
class UpdateCommandsTest extends CommandCalls {
  private String more() throws IOException {
    Path more = Files.createDirectories(directory.resolve("more"));
    Files.writeString(more.resolve("fourth.txt"), "another river");
    return more.toString();
  }

  @Test
  void documentsAreAddedAndDeleted() throws IOException {
    String index = index();
    assertThat(run("append", index, more(), "--threads", "1")).as(err.toString()).isZero();
    assertThat(out.toString())
        .startsWith(index + ": an index of 4 documents and ")
        .contains("of which 1 document is new", "skipped        0 documents");
    assertThat(run("search", index, "another")).isZero();
    assertThat(out.toString()).contains("fourth.txt");
    Path ids = Files.writeString(directory.resolve("ids"), "fourth.txt\nfifth.txt\n");
    assertThat(run("delete", index, "--ids", ids.toString())).isEqualTo(ExitCode.INCOMPLETE);
    assertThat(out.toString())
        .contains(": an index of 3 documents and ", "; 1 document deleted", "1 id", "fifth.txt");
    assertThat(run("search", index, "another")).isEqualTo(ExitCode.INCOMPLETE);
  }

  @Test
  void newAndSkippedDocumentsAreCountedOverTheBuildAndTheMerge() throws IOException {
    String index = index();
    Path crawl = Path.of(more());
    assertThat(run("append", index, crawl.toString(), "-q")).as(err.toString()).isZero();
    Files.writeString(crawl.resolve("fifth.txt"), "a third river");
    Files.write(crawl.resolve("picture.txt"), new byte[100]);
    assertThat(run("append", index, crawl.toString(), "--duplicates", "skip"))
        .isEqualTo(ExitCode.INCOMPLETE);
    assertThat(out.toString())
        .startsWith(index + ": an index of 5 documents and ")
        .contains(
            "of which 1 document is new",
            "  skipped        2 documents%n    1 binary content%n".formatted(),
            "%n    1 duplicate id%n".formatted())
        .doesNotContain("with the id of");
    assertThat(run("append", index, crawl.toString(), "--duplicates", "last"))
        .isEqualTo(ExitCode.INCOMPLETE);
    assertThat(out.toString())
        .startsWith(index + ": an index of 5 documents and ")
        .contains("of which 2 documents are new")
        .contains("  replaced       2 documents with the id of a later one")
        .contains("  skipped        1 document%n    1 binary content%n".formatted());
    Files.writeString(crawl.resolve("twins.jsonl"), "{\"id\":\"t\",\"text\":\"a\"}\n".repeat(2));
    assertThat(run("append", index, crawl.toString(), "--duplicates", "keep"))
        .isEqualTo(ExitCode.INCOMPLETE);
    assertThat(out.toString())
        .contains("of which 4 documents are new")
        .containsOnlyOnce("  duplicates     3 documents with the id of an earlier one");
  }

  @Test
  void aMergeMayBeExported() throws IOException {
    String other = directory.resolve("other").toString();
    assertThat(run("build", more(), "-o", other, "--threads", "1", "-q")).isZero();
    String both = directory.resolve("both").toString();
    Path lucene = directory.resolve("lucene");
    assertThat(run("merge", index(), other, "-o", both, "--export", "lucene:" + lucene))
        .as(err.toString())
        .isZero();
    assertThat(out.toString())
        .contains("an index of 4 documents", "merged from 2 indexes")
        .contains("lucene: a Lucene 10.6 index of 4 documents");
    assertThat(lucene.resolve("segments_1")).exists();
    assertThat(run("merge", index(), other, "-o", both + "2", "--export", "lucene:" + other))
        .isEqualTo(ExitCode.USAGE);
    assertThat(directory.resolve("both2")).doesNotExist();
  }

  @Test
  void documentsAreAddedToAReorderedIndex() throws IOException {
    String ordered = directory.resolve("ordered").toString();
    assertThat(run("reorder", index(), "--order", "bp", "-o", ordered, "-q")).isZero();
    assertThat(run("append", ordered, more())).as(err.toString()).isZero();
    assertThat(run("stats", ordered)).isZero();
    assertThat(out.toString()).contains("documents  4").doesNotContain("order ");
  }

  /** Both say what they found; neither touches the index. */
  @Test
  void mistakesAreTold() throws IOException {
    String index = index();
    assertThat(run("append", index, directory.resolve("nothing").toString()))
        .isNotEqualTo(ExitCode.OK);
    assertThat(err.toString()).contains("nothing");
    assertThat(run("append", index, more(), "--duplicates", "first")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("--duplicates", "first");
    assertThat(run("append", index, more(), "--memory", "1m")).isEqualTo(ExitCode.USAGE);
    assertThat(run("append", directory.resolve("gone").toString(), more()))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("no index at");
    assertThat(run("append", index, index)).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("which takes its place");
    assertThat(run("append", index, more(), "--format", "vectors")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("is an index of texts; documents of --format vectors");
    assertThat(run("delete", index)).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("--ids");
    assertThat(run("verify", index)).isZero();
    assertThat(out.toString()).contains("3 documents");
    assertThat(directory.resolve("index.appending")).doesNotExist();
  }

  @Test
  void nothingIsAppendedToAnImportedIndex() throws IOException {
    String ciff = directory.resolve("index.ciff").toString();
    String imported = directory.resolve("imported").toString();
    assertThat(run("export", "ciff", index(), ciff, "-q")).isZero();
    assertThat(run("import", "ciff", ciff, "-o", imported, "-q")).isZero();
    assertThat(run("append", imported, more())).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("nothing can be appended to " + imported + ": it ");
  }
}
