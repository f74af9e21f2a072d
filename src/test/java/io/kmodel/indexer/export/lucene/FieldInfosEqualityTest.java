package io.kmodel.indexer.export.lucene;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.Tier;
import io.kmodel.indexer.equality.FieldInfosEquality;
import io.kmodel.indexer.equality.NaiveIndex;
import io.kmodel.indexer.equality.ReferenceIndex;
import io.kmodel.indexer.equality.Schemas;
import io.kmodel.indexer.equality.Schemas.Stored;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.parse.ParsedDocument;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.index.CodecReader;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What each segment of an export says of its fields is what IndexWriter's segment of the same
 * documents says, whichever of the fields have terms there.
 */
class FieldInfosEqualityTest {
  private static final Analyzer ANALYZER = new StandardAnalyzer();

  /** Which of nine documents have a text. */
  enum Texts {
    EVERYWHERE,
    NO_TITLES,
    NO_CONTENTS,
    NEITHER,
    /** Of three segments the first has titles, the last contents. */
    TITLES_THEN_CONTENTS,
    /** Of punctuation there are no tokens. */
    ONE_TITLE_AND_NO_TOKENS;

    List<ParsedDocument> documents() {
      return IntStream.range(0, 9).mapToObj(this::document).toList();
    }

    private ParsedDocument document(int n) {
      String id = "document " + n;
      String title = "title " + n;
      String contents = "the contents of " + n;
      return switch (this) {
        case EVERYWHERE -> new ParsedDocument(id, title, contents);
        case NO_TITLES -> new ParsedDocument(id, "", contents);
        case NO_CONTENTS -> new ParsedDocument(id, title, "");
        case NEITHER -> new ParsedDocument(id, "", "");
        case TITLES_THEN_CONTENTS ->
            new ParsedDocument(id, n < 3 ? title : "", n < 6 ? "" : contents);
        case ONE_TITLE_AND_NO_TOKENS -> new ParsedDocument(id, n == 8 ? title : "...", "--- !");
      };
    }
  }

  @TempDir Path directory;

  static Stream<Arguments> settings() {
    List<Arguments> settings = new ArrayList<>();
    for (Texts texts : Texts.values()) {
      for (Detail detail : List.of(Detail.FREQUENCIES, Detail.POSITIONS, Detail.OFFSETS)) {
        for (Stored stored : Stored.values()) {
          settings.add(Arguments.of(texts, Schemas.of(detail, stored)));
        }
      }
    }
    return Tier.some(settings, 12).stream();
  }

  @ParameterizedTest
  @MethodSource("settings")
  void segmentsSayOfTheirFieldsWhatIndexWritersSay(Texts texts, Schema schema) throws IOException {
    List<ParsedDocument> documents = texts.documents();
    NaiveIndex.write(directory.resolve("ours"), schema, ANALYZER, documents);
    for (int segments : new int[] {1, 3}) {
      try (Directory lucene = FSDirectory.open(export(segments));
          DirectoryReader reader = DirectoryReader.open(lucene)) {
        assertThat(reader.leaves()).hasSize(segments);
        FieldInfosEquality.assertAsByIndexWriter(schema, ANALYZER, documents, reader);
      }
    }
  }

  /** Whether they were flushed, merged, or added from elsewhere does not matter to IndexWriter. */
  @ParameterizedTest
  @EnumSource
  void whatIndexWriterMakesOfOurSegmentsSaysTheSame(Texts texts) throws IOException {
    Schema schema = Schemas.of(Detail.POSITIONS, Stored.CONTENTS);
    List<ParsedDocument> documents = texts.documents();
    NaiveIndex.write(directory.resolve("ours"), schema, ANALYZER, documents);
    try (Directory ours = FSDirectory.open(export(3));
        Directory added = new ByteBuffersDirectory()) {
      try (DirectoryReader reader = DirectoryReader.open(ours);
          IndexWriter writer = new IndexWriter(added, new IndexWriterConfig())) {
        for (LeafReaderContext segment : reader.leaves()) {
          writer.addIndexes((CodecReader) segment.reader());
        }
        writer.commit();
      }
      for (Directory segments : List.of(ours, added)) {
        try (DirectoryReader reader = DirectoryReader.open(segments)) {
          assertThat(reader.leaves()).hasSize(3);
          FieldInfosEquality.assertAsByIndexWriter(schema, ANALYZER, documents, reader);
        }
        try (IndexWriter writer = new IndexWriter(segments, new IndexWriterConfig())) {
          writer.forceMerge(1);
        }
        try (DirectoryReader reader = DirectoryReader.open(segments);
            DirectoryReader expected = ReferenceIndex.inMemory(schema, ANALYZER, documents)) {
          FieldInfosEquality.assertSame(expected, reader);
        }
      }
    }
  }

  private Path export(int segments) throws IOException {
    Path target = directory.resolve("lucene-" + segments);
    try (InvertedIndex index = InvertedIndex.open(directory.resolve("ours"))) {
      LuceneExporter.export(index, target, new ExportOptions(segments, 2, IndexCheck.CONTENT));
    }
    return target;
  }
}
