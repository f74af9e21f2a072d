package io.kmodel.indexer.index.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.equality.NaiveIndex;
import io.kmodel.indexer.equality.Schemas;
import io.kmodel.indexer.equality.Schemas.Stored;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.documents.StoredDocumentsReader;
import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.ProgressListener;
import io.kmodel.indexer.parse.ParsedDocument;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Walks over an index that take long end where their thread is told to stop. */
class InterruptionTest {
  /** Each has an id, which is a term: walks that look from time to time look more than once. */
  private static final int DOCUMENTS = 1 << 15;

  @TempDir Path directory;

  @Test
  void everyWalkStops() throws IOException {
    write();
    try (InvertedIndex index = InvertedIndex.open(directory);
        PostingsVerifier postings = new PostingsVerifier(index);
        StoredDocumentsReader stored = index.storedDocuments();
        LengthRecount recount = new LengthRecount(index, index.schema().ordinal("contents"))) {
      SkippingVerifier skipping = new SkippingVerifier(index);
      assertStops(() -> CorpusAnalysis.of(index));
      assertStops(stored::verify);
      assertStops(() -> postings.verify(read -> {}));
      assertStops(() -> skipping.verify(terms -> {}));
      assertStops(() -> recount.verify(documents -> {}));
    }
  }

  /** When all before them is done. */
  @Test
  void storedTextsAreReadNoFurther() throws IOException {
    write();
    ProgressListener beforeTexts =
        (done, total) -> {
          if (done >= total - 2 * DOCUMENTS) {
            Thread.currentThread().interrupt();
          }
        };
    assertThatThrownBy(() -> DeepVerifier.verify(directory, beforeTexts))
        .isInstanceOf(ClosedByInterruptException.class);
    assertThat(Thread.interrupted()).isTrue();
  }

  private static void assertStops(ThrowingCallable walk) {
    Thread.currentThread().interrupt();
    try {
      assertThatThrownBy(walk).isInstanceOf(ClosedByInterruptException.class);
    } finally {
      assertThat(Thread.interrupted()).as("it stays interrupted").isTrue();
    }
  }

  private void write() throws IOException {
    List<ParsedDocument> documents =
        IntStream.range(0, DOCUMENTS)
            .mapToObj(i -> new ParsedDocument("d" + i, "", "a b"))
            .toList();
    NaiveIndex.write(
        directory, Schemas.of(Detail.POSITIONS, Stored.IDS), new WhitespaceAnalyzer(), documents);
  }
}
