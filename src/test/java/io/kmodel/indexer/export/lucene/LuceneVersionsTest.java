package io.kmodel.indexer.export.lucene;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.equality.NaiveIndex;
import io.kmodel.indexer.equality.SampleDocuments;
import io.kmodel.indexer.equality.SampleMetadata;
import io.kmodel.indexer.equality.Schemas;
import io.kmodel.indexer.equality.Schemas.Stored;
import io.kmodel.indexer.export.lucene.segment.ExportCodec;
import io.kmodel.indexer.export.lucene.version.LuceneVersion;
import io.kmodel.indexer.export.lucene.version.LuceneWriter;
import io.kmodel.indexer.export.lucene.version.VersionLoader;
import io.kmodel.indexer.export.lucene.version.VersionReader;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.parse.ParsedDocument;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The Lucene of each version finds the same in its index, and no fault. */
class LuceneVersionsTest extends IndexToExport {
  private InvertedIndex index() throws IOException {
    List<ParsedDocument> documents = new ArrayList<>(SampleDocuments.awkward());
    documents.addAll(SampleDocuments.random(3, 300, 40));
    Path ours = directory.resolve("ours");
    NaiveIndex.write(
        ours,
        Schemas.of(Detail.POSITIONS, Stored.CONTENTS).withColumns(SampleMetadata.COLUMNS),
        new StandardAnalyzer(),
        SampleMetadata.with(documents, 3));
    return InvertedIndex.open(ours);
  }

  private ExportResult export(
      InvertedIndex index, String name, LuceneVersion version, int segments, ExportCodec codec)
      throws IOException {
    ExportOptions options = new ExportOptions(segments, 2, IndexCheck.SLOW, codec, version);
    ExportResult result = LuceneExporter.export(index, directory.resolve(name), options);
    assertThat(result.version()).isEqualTo(version);
    return result;
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NEWEST")
  void eachVersionFindsTheSame(LuceneVersion version) throws Exception {
    try (InvertedIndex index = index()) {
      export(index, "newest", LuceneVersion.NEWEST, 1, ExportCodec.BEST_SPEED);
      export(index, "older", version, 1, ExportCodec.BEST_SPEED);
      assertIsExport(index, version);
    }
    List<String> expected = VersionReader.read(LuceneVersion.NEWEST, directory.resolve("newest"));
    assertThat(expected).anyMatch(line -> line.startsWith("found")).hasSizeGreaterThan(1000);
    assertThat(expected)
        .anyMatch(line -> line.startsWith("number"))
        .anyMatch(line -> line.startsWith("string"))
        .anyMatch(line -> line.startsWith("negative"));
    assertThat(VersionReader.read(version, directory.resolve("older"))).isEqualTo(expected);
    assertDamageIsFound(version, directory.resolve("older"));
  }

  /** Of this version, this index and this number of segments only. */
  private void assertIsExport(InvertedIndex index, LuceneVersion version) throws IOException {
    Path older = directory.resolve("older");
    ExportOptions options =
        new ExportOptions(1, 1, IndexCheck.NONE, ExportCodec.BEST_SPEED, version);
    assertThat(LuceneExporter.isExport(index, older, options, false)).isTrue();
    LuceneExporter.check(older, options);
    for (LuceneVersion other : LuceneVersion.values()) {
      ExportOptions otherwise =
          new ExportOptions(1, 1, IndexCheck.NONE, ExportCodec.BEST_SPEED, other);
      assertThat(LuceneExporter.isExport(index, older, otherwise, true))
          .isEqualTo(other == version);
    }
    ExportOptions two = new ExportOptions(2, 1, IndexCheck.NONE, ExportCodec.BEST_SPEED, version);
    assertThat(LuceneExporter.isExport(index, older, two, false)).isFalse();
    assertThat(LuceneExporter.isExport(index, older, two, true)).isTrue();
    Path crawl = Files.createDirectory(directory.resolve("no-index"));
    assertThat(LuceneExporter.isExport(index, crawl, options, true)).isFalse();
  }

  @Test
  void segmentsAndCodecsAreThoseOfTheOptions() throws Exception {
    LuceneVersion version = LuceneVersion.V9_9;
    try (InvertedIndex index = index()) {
      ExportResult fast = export(index, "fast", version, 3, ExportCodec.BEST_SPEED);
      ExportResult small = export(index, "small", version, 3, ExportCodec.BEST_COMPRESSION);
      assertThat(fast.segments()).isEqualTo(3);
      assertThat(small.bytes()).isLessThan(fast.bytes());
    }
    assertThat(VersionReader.read(version, directory.resolve("small")))
        .isEqualTo(VersionReader.read(version, directory.resolve("fast")));
  }

  /** In the middle of the postings. */
  private void assertDamageIsFound(LuceneVersion version, Path target) throws IOException {
    Path postings =
        list(target).stream()
            .filter(file -> file.toString().endsWith(".doc"))
            .findFirst()
            .orElseThrow();
    byte[] bytes = Files.readAllBytes(postings);
    bytes[bytes.length / 2] ^= 1;
    Files.write(postings, bytes);
    try (VersionLoader lucene = VersionLoader.of(version)) {
      LuceneWriter writer = lucene.writer();
      for (int level = 1; level <= 3; level++) {
        assertThat(writer.check(target, level)).contains("checksum");
      }
    }
  }

  /** Reading fails, which is no damage. */
  @Test
  void anInterruptedCheckIsNoDamage() throws Exception {
    try (InvertedIndex index = index()) {
      export(index, "older", LuceneVersion.V9_9, 1, ExportCodec.BEST_SPEED);
    }
    try (VersionLoader lucene = VersionLoader.of(LuceneVersion.V9_9)) {
      LuceneWriter writer = lucene.writer();
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> IndexCheck.CONTENT.run(directory.resolve("older"), writer))
          .isInstanceOf(ClosedByInterruptException.class);
    } finally {
      Thread.interrupted();
    }
  }

  @Test
  void anUnknownVersionNamesTheKnownOnes() {
    assertThatThrownBy(() -> LuceneVersion.of("8.11"))
        .hasMessage("unknown Lucene version '8.11'; known: 10.6, 10.5, 10.4, 9.12, 9.9");
    assertThatThrownBy(() -> LuceneVersion.of("")).hasMessageContaining("known: 10.6");
    assertThat(LuceneVersion.of("9.12.3")).isEqualTo(LuceneVersion.V9_12);
  }
}
