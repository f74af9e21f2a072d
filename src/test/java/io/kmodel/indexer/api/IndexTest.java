package io.kmodel.indexer.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.kmodel.indexer.export.ciff.CiffReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IndexTest {
  @TempDir Path directory;

  private Path made;

  @BeforeEach
  void build() throws IOException {
    made = build("index", "a", "b");
  }

  private Path build(String name, String... ids) throws IOException {
    Path path = directory.resolve(name);
    try (IndexBuilder builder =
        IndexBuilder.create(path)
            .memory(DataSize.megabytes(256))
            .threads(1)
            .metadata("year", MetadataType.INTEGER)
            .metadata("score", MetadataType.DOUBLE)
            .metadata("seen", MetadataType.DATE)
            .metadata("place", MetadataType.STRING)
            .start()) {
      for (String id : ids) {
        builder.add(
            Document.of(id)
                .title("On " + id)
                .contents("sorted runs, merged runs and " + id)
                .metadata("year", 2000L + id.charAt(0))
                .metadata("score", 0.5)
                .metadata("seen", Instant.parse("2021-03-04T05:06:07.089Z"))
                .metadata("place", "Pisa"));
      }
      builder.add(Document.of("page").html("<title>A page</title><p>of merged <b>runs</b>"));
      builder.finish();
    }
    return path;
  }

  @Test
  void termsHavePrefixesAndCounts() throws IOException {
    try (Index index = Index.open(made);
        Stream<Term> all = index.terms("contents", "");
        Stream<Term> some = index.terms("contents", "r");
        Stream<Term> none = index.terms("contents", "zz")) {
      assertThat(index.fields()).containsExactly("contents", "id", "place", "title");
      assertThat(all.map(Term::text))
          .containsExactly("a", "and", "b", "merged", "of", "runs", "sorted");
      assertThat(some).containsExactly(new Term("runs", 3, 5));
      assertThat(none).isEmpty();
      assertThatIllegalArgumentException()
          .isThrownBy(() -> index.terms("body", ""))
          .withMessage(
              "the index has no terms of a field 'body'; it has [contents, id, place, title]");
    }
  }

  @Test
  void postingsHavePositions() throws IOException {
    try (Index index = Index.open(made);
        Stream<Posting> runs = index.postings("contents", "runs");
        Stream<Posting> none = index.postings("contents", "run")) {
      assertThat(runs)
          .containsExactly(
              new Posting(0, 2, List.of(1, 3)),
              new Posting(1, 2, List.of(1, 3)),
              new Posting(2, 1, List.of(2)));
      assertThat(none).isEmpty();
    }
  }

  @Test
  void documentsAreReadBackWithTheirMetadata() throws IOException {
    try (Index index = Index.open(made)) {
      assertThat(index.metadata())
          .isEqualTo(
              Map.of(
                  "year", MetadataType.INTEGER,
                  "score", MetadataType.DOUBLE,
                  "seen", MetadataType.DATE,
                  "place", MetadataType.STRING));
      StoredDocument first = index.document(0);
      assertThat(first.texts())
          .isEqualTo(
              Map.of("id", "a", "title", "On a", "contents", "sorted runs, merged runs and a"));
      assertThat(first.metadata())
          .isEqualTo(
              Map.of(
                  "year", "2097",
                  "score", "0.5",
                  "seen", "2021-03-04T05:06:07.089Z",
                  "place", "Pisa"));
      assertThat(index.document(2).texts()).containsEntry("title", "A page");
      assertThat(index.document(2).metadata()).isEmpty();
      assertThatExceptionOfType(IndexOutOfBoundsException.class)
          .isThrownBy(() -> index.document(3));
    }
  }

  @Test
  void searchesHaveHitsWithSnippets() throws IOException {
    try (Index index = Index.open(made)) {
      Hits hits = index.search("+sorted title:b", 10);
      assertThat(hits).extracting(Hit::id).containsExactly("b", "a");
      assertThat(hits.found()).isEqualTo(2);
      assertThat(hits.exact()).isTrue();
      assertThat(hits.list().get(0).snippet()).isEqualTo("[sorted] runs, merged runs and b");
      assertThat(index.search(Query.of("runs").filter("year:2098")))
          .extracting(Hit::id)
          .containsExactly("b");
      assertThat(index.search(Query.ofWords("+page \"on").fields("title^2,contents").top(1)))
          .hasSize(1);
      assertThat(index.search(Query.of("runs").bm25(0.9f, 0.4f)).list().get(0).score())
          .isNotEqualTo(index.search("runs", 1).list().get(0).score());
      assertThatIllegalArgumentException().isThrownBy(() -> index.search("\"open", 1));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> index.search("body:runs", 1))
          .withMessageStartingWith("the index has no fields [body]");
      assertThatIllegalArgumentException().isThrownBy(() -> index.search("runs", 0));
    }
  }

  @Test
  void exportsCanBeRead() throws IOException {
    Path lucene = directory.resolve("lucene");
    Path ciff = directory.resolve("index.ciff");
    try (Index index = Index.open(made)) {
      index.verify();
      index.exportLucene(lucene);
      index.exportCiff(ciff, "contents");
      assertThatExceptionOfType(IndexException.class).isThrownBy(() -> index.exportLucene(lucene));
    }
    try (FSDirectory files = FSDirectory.open(lucene);
        DirectoryReader reader = DirectoryReader.open(files)) {
      assertThat(reader.numDocs()).isEqualTo(3);
    }
    try (CiffReader reader = CiffReader.open(ciff)) {
      assertThat(reader.header().documents()).isEqualTo(3);
    }
  }

  @Test
  void mergesHaveTheDocumentsOfAll() throws IOException {
    Path other = build("other", "c");
    Path merged = directory.resolve("merged");
    assertThat(Index.merge(List.of(made, other), merged)).isEqualTo(5);
    try (Index index = Index.open(merged)) {
      assertThat(index.find("c")).hasValue(3);
    }
    assertThatExceptionOfType(IndexException.class)
        .isThrownBy(() -> Index.merge(List.of(made, other), merged));
  }

  @Test
  void mergesNeedIndexesAndAnotherOutput() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Index.merge(List.of(made), directory.resolve("./index")));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Index.merge(List.of(), directory.resolve("merged")));
  }

  @Test
  void parallelStreamsHaveEveryElementOnce() throws IOException {
    try (Index index = Index.open(made)) {
      assertThat(index.terms("contents", "").parallel().map(Term::text).sorted())
          .containsExactly("a", "and", "b", "merged", "of", "runs", "sorted");
      assertThat(index.postings("contents", "runs").parallel().mapToInt(Posting::occurrences).sum())
          .isEqualTo(5);
    }
  }

  @Test
  void anIndexMayBeClosedTwice() throws IOException {
    Index index = Index.open(made);
    index.close();
    assertThatCode(index::close).doesNotThrowAnyException();
  }

  @Test
  void damageAndAbsenceHaveTheirTypes() throws IOException {
    assertThatExceptionOfType(NoSuchFileException.class)
        .isThrownBy(() -> Index.open(directory.resolve("nothing")));
    Path postings = made.resolve("postings.docs");
    byte[] bytes = Files.readAllBytes(postings);
    bytes[bytes.length / 2] ^= 1;
    Files.write(postings, bytes);
    try (Index index = Index.open(made)) {
      assertThatExceptionOfType(DamagedIndexException.class)
          .isThrownBy(index::verify)
          .withMessageContaining("postings.docs");
    }
  }
}
