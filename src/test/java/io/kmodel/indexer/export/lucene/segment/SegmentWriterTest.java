package io.kmodel.indexer.export.lucene.segment;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.export.lucene.postings.PostingsRanges;
import io.kmodel.indexer.export.lucene.schema.DocumentLengths;
import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.Field;
import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.index.model.Schema;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How a segment fails that several threads write; what they write, the builds' tests compare. */
@Timeout(60)
class SegmentWriterTest {
  private static final int RANGES = 100_000;
  static final Schema SCHEMA =
      Schema.of(
          List.of(
              new Field("contents", Detail.POSITIONS, true, false),
              new Field("id", Detail.DOCUMENTS, false, true)));

  private final AtomicInteger opened = new AtomicInteger();

  @TempDir private Path directory;

  @Test
  void whatCannotBeStoredEndsTheWritingOfPostingsToo() throws IOException {
    assertThatThrownBy(
            () ->
                write(
                    segment -> {
                      throw new IOException("no room");
                    }))
        .isInstanceOf(IOException.class)
        .hasMessage("no room");
    assertThat(opened).hasValueLessThan(RANGES / 2);
  }

  @Test
  void documentsThatAreMissingAreAFailure() {
    assertThatThrownBy(() -> write(segment -> {}))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("0 documents with stored fields, 1 with lengths");
  }

  @Test
  void documentsTooManyAreAFailure() {
    SegmentWriter.Documents two =
        segment -> {
          storeOne(segment);
          storeOne(segment);
        };
    assertThatThrownBy(() -> write(two))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("2 documents with stored fields, 1 with lengths");
  }

  /** That of the document before is none of its own. */
  @Test
  void aTextThatIsMissingIsAFailure() {
    SegmentWriter.Documents lacking =
        segment -> {
          storeOne(segment);
          segment.startDocument();
          segment.finishDocument();
        };
    assertThatThrownBy(() -> write(lacking))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("document 1 has no text for field 'id'");
  }

  @Test
  void aTextIsThePartOfTheBytesThatItIsSaidToBe() throws IOException {
    byte[] bytes = "some name of one".getBytes(UTF_8);
    try (SegmentedIndex index = index();
        SegmentWriter segment = index.newSegment()) {
      assertThatThrownBy(() -> index.commit(List.of(segment), 1))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("cannot commit a segment that was not written");
      segment.startDocument();
      segment.stored(SCHEMA.ordinal("id"), bytes, 5, 4);
      segment.finishDocument();
      segment.write(new Empty(1), new OneRange(new NoTerms()));
      index.commit(List.of(segment), 1);
    }
    try (Directory files = FSDirectory.open(directory);
        DirectoryReader reader = DirectoryReader.open(files)) {
      assertThat(reader.storedFields().document(0).get("id")).isEqualTo("name");
    }
  }

  @Test
  void termsOfAFieldWithoutLengthsAreAFailure() {
    PostingsRanges postings = new OneRange(new TermsOfContents());
    assertThatThrownBy(() -> write(SegmentWriterTest::storeOne, postings))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("field 'contents' has terms, but no document has a length");
  }

  private SegmentedIndex index() throws IOException {
    return new SegmentedIndex(
        directory, SCHEMA, ExportCodec.BEST_SPEED, Executors.defaultThreadFactory());
  }

  static void storeOne(SegmentWriter segment) throws IOException {
    segment.startDocument();
    byte[] id = "a document".getBytes(UTF_8);
    segment.stored(SCHEMA.ordinal("id"), id, 0, id.length);
    segment.finishDocument();
  }

  private void write(SegmentWriter.Documents stored) throws IOException {
    write(stored, new SlowRanges());
  }

  private void write(SegmentWriter.Documents stored, PostingsRanges postings) throws IOException {
    try (SegmentedIndex index = index();
        SegmentWriter segment = index.newSegment()) {
      segment.write(stored, new Empty(1), postings, new SegmentWriter.Means(2, 1 << 20));
    }
  }

  /** Documents without a token. */
  record Empty(int count) implements DocumentLengths {
    @Override
    public int length(int field, int docId) {
      return 0;
    }
  }

  /** Of no terms, and a millisecond each. */
  private final class SlowRanges implements PostingsRanges {
    @Override
    public int count() {
      return RANGES;
    }

    @Override
    public long bytes(int range) {
      return 1 << 20;
    }

    @Override
    public PostingsCursor open(int range) throws IOException {
      opened.incrementAndGet();
      try {
        Thread.sleep(1);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException(e);
      }
      return new NoTerms();
    }
  }

  record OneRange(PostingsCursor terms) implements PostingsRanges {
    @Override
    public int count() {
      return 1;
    }

    @Override
    public long bytes(int range) {
      return 1 << 20;
    }

    @Override
    public PostingsCursor open(int range) {
      return terms;
    }
  }

  /** One, of the first document. */
  private static final class TermsOfContents extends NoTerms {
    private int terms;
    private int documents;

    @Override
    public boolean nextTerm() {
      return terms++ == 0;
    }

    @Override
    public byte[] term() {
      return new byte[] {(byte) SCHEMA.ordinal("contents"), 'a'};
    }

    @Override
    public int termLength() {
      return 2;
    }

    @Override
    public int docFreq() {
      return 1;
    }

    @Override
    public int nextDocs(int[] docs, int[] freqs) {
      docs[0] = 0;
      freqs[0] = 1;
      return documents++ == 0 ? 1 : 0;
    }
  }

  static class NoTerms implements PostingsCursor {
    @Override
    public boolean nextTerm() {
      return false;
    }

    @Override
    public byte[] term() {
      throw new IllegalStateException("no term");
    }

    @Override
    public int termLength() {
      throw new IllegalStateException("no term");
    }

    @Override
    public int docFreq() {
      return 0;
    }

    @Override
    public long totalTermFreq() {
      return 0;
    }

    @Override
    public int nextDocs(int[] docs, int[] freqs) {
      return 0;
    }

    @Override
    public int nextPositions(int[] deltas) {
      return 0;
    }

    @Override
    public void close() {}
  }
}
