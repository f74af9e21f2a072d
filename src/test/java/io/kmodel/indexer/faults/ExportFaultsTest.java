package io.kmodel.indexer.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.Thorough;
import io.kmodel.indexer.export.ciff.CiffExportOptions;
import io.kmodel.indexer.export.ciff.CiffExporter;
import io.kmodel.indexer.export.ciff.CiffLengths;
import io.kmodel.indexer.export.lucene.ExportOptions;
import io.kmodel.indexer.export.lucene.IndexCheck;
import io.kmodel.indexer.export.lucene.LuceneExporter;
import io.kmodel.indexer.export.lucene.segment.ExportCodec;
import io.kmodel.indexer.export.lucene.version.LuceneVersion;
import io.kmodel.indexer.export.opensearch.OpenSearchExporter;
import io.kmodel.indexer.faults.Faults.Kind;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.model.ProgressListener;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.indexing.IndexMerge;
import io.kmodel.indexer.indexing.Indexing;
import io.kmodel.indexer.indexing.Target;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.options.Store;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.parse.html.HtmlMode;
import io.kmodel.indexer.store.disk.Directories;
import io.kmodel.indexer.store.disk.DirectoryLock;
import io.kmodel.indexer.store.disk.DiskSpace;
import io.kmodel.indexer.store.disk.ForeignDirectoryException;
import io.kmodel.indexer.store.disk.LockedException;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * An export whose nth write, force, rename, close or delete fails, for n up to their number, ends
 * with the failure and leaves nothing half-made under the target's name; and the next one works.
 */
@Timeout(300)
class ExportFaultsTest {
  private static final int DOCUMENTS = 60;
  private static final int STRIDE = Faults.stride(19);

  private final Faults faults = new Faults();
  private final FaultyFileSystem system = new FaultyFileSystem(faults);

  @TempDir Path directory;
  private Path target = Path.of("");
  private InvertedIndex index;

  @SuppressWarnings("NullAway.Init") // set by open
  ExportFaultsTest() {}

  @BeforeEach
  void open() throws IOException, InterruptedException {
    Files.createDirectory(out());
    target = out().resolve("target");
    Path samples = Path.of("corpus-samples/trec/docs");
    new Indexing(
            options(samples, directory.resolve("index")), Target.ownIndex(), new BuildProgress())
        .run();
    index = InvertedIndex.open(directory.resolve("index"));
    assertThat(index.documentCount()).isEqualTo(DOCUMENTS);
  }

  @AfterEach
  void close() throws IOException {
    index.close();
  }

  private Path out() {
    return directory.resolve("out");
  }

  /** What is tried. */
  @FunctionalInterface
  private interface Export {
    void to(Path to) throws IOException, InterruptedException;
  }

  /** Fails if what is under a name is not whole. */
  @FunctionalInterface
  private interface Check {
    void whole(Path there) throws IOException;
  }

  @ParameterizedTest
  @EnumSource
  void aLuceneExport(Kind kind) throws Exception {
    faults.spareDirectories();
    survive(kind, this::lucene, ExportFaultsTest::requireLucene);
  }

  @ParameterizedTest
  @EnumSource
  void aLuceneBuild(Kind kind) throws Exception {
    faults.spareDirectories();
    survive(kind, ExportFaultsTest::buildLucene, ExportFaultsTest::requireLucene);
  }

  @ParameterizedTest
  @EnumSource
  void aCiffExport(Kind kind) throws Exception {
    CiffExportOptions options = CiffExportOptions.DEFAULT;
    Path whole = directory.resolve("whole.ciff");
    CiffExporter.export(index, whole, options, ProgressListener.NONE);
    survive(
        kind,
        to -> CiffExporter.export(index, to, options, ProgressListener.NONE),
        there -> assertThat(there).hasSameBinaryContentAs(whole));
  }

  /** Each export loads another Lucene, so not every call fails. */
  @Thorough
  @ParameterizedTest
  @EnumSource
  void anOpenSearchExport(Kind kind) throws Exception {
    faults.spareDirectories();
    OpenSearchExporter.Options options =
        new OpenSearchExporter.Options("pages", null, 2, IndexCheck.CONTENT, DiskSpace.CHECKED);
    survive(
        kind,
        19,
        to ->
            OpenSearchExporter.export(
                index, OpenSearchExporter.directory(to, false), options, ProgressListener.NONE),
        ExportFaultsTest::requireRepository);
  }

  /** Every file but two in JSON and of numbers ends with a checksum. */
  private static void requireRepository(Path there) throws IOException {
    assertThat(there.resolve("index-0")).isNotEmptyFile();
    assertThat(there.resolve("index.latest")).hasSize(Long.BYTES);
    List<Path> files;
    try (Stream<Path> all = Files.walk(there)) {
      files = all.filter(file -> file.toString().matches(".*(/__[\\w-]+|[.]dat)")).toList();
    }
    assertThat(files).hasSizeGreaterThan(20);
    for (Path file : files) {
      try (FSDirectory lucene = FSDirectory.open(file.getParent());
          IndexInput in = lucene.openInput(file.getFileName().toString(), IOContext.READONCE)) {
        CodecUtil.checksumEntireFile(in);
      }
    }
  }

  @Test
  void anExportThatTheDiskHasNoRoomForIsNotBegun() throws Exception {
    faults.leaveFree(1000);
    Path full = system.through(target);
    assertThatThrownBy(() -> lucene(full))
        .isInstanceOf(FileSystemException.class)
        .hasMessageContaining("not enough disk space: the export (of an index of ")
        .hasMessageContaining(", but only 1,000 are free");
    assertThatThrownBy(
            () ->
                CiffExporter.export(index, full, CiffExportOptions.DEFAULT, ProgressListener.NONE))
        .isInstanceOf(FileSystemException.class)
        .hasMessageContaining("not enough disk space: the export (of ")
        .hasMessageContaining(", but only 1,000 are free");
    try (Stream<Path> files = Files.list(out())) {
      assertThat(files).isEmpty();
    }
    // What it asks for is what it takes, and not much more.
    Path lucene = directory.resolve("lucene");
    lucene(lucene);
    long index = Directories.bytes(directory.resolve("index"), "");
    assertThat(Directories.bytes(lucene, "")).isLessThan(3 * index);
    faults.leaveFree(2 * index);
    lucene(full);
    requireLucene(target);
  }

  @Test
  void aGzippedCiffFileAsksForLessRoom() throws Exception {
    Path packed = directory.resolve("whole.ciff.gz");
    CiffExporter.export(index, packed, CiffExportOptions.DEFAULT, ProgressListener.NONE);
    Path plain = directory.resolve("whole.ciff");
    CiffExporter.export(index, plain, CiffExportOptions.DEFAULT, ProgressListener.NONE);
    faults.leaveFree(Files.size(plain) / 2);
    Path again = system.through(out().resolve("again.ciff.gz"));
    CiffExporter.export(index, again, CiffExportOptions.DEFAULT, ProgressListener.NONE);
    assertThat(out().resolve("again.ciff.gz")).hasSameBinaryContentAs(packed);
  }

  @Test
  void whatTheDiskSeemsToHaveNoRoomForIsTriedIfAskedFor() throws Exception {
    faults.leaveFree(0);
    CiffExportOptions ciff =
        new CiffExportOptions(
            Schema.CONTENTS, CiffLengths.EXACT, /* overwrite= */ false, DiskSpace.UNCHECKED);
    CiffExporter.export(index, system.through(out().resolve("ciff")), ciff, ProgressListener.NONE);
    ExportOptions lucene =
        new ExportOptions(
            1,
            1,
            IndexCheck.CONTENT,
            ExportCodec.BEST_SPEED,
            LuceneVersion.NEWEST,
            DiskSpace.UNCHECKED);
    LuceneExporter.export(index, system.through(target), lucene);
    requireLucene(target);
    IndexMerge.Options merge =
        new IndexMerge.Options(
            List.of(directory.resolve("index")),
            system.through(out().resolve("merged")),
            /* overwrite= */ false,
            null,
            1,
            DiskSpace.UNCHECKED);
    new IndexMerge(merge, ProgressListener.NONE).run();
    BuildOptions build =
        options(
            Files.createDirectory(directory.resolve("crawl")),
            system.through(out().resolve("built")),
            DiskSpace.UNCHECKED);
    Files.writeString(directory.resolve("crawl/a.txt"), "a word");
    new Indexing(build, Target.ownIndex(), new BuildProgress()).run();
  }

  /**
   * The stored texts are joined before Lucene's codec has them: two files, of which one counted.
   */
  @Test
  void aMergeIntoSegmentsAsksForTheRoomThatItTakes() throws Exception {
    Path crawl = Files.createDirectory(directory.resolve("signs"));
    Random random = new Random(3);
    for (int page = 0; page < 20; page++) {
      // Signs are no words; zstd packs them in five bits each, Lucene's LZ4 not at all.
      StringBuilder text = new StringBuilder("word ");
      for (int i = 0; i < 50_000; i++) {
        text.append("!#$%&'()*+,-./:;<=>?@[]^`{|}~ \t".charAt(random.nextInt(31)));
      }
      Files.writeString(crawl.resolve(page + ".txt"), text);
    }
    Path own = directory.resolve("own");
    new Indexing(options(crawl, own), Target.ownIndex(), new BuildProgress()).run();
    Path lucene = directory.resolve("lucene");
    buildSegment(crawl, lucene);
    long taken = Directories.bytes(own, "documents.") + Directories.bytes(lucene, "");
    faults.leaveFree(taken);
    assertThatThrownBy(() -> buildSegment(crawl, system.through(target)))
        .isInstanceOf(FileSystemException.class)
        .hasMessageContaining("not enough disk space: the merge (of runs of ");
    faults.leaveFree(2 * taken);
    buildSegment(crawl, system.through(out().resolve("roomy")));
  }

  private static void buildSegment(Path crawl, Path to) throws IOException, InterruptedException {
    new Indexing(options(crawl, to), Target.lucene(1, IndexCheck.NONE), new BuildProgress()).run();
  }

  @Test
  void whatAKilledExportHasLeftIsGoneAfterTheNext() throws Exception {
    Path left = left().resolve("made");
    Files.createDirectories(left);
    Files.writeString(left.resolve("segments_1"), "half");
    lucene(target);
    requireLucene(target);
    assertNothingElse();
  }

  /** Where an export works, as one leaves it that is killed. */
  private Path left() throws IOException {
    Path work = Files.createDirectories(target.resolveSibling("target.exporting"));
    Files.writeString(work.resolve("lock"), "process 1 on a machine, since long ago\n");
    return work;
  }

  @Test
  void whatAnExportHasNotMadeIsLeftAsItIs() throws Exception {
    Path mine = Files.createDirectory(target.resolveSibling("target.exporting")).resolve("mine");
    Files.writeString(mine, "a letter");
    assertThatThrownBy(() -> lucene(target))
        .isInstanceOf(ForeignDirectoryException.class)
        .hasMessageContaining(
            "target.exporting: cannot be used as a work directory, since it contains mine");
    assertThatThrownBy(
            () ->
                CiffExporter.export(
                    index, target, CiffExportOptions.DEFAULT, ProgressListener.NONE))
        .isInstanceOf(ForeignDirectoryException.class);
    assertThat(mine).hasContent("a letter");
    assertThat(target).doesNotExist();
  }

  @Test
  void twoExportsIntoOneTargetDoNotMeet() throws Exception {
    try (DirectoryLock lock =
        DirectoryLock.take(target.resolveSibling("target.exporting"), Set.of())) {
      assertThatThrownBy(() -> lucene(target))
          .isInstanceOf(LockedException.class)
          .hasMessageContaining("process " + ProcessHandle.current().pid());
      lock.deleteAtClose();
    }
    lucene(target);
  }

  @Test
  void twoCiffExportsIntoOneFileDoNotMeet() throws Exception {
    CiffExportOptions options = CiffExportOptions.DEFAULT;
    Path exporting = target.resolveSibling("target.exporting");
    try (DirectoryLock lock = DirectoryLock.take(exporting, Set.of())) {
      assertThatThrownBy(() -> CiffExporter.export(index, target, options, ProgressListener.NONE))
          .isInstanceOf(LockedException.class)
          .hasMessageContaining(
              exporting + " is locked by process " + ProcessHandle.current().pid());
      assertThat(target).doesNotExist();
      assertThat(exporting).exists();
      lock.deleteAtClose();
    }
    Files.writeString(left().resolve("made"), "half of what a killed export has left");
    CiffExporter.export(index, target, options, ProgressListener.NONE);
    Path alone = directory.resolve("alone.ciff");
    CiffExporter.export(index, alone, options, ProgressListener.NONE);
    assertThat(target).hasSameBinaryContentAs(alone);
    assertNothingElse();
  }

  private void survive(Kind kind, Export export, Check check) throws Exception {
    survive(kind, STRIDE, export, check);
  }

  private void survive(Kind kind, int stride, Export export, Check check) throws Exception {
    int survived = 0;
    for (int n = 1; fails(kind, n, export, check); n += stride) {
      survived++;
      Directories.deleteTree(out());
      Files.createDirectory(out());
    }
    assertThat(survived).isPositive();
    System.out.printf("%s: %d failures survived%n", kind, survived);
  }

  /** False if there was no such call. */
  private boolean fails(Kind kind, int n, Export export, Check check) throws Exception {
    String name = "%s %d".formatted(kind, n);
    faults.fail(kind, n);
    boolean ended = false;
    try {
      export.to(system.through(target));
      ended = true;
    } catch (IOException e) {
      assertThat(e).as(name).hasStackTraceContaining("injected");
      if (kind == Kind.WRITE) {
        // The system's words name no file, which on a full disk is what one wants to know.
        assertThat(e.getMessage()).as(name).matches("(?s).*" + out() + "/.*: injected: .*");
      }
    } catch (RuntimeException e) {
      fail(name + " was no IOException", e);
    }
    int injected = faults.injected();
    faults.stop();
    if (Files.exists(target)) {
      check.whole(target);
    }
    if (!ended) {
      Directories.deleteTree(target);
      export.to(target);
      check.whole(target);
      assertNothingElse();
    }
    return injected > 0;
  }

  private void assertNothingElse() throws IOException {
    try (Stream<Path> files = Files.list(out())) {
      assertThat(files).containsExactly(target);
    }
  }

  private void lucene(Path to) throws IOException {
    LuceneExporter.export(index, to, new ExportOptions(2, 2, IndexCheck.CONTENT));
  }

  private static void buildLucene(Path to) throws IOException, InterruptedException {
    new Indexing(
            options(Path.of("corpus-samples/trec/docs"), to),
            Target.lucene(Target.SEGMENT_PER_RUN, IndexCheck.CONTENT),
            new BuildProgress())
        .run();
  }

  private static void requireLucene(Path there) throws IOException {
    try (FSDirectory lucene = FSDirectory.open(there);
        DirectoryReader reader = DirectoryReader.open(lucene)) {
      assertThat(reader.numDocs()).isEqualTo(DOCUMENTS);
    }
  }

  private static BuildOptions options(Path crawl, Path output) {
    return options(crawl, output, DiskSpace.CHECKED);
  }

  private static BuildOptions options(Path crawl, Path output, DiskSpace space) {
    return new BuildOptions(
        ImmutableList.of(crawl),
        output,
        false,
        HtmlMode.FAST,
        "standard",
        true,
        Store.CONTENTS,
        new BuildOptions.Resources(1, 4L << 30).withSpace(space));
  }
}
