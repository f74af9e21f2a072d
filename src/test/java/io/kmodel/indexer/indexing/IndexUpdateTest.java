package io.kmodel.indexer.indexing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.Tier;
import io.kmodel.indexer.analysis.AnalysisDefinition;
import io.kmodel.indexer.analysis.IndexAnalysis;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.documents.StoredTexts;
import io.kmodel.indexer.index.model.IndexMetadata;
import io.kmodel.indexer.index.model.ProgressListener;
import io.kmodel.indexer.index.verify.DeepVerifier;
import io.kmodel.indexer.indexing.options.BuildException;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.options.DuplicateIdException;
import io.kmodel.indexer.indexing.options.Duplicates;
import io.kmodel.indexer.indexing.options.IdPolicy;
import io.kmodel.indexer.indexing.options.IndexedText;
import io.kmodel.indexer.indexing.options.RecordedOptions;
import io.kmodel.indexer.indexing.options.Recovery;
import io.kmodel.indexer.indexing.options.Recovery.Start;
import io.kmodel.indexer.indexing.options.Store;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.indexing.report.Json;
import io.kmodel.indexer.parse.field.FieldPlan;
import io.kmodel.indexer.parse.field.MetadataPlan;
import io.kmodel.indexer.parse.html.HtmlMode;
import io.kmodel.indexer.source.Docno;
import io.kmodel.indexer.source.Format;
import io.kmodel.indexer.source.SourceOptions;
import io.kmodel.indexer.store.disk.DiskSpace;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Documents are added to an index and deleted: the result is the index of one build. */
class IndexUpdateTest {
  private static final String NAMES = "documents";
  private static final int APPENDS = Tier.pick(5, 50);

  @TempDir Path directory;
  private final List<String> notices = new ArrayList<>();

  /** A collection of documents with these ids and texts. */
  private Path collection(String name, String... idsAndTexts) throws IOException {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < idsAndTexts.length; i += 2) {
      lines
          .append(
              Json.MAPPER.writeValueAsString(
                  new TreeMap<>(Map.of("id", idsAndTexts[i], "contents", idsAndTexts[i + 1]))))
          .append('\n');
    }
    return Files.writeString(directory.resolve(name + ".jsonl"), lines);
  }

  /** As many documents of some words each, numbered from {@code first}. */
  private Path collection(int first, int count) throws IOException {
    List<String> documents = new ArrayList<>();
    for (int i = first; i < first + count; i++) {
      documents.add("d" + i);
      documents.add("all have these, some have w%d and w%d w%d".formatted(i % 7, i % 3, i % 50));
    }
    return collection(NAMES + first, documents.toArray(String[]::new));
  }

  private BuildOptions options(String output, Path... roots) {
    return new BuildOptions(
        ImmutableList.copyOf(roots),
        directory.resolve(output),
        false,
        HtmlMode.FAST,
        "standard",
        true,
        Store.CONTENTS,
        new BuildOptions.Resources(2, 4L << 30));
  }

  private Path build(String output, Path... roots) throws Exception {
    build(options(output, roots));
    return directory.resolve(output);
  }

  private static void build(BuildOptions options) throws Exception {
    new Indexing(options, Target.ownIndex(), new BuildProgress()).run();
  }

  private IndexAppend appending(Path index, IdPolicy policy, Start start, Path... roots)
      throws IOException {
    BuildOptions options = options(index.getFileName().toString(), roots);
    Duplicates ofNew =
        policy == IdPolicy.LAST ? Duplicates.KEEP : Duplicates.valueOf(policy.name());
    return new IndexAppend(
        options.withSource(options.source(), ofNew),
        policy,
        new Recovery(start, Duration.ZERO, notices::add));
  }

  private IndexAppend.Result append(Path index, IdPolicy policy, Path... roots) throws Exception {
    return appending(index, policy, Start.FRESH, roots).run(new BuildProgress(), this::merge);
  }

  private IndexMerge.Result merge(Object added, IndexAppend.Step step)
      throws IOException, InterruptedException {
    return step.run(ProgressListener.NONE);
  }

  private IndexDelete.Result delete(Path index, Path output, String... ids) throws Exception {
    return new IndexDelete(
            index,
            new BufferedReader(new StringReader(String.join("\n", ids))),
            "ids",
            output,
            false,
            2,
            DiskSpace.CHECKED,
            ProgressListener.NONE)
        .run();
  }

  /** Ids and texts, in the order of the documents. */
  private static List<String> texts(Path index) throws IOException {
    DeepVerifier.verify(index, ProgressListener.NONE);
    List<String> texts = new ArrayList<>();
    try (InvertedIndex opened = InvertedIndex.open(index);
        StoredTexts stored = opened.documents()) {
      int id = opened.schema().find("id");
      int contents = opened.schema().find("contents");
      for (int doc = 0; doc < opened.documentCount(); doc++) {
        texts.add(stored.text(doc, id) + "=" + stored.text(doc, contents));
      }
    }
    return texts;
  }

  private static String recorded(Path index, String option) throws IOException {
    try (InvertedIndex opened = InvertedIndex.open(index)) {
      return opened.metadata().options().getOrDefault(option, "");
    }
  }

  private void assertNothingIsLeft() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .noneMatch(name -> name.contains("ing"));
    }
  }

  @Test
  void manyAppendsAreOneBuild() throws Exception {
    List<Path> all = new ArrayList<>();
    all.add(collection(0, 100));
    Path index = build("index", all.getFirst());
    for (int i = 1; i <= APPENDS; i++) {
      all.add(collection(100 * i, 1 + i % 4));
      IndexAppend.Result result = append(index, IdPolicy.KEEP, all.getLast());
      assertThat(Objects.requireNonNull(result.added()).documents()).isEqualTo(1 + i % 4);
    }
    Path whole = build("whole", all.toArray(Path[]::new));
    assertThat(IndexFilesHash.of(index)).isEqualTo(IndexFilesHash.of(whole));
    assertNothingIsLeft();
  }

  @ParameterizedTest
  @EnumSource(IdPolicy.class)
  void documentsWithTheSameIdAreTreatedAsWanted(IdPolicy policy) throws Exception {
    Path index = build("index", collection("old", "a", "old a", "b", "old b", "c", "c"));
    Path changed = collection("new", "b", "new b", "d", "d", "d", "d twice");
    if (policy == IdPolicy.ERROR) {
      assertThatThrownBy(() -> append(index, policy, changed))
          .isInstanceOf(DuplicateIdException.class);
      Path once = collection("once", "d", "d", "b", "new b");
      assertThatThrownBy(() -> append(index, policy, once))
          .isInstanceOf(DuplicateIdException.class)
          .hasMessageContaining("document 'b' of ");
      assertThat(texts(index)).containsExactly("a=old a", "b=old b", "c=c");
      assertNothingIsLeft();
      return;
    }
    IndexAppend.Result result = append(index, policy, changed);
    IndexMerge.Result merged = Objects.requireNonNull(result.merged());
    switch (policy) {
      case KEEP -> {
        assertThat(texts(index))
            .containsExactly("a=old a", "b=old b", "c=c", "b=new b", "d=d", "d=d twice");
        assertThat(merged.sharedIds()).isEqualTo(2);
      }
      case SKIP -> {
        assertThat(texts(index)).containsExactly("a=old a", "b=old b", "c=c", "d=d");
        assertThat(merged.skipped()).isEqualTo(1);
        assertThat(merged.ofLast()).isEqualTo(1);
        assertThat(index.resolve("skipped.jsonl"))
            .content()
            .contains("{\"document\":\"b\",", "an earlier document has this id");
      }
      default -> {
        assertThat(texts(index)).containsExactly("a=old a", "c=c", "b=new b", "d=d twice");
        assertThat(merged.replaced()).isEqualTo(2);
        assertThat(merged.ofLast()).isEqualTo(2);
      }
    }
    assertThat(recorded(index, "duplicates")).isEqualTo(policy.label());
    assertNothingIsLeft();
  }

  @Test
  void anIndexWithoutSomeDocumentsIsThatOfTheOthers() throws Exception {
    Path index = build("index", collection(0, 1000), collection(2000, 100), collection(3000, 20));
    List<String> gone = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      gone.add("d" + (2000 + i));
    }
    Path smaller = directory.resolve("smaller");
    IndexDelete.Result result = delete(index, smaller, gone.toArray(String[]::new));
    assertThat(result.deleted()).isEqualTo(100);
    assertThat(result.unknown()).isZero();
    Path whole = build("whole", collection(0, 1000), collection(3000, 20));
    assertThat(IndexFilesHash.of(smaller)).isEqualTo(IndexFilesHash.of(whole));
  }

  @Test
  void documentsOfOneBlockAreDeletedFromTheIndexItself() throws Exception {
    Path index = build("index", collection(0, 1000));
    List<String> before = texts(index);
    IndexDelete.Result result =
        delete(index, index, "d0", "d999", "", "d500", "d500", "of nothing", "d256");
    assertThat(result.deleted()).isEqualTo(4);
    assertThat(result.unknown()).isEqualTo(1);
    assertThat(result.examples()).containsExactly("of nothing");
    List<String> expected = new ArrayList<>(before);
    List.of(999, 500, 256, 0).forEach(doc -> expected.remove(doc.intValue()));
    assertThat(texts(index)).isEqualTo(expected);
    assertNothingIsLeft();
  }

  @Test
  void allDocumentsCanBeDeletedAndOthersAdded() throws Exception {
    Path old = collection("old", "a", "one", "b", "two");
    Path index = build("index", old);
    assertThat(delete(index, index, "a", "b").documents()).isZero();
    Path more = collection("more", "c", "three");
    append(index, IdPolicy.KEEP, more);
    assertThat(texts(index)).containsExactly("c=three");
  }

  @Test
  void idsThatAreNotUtf8AreRefused() throws Exception {
    Path index = build("index", collection(0, 3));
    byte[] latin = "d1\nd2\nd\u00e9\n".getBytes(StandardCharsets.ISO_8859_1);
    Path ids = Files.write(directory.resolve("ids"), latin);
    try (BufferedReader lines = Files.newBufferedReader(ids)) {
      IndexDelete deleting =
          new IndexDelete(
              index,
              lines,
              ids.toString(),
              index,
              false,
              1,
              DiskSpace.CHECKED,
              ProgressListener.NONE);
      assertThatThrownBy(deleting::run)
          .isInstanceOf(BuildException.class)
          .hasMessageContaining("the ids in " + ids + " are not in UTF-8");
    }
    assertThat(texts(index)).hasSize(3);
    assertNothingIsLeft();
  }

  /** The process ends while both indexes are merged. */
  @Test
  void anInterruptedAppendGoesOnWithTheMerge() throws Exception {
    Path index = build("index", collection(0, 10));
    Path more = collection(50, 5);
    assertThatThrownBy(
            () ->
                appending(index, IdPolicy.KEEP, Start.FRESH, more)
                    .run(
                        new BuildProgress(),
                        (report, step) -> {
                          throw new IOException("no merge");
                        }))
        .hasMessage("no merge");
    assertThat(texts(index)).hasSize(10);
    assertThatThrownBy(() -> append(index, IdPolicy.KEEP, more))
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("append --resume");
    Files.move(more, directory.resolve("moved"));
    assertThatThrownBy(
            () ->
                appending(index, IdPolicy.KEEP, Start.RESUME, collection(60, 5))
                    .run(new BuildProgress(), this::merge))
        .hasMessageContaining("other options: path 1");
    Files.move(directory.resolve("moved"), more);
    appending(index, IdPolicy.KEEP, Start.RESUME, more).run(new BuildProgress(), this::merge);
    assertThat(IndexFilesHash.of(index))
        .isEqualTo(IndexFilesHash.of(build("whole", collection(0, 10), collection(50, 5))));
    assertNothingIsLeft();
  }

  /** The process ends when the merged index has its name, and before the rest is deleted. */
  @ParameterizedTest
  @EnumSource(names = {"FRESH", "RESUME"})
  void documentsAreNotAddedTwice(Start start) throws Exception {
    Path index = build("index", collection(0, 10));
    Path more = collection(50, 5);
    assertThatThrownBy(() -> appendAndFail(index, more)).hasMessage("after the merge");
    assertThat(texts(index)).hasSize(15);
    Map<String, Integer> once = IndexFilesHash.of(index);
    IndexAppend.Result again =
        appending(index, IdPolicy.KEEP, start, more).run(new BuildProgress(), this::merge);
    assertThat(again.merged()).isNull();
    assertThat(notices).contains(index + " already contains these documents");
    assertThat(IndexFilesHash.of(index)).isEqualTo(once);
    assertNothingIsLeft();
  }

  @Test
  void withoutAnInterruptedAppendNothingIsResumed() throws Exception {
    Path index = build("index", collection(0, 3));
    IndexAppend resuming = appending(index, IdPolicy.KEEP, Start.RESUME, collection(10, 3));
    assertThatThrownBy(() -> resuming.run(new BuildProgress(), this::merge))
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("was interrupted; append without --resume");
    assertThat(texts(index)).hasSize(3);
    assertNothingIsLeft();
  }

  /** Before the new documents are read. */
  @Test
  void anIndexWithOtherFilesIsNotReplaced() throws Exception {
    Path index = build("index", collection(0, 3));
    Files.writeString(index.resolve("notes"), "mine");
    assertThatThrownBy(() -> append(index, IdPolicy.KEEP, directory.resolve("gone")))
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("holds other files besides");
    assertNothingIsLeft();
  }

  @Test
  void aDeletionThatFindsNothingLeavesTheIndexAsItIs() throws Exception {
    Path index = build("index", collection(0, 3));
    FileTime before = Files.getLastModifiedTime(index.resolve("index.json"));
    IndexDelete.Result result = delete(index, index, "\uFEFFx", "y");
    assertThat(result.unknown()).isEqualTo(2);
    assertThat(result.documents()).isEqualTo(3);
    assertThat(result.examples()).containsExactly("x", "y");
    assertThat(Files.getLastModifiedTime(index.resolve("index.json"))).isEqualTo(before);
    assertThat(index.resolve("report.html")).exists();
    assertNothingIsLeft();
  }

  @Test
  void whatAnAppendHasLeftDoesNotHinderTheNext() throws Exception {
    Path index = build("index", collection(0, 10));
    assertThatThrownBy(() -> appendAndFail(index, collection(50, 5)));
    append(index, IdPolicy.KEEP, collection(60, 1));
    assertThat(texts(index)).hasSize(16);
    assertNothingIsLeft();
  }

  @Test
  void anIndexThatHasChangedMeanwhileIsNotAppendedTo() throws Exception {
    Path index = build("index", collection(0, 10));
    Path more = collection(50, 5);
    assertThatThrownBy(() -> appendAndFail(index, more));
    delete(index, index, "d3");
    assertThatThrownBy(
            () ->
                appending(index, IdPolicy.KEEP, Start.RESUME, more)
                    .run(new BuildProgress(), this::merge))
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("has changed since the append to it was interrupted");
    appending(index, IdPolicy.LAST, Start.RESTART, more).run(new BuildProgress(), this::merge);
    assertThat(texts(index)).hasSize(14);
    assertNothingIsLeft();
  }

  private void appendAndFail(Path index, Path more) throws IOException, InterruptedException {
    appending(index, IdPolicy.KEEP, Start.FRESH, more)
        .run(
            new BuildProgress(),
            (report, step) -> {
              step.run(ProgressListener.NONE);
              throw new IOException("after the merge");
            });
  }

  @Test
  void theOptionsOfAnIndexAreThoseOfItsBuild() throws Exception {
    BuildOptions usual = options("index", collection(0, 3));
    BuildOptions options =
        new BuildOptions(
            usual.roots(),
            new SourceOptions(Format.JSONL, Docno.PATH, 1 << 20, 1000),
            Duplicates.ERROR,
            usual.output(),
            false,
            HtmlMode.FAST,
            new IndexedText(
                    FieldPlan.parse("contents,url").combine("all=title,contents"),
                    IndexAnalysis.of("english").with("url", AnalysisDefinition.of("whitespace")),
                    false,
                    Store.RAW)
                .withMetadata(
                    MetadataPlan.parse(List.of("host", "length"), List.of("year=a.b:int"))),
            usual.resources());
    assertThat(options.source().metadata().names()).containsExactly("a.b");
    build(options);
    IndexMetadata metadata;
    try (InvertedIndex index = InvertedIndex.open(directory.resolve("index"))) {
      metadata = index.metadata();
    }
    RecordedOptions recorded = RecordedOptions.of(metadata);
    assertThat(recorded.text()).isEqualTo(options.text());
    assertThat(recorded.docno()).isEqualTo(Docno.PATH);
    assertThat(recorded.format()).isEqualTo(Format.JSONL);
    assertThat(recorded.json()).isEqualTo(options.source().json());
    assertThat(recorded.duplicates()).isEqualTo(IdPolicy.ERROR);
  }
}
