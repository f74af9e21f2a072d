package io.kmodel.indexer.index.verify;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.index.AlteredIndex;
import io.kmodel.indexer.index.IndexModel;
import io.kmodel.indexer.index.IndexModel.Posting;
import io.kmodel.indexer.index.InvertedIndexWriter;
import io.kmodel.indexer.index.documents.StoredDocumentsWriter;
import io.kmodel.indexer.index.documents.StoredValues;
import io.kmodel.indexer.index.model.IndexFiles;
import io.kmodel.indexer.index.model.ProgressListener;
import io.kmodel.indexer.store.CorruptIndexException;
import io.kmodel.indexer.store.SealedFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What plain verification takes for sound, and reading as searches do does not. */
class DeepVerifierTest {
  private static final int DOCUMENTS = 2000;

  @TempDir Path directory;

  @Test
  void aSoundIndexIsReadInEveryWay() throws IOException {
    IndexModel model = sample();
    List<Posting> everywhere = new ArrayList<>();
    for (int doc = 0; doc < DOCUMENTS; doc++) {
      everywhere.add(new Posting(doc, 2, doc % 100, 100 + doc % 50));
    }
    model.add(IndexModel.WHERE, term("w"), everywhere);
    model.write(directory);
    List<Long> progress = new ArrayList<>();
    DeepVerifier.Result result =
        DeepVerifier.verify(
            directory,
            (done, total) -> {
              assertThat(done).isBetween(1L, total);
              progress.add(done);
            });
    assertThat(result)
        .isEqualTo(new DeepVerifier.Result(model.terms.size(), 2 * DOCUMENTS, 2 * DOCUMENTS, 0, 0));
    assertThat(progress).isSorted().isNotEmpty();
  }

  @Test
  void anIndexWithoutDocumentsIsSound() throws IOException {
    new IndexModel(0).write(directory);
    assertThat(DeepVerifier.verify(directory, ProgressListener.NONE))
        .isEqualTo(new DeepVerifier.Result(0, 0, 0, 0, 0));
  }

  /** Two terms at one position are one token long, and plain verification must let that be. */
  @Test
  void termsThatShareAPositionCountOnceInTheLength() throws IOException {
    IndexModel model = new IndexModel(2);
    model.add(IndexModel.CONTENTS, term("a"), List.of(new Posting(0, 2, 0, 1)));
    model.add(IndexModel.CONTENTS, term("b"), List.of(new Posting(0, 2, 1, 7)));
    model.lengths[IndexModel.CONTENTS][0] = 3;
    model.write(directory);
    assertThat(DeepVerifier.verify(directory, ProgressListener.NONE).lengths()).isEqualTo(2 * 2);
  }

  @Test
  void aLengthThatIsNotTheNumberOfPositionsIsFound() throws IOException {
    IndexModel model = new IndexModel(2);
    model.add(IndexModel.CONTENTS, term("a"), List.of(new Posting(0, 2, 0, 1)));
    model.add(IndexModel.CONTENTS, term("b"), List.of(new Posting(0, 2, 1, Integer.MAX_VALUE)));
    model.lengths[IndexModel.CONTENTS][0] = 2;
    model.write(directory);
    assertThatCode(() -> IndexVerifier.verify(directory, ProgressListener.NONE))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> DeepVerifier.verify(directory, ProgressListener.NONE))
        .isInstanceOf(CorruptIndexException.class)
        .hasMessageContaining("lengths.contents")
        .hasMessageContaining("document 0 has length 2, but terms at 3 positions");
  }

  @Test
  void aStoredIdThatIsNoTermOfItsDocumentIsFound() throws IOException {
    try (InvertedIndexWriter writer = new InvertedIndexWriter(directory, IndexModel.SCHEMA)) {
      IndexModel model = sample();
      model.writeTerms(writer, 256);
      model.writeLengths(writer, 1000);
      Path file = directory.resolveSibling("documents.part");
      try (StoredDocumentsWriter documents = new StoredDocumentsWriter(file, IndexModel.SCHEMA)) {
        for (int doc = 0; doc < DOCUMENTS; doc++) {
          StoredValues.add(
              documents, doc / 100, IndexModel.id(doc == 1234 ? 1235 : doc), IndexModel.title(doc));
        }
        documents.commit();
      }
      writer.appendDocuments(file);
      writer.finish(DOCUMENTS, Map.of("analyzer", "standard"));
      Files.delete(file);
    }
    IndexVerifier.verify(directory, ProgressListener.NONE);
    assertThatThrownBy(() -> DeepVerifier.verify(directory, ProgressListener.NONE))
        .isInstanceOf(CorruptIndexException.class)
        .hasMessageContaining("documents.data")
        .hasMessageContaining("document 1234 stores id 'doc-1235', but that term's postings");
  }

  @Test
  void documentsThatShareAnIdAreCounted() throws IOException {
    IndexModel model = new IndexModel(3);
    model.terms.clear();
    List<Posting> both = List.of(new Posting(0, 1), new Posting(1, 1), new Posting(2, 1));
    model.add(IndexModel.ID, term("doc-0"), both.subList(0, 2));
    model.add(IndexModel.ID, term("doc-2"), both.subList(2, 3));
    try (InvertedIndexWriter writer = new InvertedIndexWriter(directory, IndexModel.SCHEMA)) {
      model.writeTerms(writer, 256);
      model.writeLengths(writer, 1000);
      Path file = directory.resolveSibling("documents.part");
      try (StoredDocumentsWriter documents = new StoredDocumentsWriter(file, IndexModel.SCHEMA)) {
        StoredValues.add(documents, 0, "doc-0", "");
        StoredValues.add(documents, 0, "doc-0", "");
        StoredValues.add(documents, 0, "doc-2", "");
        documents.commit();
      }
      writer.appendDocuments(file);
      writer.finish(3, Map.of("analyzer", "standard"));
      Files.delete(file);
    }
    assertThat(DeepVerifier.verify(directory, ProgressListener.NONE).sharedIds()).isEqualTo(1);
  }

  /** The last list is that of a term in 1,000 documents: three skip entries of 2 + 2 bytes. */
  @Test
  void everyAlteredBitOfASkipTableIsFound() throws IOException {
    sample().write(directory);
    byte[] whole = SealedFiles.body(directory.resolve(IndexFiles.DOCS), IndexFiles.DOCS);
    int table = whole.length - 3 * (2 + 2) - 2;
    assertThat(whole[whole.length - 2]).isEqualTo((byte) 0x22);
    for (int bit = 8 * table; bit < 8 * whole.length; bit++) {
      byte[] body = whole.clone();
      body[bit / 8] ^= (byte) (1 << (bit % 8));
      AlteredIndex.replaceBody(directory, IndexFiles.DOCS, body);
      assertThatThrownBy(() -> DeepVerifier.verify(directory, ProgressListener.NONE))
          .as("bit %d of byte %d of the table", bit % 8, bit / 8 - table)
          .isInstanceOf(CorruptIndexException.class)
          .hasMessageContaining(IndexFiles.DOCS);
    }
  }

  /** Lists of many blocks with positions, whose lengths are the numbers of their positions. */
  private static IndexModel sample() {
    IndexModel model = new IndexModel(DOCUMENTS);
    Random random = new Random(3);
    for (int t = 0; t < 40; t++) {
      List<Posting> postings = new ArrayList<>();
      for (int doc = 0; doc < DOCUMENTS; doc++) {
        if (t == 0 || random.nextInt(t) == 0) {
          postings.add(new Posting(doc, 2, t, 40 + t));
        }
      }
      model.add(IndexModel.CONTENTS, term("term-%02d".formatted(t)), postings);
    }
    model.add(
        IndexModel.TITLE, term("t"), model.randomPostings(random, IndexModel.TITLE, DOCUMENTS / 2));
    return model;
  }

  private static byte[] term(String text) {
    return text.getBytes(UTF_8);
  }
}
