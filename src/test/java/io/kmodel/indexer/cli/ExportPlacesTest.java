package io.kmodel.indexer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.kmodel.indexer.cli.base.ExitCode;
import io.kmodel.indexer.faults.OpenDescriptors;
import java.io.IOException;
import java.nio.channels.Pipe;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where a build's export goes, and that it is known before the build whether it can go there. */
class ExportPlacesTest extends CommandCalls {

  @BeforeEach
  void write() throws IOException {
    Files.writeString(Files.createDirectory(directory.resolve("crawl")).resolve("a.txt"), "heron");
  }

  @ParameterizedTest
  @CsvSource({
    "lucene:taken, it holds file; --overwrite replaces a Lucene index",
    "lucene:taken --overwrite, 'it holds file, and is not a Lucene index'",
    "lucene:taken/file --overwrite, must be absent or an empty directory",
    "ciff:taken/file, exists; --overwrite replaces it",
    "ciff:taken --overwrite, is not a regular file",
    "ciff:absent/file, no such directory to export",
    "lucene:free --segments 5000, segments must be 1 to 4096; got 5000",
    "lucene:free --segments 0, --segments must be at least 1; got 0",
    "ciff:free --segments 2, --segments has no effect without --export=lucene:DIR"
  })
  void whatIsInTheWayOfAnExportIsToldBeforeTheBuild(String export, String message)
      throws IOException {
    Files.writeString(Files.createDirectory(directory.resolve("taken")).resolve("file"), "");
    for (String dry : new String[] {"", " --dry-run"}) {
      String call = "build crawl --output index --threads 1 --export " + export + dry;
      assertThat(run(call)).as(call).isEqualTo(ExitCode.USAGE);
      assertThat(err.toString()).contains(message);
      assertThat(directory.resolve("index")).doesNotExist();
    }
    assertThat(directory.resolve("taken/file")).isEmptyFile();
  }

  /** Whoever may write everywhere, as root may, cannot do so there, either. */
  @ParameterizedTest
  @CsvSource({
    "lucene:crawl/a.txt/x, a.txt is not a directory",
    "lucene:crawl/a.txt/more/x, a.txt is not a directory",
    "lucene:/proc/x, cannot write to directory /proc",
    "lucene:/proc/absent/x, cannot write to directory /proc",
    "ciff:/proc/x.ciff, cannot write to directory /proc",
    "lucene:taken, 'taken.exporting: cannot be used as a work directory, since it contains photo'",
    "ciff:taken, 'taken.exporting: cannot be used as a work directory, since it contains photo'"
  })
  void aPlaceThatNothingCanBeMadeInIsToldBeforeTheBuild(String export, String message)
      throws IOException {
    assumeTrue(Files.isDirectory(Path.of("/proc")), "there is no /proc here");
    Path photo = Files.createDirectory(directory.resolve("taken.exporting")).resolve("photo");
    Files.writeString(photo, "a photo");
    assertThat(run("build crawl --output index --threads 1 --export " + export))
        .isEqualTo(ExitCode.FAILED);
    assertThat(err.toString()).contains(message);
    assertThat(directory.resolve("index")).doesNotExist();
    assertThat(directory.resolve("index.building")).doesNotExist();
    assertThat(photo).hasContent("a photo");
    assertThat(directory).isDirectoryNotContaining("glob:**/indexer*");
  }

  @ParameterizedTest
  @CsvSource({
    "crawl/a.txt/x, a.txt is not a directory|no such directory",
    "crawl/a.txt/more/x, a.txt is not a directory|no such directory",
    "/proc/x, 'x.exporting: cannot be created|cannot write to directory /proc'"
  })
  void anExportOfAnIndexThatIsThereSaysWhyItCannotBeMade(String target, String message)
      throws IOException {
    assumeTrue(Files.isDirectory(Path.of("/proc")), "there is no /proc here");
    assertThat(run("build crawl --output index --threads 1")).as("%s", err).isZero();
    for (String engine : new String[] {"lucene", "ciff"}) {
      assertThat(run("export " + engine + " index " + target)).isEqualTo(ExitCode.FAILED);
      assertThat(err.toString()).containsPattern(message);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "index, 'exists already; name another output, or replace it with --overwrite\n', 2",
    "crawl/a.txt/x, a.txt is not a directory, 3",
    "crawl/a.txt, 'a.txt exists already; name another output\n', 2",
    "crawl --overwrite, crawl is not an index, 2",
    "crawl/a.txt --overwrite, a.txt is not an index, 2",
    "link, is a link to nowhere, 2",
    "new, 'new.building: cannot be used as a work directory, since it contains photo', 2"
  })
  void aDryRunRefusesAnOutputThatTheBuildRefuses(String output, String message, int exitCode)
      throws IOException {
    assertThat(run("build crawl --output index --threads 1")).as("%s", err).isZero();
    Files.createSymbolicLink(directory.resolve("link"), Path.of("nowhere"));
    Files.createDirectory(directory.resolve("new.building"));
    Files.writeString(directory.resolve("new.building/photo"), "a photo");
    List<Path> before = all();
    for (String to : new String[] {" --output ", " --export lucene:"}) {
      for (String dry : new String[] {"", " --dry-run"}) {
        String call = "build crawl --threads 1" + to + output + dry;
        assertThat(run(call)).as(call).isEqualTo(exitCode);
        assertThat(err.toString()).contains(message);
        assertThat(all()).isEqualTo(before);
      }
    }
    assertThat(run("build crawl --threads 1 --dry-run --overwrite --output index"))
        .as("%s", err)
        .isZero();
    assertThat(all()).isEqualTo(before);
  }

  private List<Path> all() throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      return all.sorted().toList();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "index, lucene:index",
    "index, lucene:index/lucene",
    "place/index, lucene:place",
    "index, ciff:index",
    "index, ciff:index/file.ciff",
    "place/index, ciff:place",
    "index, lucene:place/../index/lucene",
    "link/index, lucene:crawl/index/lucene"
  })
  void anIndexAndItsExportAreNotInOneAnother(String output, String export) throws IOException {
    Files.createSymbolicLink(directory.resolve("link"), directory.resolve("crawl"));
    for (String more : new String[] {"", " --dry-run", " --overwrite"}) {
      String call = "build crawl --output " + output + " --export " + export + more;
      assertThat(run(call)).as(call).isEqualTo(ExitCode.USAGE);
      assertThat(err.toString()).contains("must not be the same or contain each other");
    }
    assertThat(directory.resolve(output)).doesNotExist();
  }

  @Test
  void aSecondExportSaysThatThereIsOne() throws IOException {
    assertThat(run("build crawl --output index --threads 1")).as("%s", err).isZero();
    assertThat(run("export lucene index place")).as("%s", err).isZero();
    assertThat(run("export lucene index place")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .contains("place already has a Lucene index; --overwrite replaces it");
    assertThat(run("export lucene index place --overwrite")).as("%s", err).isZero();
  }

  /** As standard output is, in a pipe: of it, it was said that there was no such file. */
  @Test
  void aPipeIsRefusedAsTheTargetOfAnExport() throws IOException {
    assertThat(run("build crawl --output index --threads 1")).as("%s", err).isZero();
    Pipe pipe = Pipe.open();
    try (Pipe.SourceChannel source = pipe.source();
        Pipe.SinkChannel sink = pipe.sink()) {
      Files.createSymbolicLink(directory.resolve("place"), OpenDescriptors.ofPipe());
      for (String call :
          new String[] {
            "export ciff index place",
            "export ciff index place --overwrite",
            "build crawl --output new --threads 1 --export ciff:place",
          }) {
        assertThat(run(call)).as(call).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString())
            .contains("place exists and is not a regular file, so it cannot be replaced");
      }
      for (String call :
          new String[] {
            "export lucene index place",
            "build crawl --output new --threads 1 --export lucene:place",
          }) {
        assertThat(run(call)).as(call).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString())
            .contains("place: the target of an export must be absent or an empty directory");
      }
      for (String call :
          new String[] {"build crawl --output place", "build crawl --export lucene:place"}) {
        assertThat(run(call)).as(call).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains("place exists already; name another output");
      }
      assertThat(source.isOpen() && sink.isOpen()).isTrue();
    }
    assertThat(directory.resolve("new")).doesNotExist();
  }

  @Test
  void anExportIntoTheIndexThatIsExportedIsRefused() throws IOException {
    assertThat(run("build crawl --output index --threads 1")).as("%s", err).isZero();
    for (String export : new String[] {"lucene index index/lucene", "ciff index index/file.ciff"}) {
      assertThat(run("export " + export)).as(export).isEqualTo(ExitCode.USAGE);
      assertThat(err.toString()).contains("must not be the same or contain each other");
    }
    assertThat(run("build crawl --output index --threads 1 --overwrite")).as("%s", err).isZero();
  }

  @Test
  void aLuceneIndexIsReplacedWhereThatIsAskedFor() throws IOException {
    String call = "build crawl --output index --threads 1 --export lucene:made/lucene";
    assertThat(run("build crawl --threads 1 --export lucene:made/lucene")).as("%s", err).isZero();
    assertThat(run(call)).isEqualTo(ExitCode.USAGE);
    Files.writeString(directory.resolve("crawl/b.txt"), "bittern");
    assertThat(run(call + " --overwrite")).as("%s", err).isZero();
    assertThat(documents(directory.resolve("made/lucene"))).isEqualTo(2);
    assertThat(run(call + " --overwrite")).as("%s", err).isZero();
    assertThat(directory.resolve("made")).isDirectoryNotContaining("glob:**.exporting");
  }

  @Test
  void whatIsInThePlaceOfAnExportOfAnIndexIsReplacedOnlyWhereThatIsAskedFor() throws IOException {
    assertThat(run("build crawl --output index --threads 1")).as("%s", err).isZero();
    for (String export : new String[] {"lucene index place/lucene", "ciff index place/file"}) {
      assertThat(run("export " + export)).as("%s", err).isZero();
      assertThat(run("export " + export)).as(export).isEqualTo(ExitCode.USAGE);
      assertThat(err.toString()).contains("--overwrite replaces");
    }
    Files.writeString(directory.resolve("crawl/b.txt"), "bittern");
    assertThat(run("build crawl --output index --threads 1 --overwrite")).as("%s", err).isZero();
    assertThat(run("export lucene index place/lucene --overwrite")).as("%s", err).isZero();
    assertThat(documents(directory.resolve("place/lucene"))).isEqualTo(2);
    for (String engine : new String[] {"lucene", "ciff"}) {
      assertThat(run("export " + engine + " index crawl --overwrite")).isEqualTo(ExitCode.USAGE);
    }
    assertThat(directory.resolve("crawl/a.txt")).hasContent("heron");
  }

  @Test
  void directoriesThatTheBuildMakesNeedNotBeThere() throws IOException {
    assertThat(run("build crawl --output new/index --threads 1 --export ciff:new/file.ciff"))
        .as("%s", err)
        .isZero();
    assertThat(directory.resolve("new/file.ciff")).isNotEmptyFile();
  }

  @Test
  void aDryRunRefusesWhatTheBuildRefuses() {
    assertThat(run("build crawl --dry-run --export ciff:file")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("give --output, too");
    assertThat(run("build crawl --dry-run --segments 2")).isEqualTo(ExitCode.USAGE);
    assertThat(run("build crawl --dry-run --resume --restart")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("cannot be combined");
    assertThat(run("build crawl --dry-run")).as("%s", err).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"lucene:crawl/made", "ciff:crawl/made"})
  void whatIsExportedIntoTheCrawlIsNoDocument(String export) throws IOException {
    String call = "build crawl --output crawl/index --threads 1 --export " + export;
    assertThat(run(call)).as("%s", err).isZero();
    assertThat(run(call + " --overwrite")).as("%s", err).isZero();
    assertThat(out.toString()).contains("an index of 1 document\n");
    assertThat(run(call + " --overwrite --dry-run")).as("%s", err).isZero();
    assertThat(out.toString()).contains(" 1 file,").doesNotContain("skipped");
    String within = call.replace("build crawl ", "build crawl crawl/made ");
    for (String dry : new String[] {"", " --dry-run"}) {
      assertThat(run(within + " --overwrite" + dry)).isEqualTo(ExitCode.USAGE);
      assertThat(err.toString()).contains("made cannot be input if ");
    }
    assertThat(directory.resolve("crawl/made")).exists();
  }

  private static int documents(Path lucene) throws IOException {
    try (FSDirectory files = FSDirectory.open(lucene);
        DirectoryReader reader = DirectoryReader.open(files)) {
      return reader.numDocs();
    }
  }

  /** Runs a command line whose words for files and directories are in {@link #directory}. */
  private int run(String call) {
    String[] arguments = call.split(" ");
    for (int i = 1; i < arguments.length; i++) {
      String word = arguments[i];
      if (word.matches("(crawl|index|link|new|place)(/.*)?")) {
        arguments[i] = directory.resolve(word).toString();
      } else if (word.matches("(lucene|ciff):.*")) {
        String path = word.substring(word.indexOf(':') + 1);
        arguments[i] = word.replace(path, directory.resolve(path).toString());
      }
    }
    return run(arguments);
  }
}
