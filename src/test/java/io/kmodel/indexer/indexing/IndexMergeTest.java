package io.kmodel.indexer.indexing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.equality.SampleDocuments;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.model.ProgressListener;
import io.kmodel.indexer.indexing.options.BuildException;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.options.DuplicateIdException;
import io.kmodel.indexer.indexing.options.Duplicates;
import io.kmodel.indexer.indexing.options.IdPolicy;
import io.kmodel.indexer.indexing.options.MemoryPlan;
import io.kmodel.indexer.indexing.options.Store;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.parse.html.HtmlMode;
import io.kmodel.indexer.source.Format;
import io.kmodel.indexer.source.SourceOptions;
import io.kmodel.indexer.store.CorruptIndexException;
import io.kmodel.indexer.store.disk.DiskSpace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Merged indexes are those of one build, byte for byte. */
class IndexMergeTest {
  private static final int PARTS = 5;

  @TempDir Path directory;
  private final List<Path> crawls = new ArrayList<>();

  /** Files, a collection, and a part without documents. */
  @BeforeEach
  void write() throws Exception {
    for (int part = 0; part < PARTS; part++) {
      Path crawl = Files.createDirectory(directory.resolve("crawl" + part));
      crawls.add(crawl);
      if (part != 2) {
        Crawls.write(crawl, SampleDocuments.random(part, 30 * part + 5, 60));
        StringBuilder lines = new StringBuilder();
        for (int line = 0; line < 200; line++) {
          lines.append(
              "{\"id\":\"%d-%d\",\"contents\":\"the connected words %d\"}\n"
                  .formatted(part, line, line));
        }
        Files.writeString(crawl.resolve("more.jsonl"), lines);
      }
    }
  }

  private BuildOptions options(List<Path> roots, String output, String analyzer, Store store) {
    return new BuildOptions(
        ImmutableList.copyOf(roots),
        directory.resolve(output),
        false,
        HtmlMode.FAST,
        analyzer,
        store != Store.ID,
        store,
        new BuildOptions.Resources(2, 4L << 30));
  }

  private void build(BuildOptions options) throws Exception {
    MemoryPlan plan = new MemoryPlan(1 << 28, 1 << 25, 64 << 20, 64 << 20);
    new Indexing(options, Target.ownIndex(), new BuildProgress(), plan).run();
  }

  private IndexMerge merge(List<String> parts, String output) {
    return merge(parts, output, null);
  }

  private IndexMerge merge(List<String> parts, String output, @Nullable IdPolicy policy) {
    return new IndexMerge(
        new IndexMerge.Options(
            parts.stream().map(directory::resolve).toList(),
            directory.resolve(output),
            false,
            policy,
            2,
            DiskSpace.CHECKED),
        ProgressListener.NONE);
  }

  private List<String> buildParts(String analyzer, Store store) throws Exception {
    List<String> parts = new ArrayList<>();
    for (int part = 0; part < PARTS; part++) {
      parts.add("part" + part);
      build(options(crawls.subList(part, part + 1), "part" + part, analyzer, store));
    }
    return parts;
  }

  private void assertSame(String output) throws IOException {
    assertThat(IndexFilesHash.of(directory.resolve(output)))
        .isEqualTo(IndexFilesHash.of(directory.resolve("whole")));
  }

  @ParameterizedTest
  @CsvSource({"standard,CONTENTS", "english,ID", "standard,NONE", "whitespace,RAW"})
  void mergedIndexesAreThoseOfOneBuild(String analyzer, Store store) throws Exception {
    List<String> parts = buildParts(analyzer, store);
    build(options(crawls, "whole", analyzer, store));
    AtomicLong left = new AtomicLong(-1);
    IndexMerge.Result result =
        new IndexMerge(
                new IndexMerge.Options(
                    parts.stream().map(directory::resolve).toList(),
                    directory.resolve("merged"),
                    false,
                    null,
                    3,
                    DiskSpace.CHECKED),
                (done, total) -> left.set(total - done))
            .run();
    assertSame("merged");
    assertThat(left.get()).as("progress that is left").isZero();
    assertThat(result.indexes()).isEqualTo(PARTS);
    try (InvertedIndex whole = InvertedIndex.open(directory.resolve("whole"))) {
      assertThat(result.documents()).isEqualTo(whole.documentCount());
      long terms =
          IntStream.range(0, whole.schema().size())
              .mapToLong(field -> whole.statistics(field).terms())
              .sum();
      assertThat(result.terms()).isEqualTo(terms);
    }
  }

  @Test
  void oneMergeAfterTheOtherGivesTheSame() throws Exception {
    List<String> parts = buildParts("standard", Store.CONTENTS);
    build(options(crawls, "whole", "standard", Store.CONTENTS));
    merge(parts.subList(0, 1), "merged0").run();
    for (int part = 1; part < PARTS; part++) {
      merge(List.of("merged" + (part - 1), parts.get(part)), "merged" + part).run();
    }
    assertSame("merged" + (PARTS - 1));
  }

  @Test
  void indexesThatDifferAreRefused() throws Exception {
    build(options(crawls.subList(0, 1), "words", "standard", Store.CONTENTS));
    build(options(crawls.subList(1, 2), "stems", "english", Store.CONTENTS));
    build(options(crawls.subList(1, 2), "ids", "standard", Store.ID));
    assertThatThrownBy(() -> merge(List.of("words", "stems"), "merged").run())
        .isInstanceOf(BuildException.class)
        .hasMessageEndingWith(
            "stems were built with different options: analyzer standard; analyzer english");
    assertThatThrownBy(() -> merge(List.of("words", "ids"), "merged").run())
        .isInstanceOf(BuildException.class)
        .hasMessageContaining(
            "different fields: contents (positions, stored), title (positions, stored);"
                + " contents (frequencies), title (frequencies)");
    assertNothingIsLeft();
  }

  @Test
  void aDocumentInTwoIndexesIsCountedSkippedOrRefused() throws Exception {
    BuildOptions keeping = options(crawls.subList(0, 1), "keeping", "standard", Store.ID);
    build(keeping);
    build(
        keeping
            .withSource(keeping.source(), Duplicates.SKIP)
            .withOutput(directory.resolve("skipping")));
    for (String name : List.of("keeping", "skipping")) {
      copy(directory.resolve(name), directory.resolve(name + "-copy"));
    }
    IndexMerge.Result result = merge(List.of("keeping", "keeping-copy"), "twice").run();
    assertThat(result.sharedIds()).isEqualTo(result.documents() / 2).isPositive();
    result = merge(List.of("skipping", "skipping-copy"), "once").run();
    assertThat(result.skipped()).isEqualTo(result.documents()).isPositive();
    assertThatThrownBy(() -> merge(List.of("keeping", "skipping"), "merged").run())
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("choose one with --duplicates");
    assertThatThrownBy(() -> merge(List.of("keeping", "skipping"), "merged", IdPolicy.ERROR).run())
        .isInstanceOf(DuplicateIdException.class)
        .hasMessageContaining("has the id of an earlier one");
    assertNothingIsLeft();
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectory(to);
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(file.getFileName()));
      }
    }
  }

  /** One has a skipped document. */
  @Test
  void skippedDocumentsStayNamed() throws Exception {
    Files.write(crawls.get(1).resolve("picture.html"), new byte[] {(byte) 0x89, 'P', 'N', 'G', 0});
    List<String> parts = buildParts("standard", Store.ID);
    build(options(crawls, "whole", "standard", Store.ID));
    merge(parts, "merged").run();
    assertThat(directory.resolve("merged").resolve("skipped.jsonl"))
        .content()
        .contains("picture.html");
    assertSame("merged");
  }

  @Test
  void theFormatThatOneIsLimitedToDoesNotMatter() throws Exception {
    BuildOptions any = options(crawls.subList(0, 1), "any", "standard", Store.ID);
    build(any);
    BuildOptions one = options(crawls.subList(1, 2), "text", "standard", Store.ID);
    SourceOptions source = one.source();
    build(
        one.withSource(
            new SourceOptions(
                Format.HTML,
                source.docno(),
                source.json(),
                source.maxDocumentBytes(),
                source.maxExpansion(),
                source.maxNesting()),
            one.duplicates()));
    merge(List.of("text", "any"), "merged").run();
    try (InvertedIndex merged = InvertedIndex.open(directory.resolve("merged"))) {
      assertThat(merged.metadata().options()).containsEntry("format", "auto");
    }
  }

  @Test
  void aDamagedIndexIsRefused() throws Exception {
    List<String> parts = buildParts("standard", Store.CONTENTS);
    Path docs = directory.resolve("part4").resolve("postings.docs");
    byte[] bytes = Files.readAllBytes(docs);
    bytes[bytes.length / 2] ^= 1;
    Files.write(docs, bytes);
    assertThatThrownBy(() -> merge(parts, "merged").run())
        .isInstanceOf(CorruptIndexException.class);
    assertNothingIsLeft();
  }

  @Test
  void anIndexIsNotMergedIntoItself() throws Exception {
    List<String> parts = buildParts("standard", Store.ID);
    assertThatThrownBy(() -> merge(List.of("part0", "part1", "part0"), "merged").run())
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("is given twice");
    assertThatThrownBy(() -> merge(List.of("part0", "part1"), "part1/inside").run())
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("must not contain each other");
    assertThatThrownBy(() -> merge(parts, "part1").run()).isInstanceOf(BuildException.class);
    assertThatThrownBy(
            () ->
                new IndexMerge(
                        new IndexMerge.Options(
                            List.of(directory.resolve("part0"), directory.resolve("part1")),
                            directory.resolve("part1"),
                            true,
                            null,
                            1,
                            DiskSpace.CHECKED),
                        ProgressListener.NONE)
                    .run())
        .isInstanceOf(BuildException.class);
  }

  private void assertNothingIsLeft() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files.map(Path::getFileName).map(Path::toString))
          .noneMatch(name -> name.contains("merged"));
    }
  }
}
