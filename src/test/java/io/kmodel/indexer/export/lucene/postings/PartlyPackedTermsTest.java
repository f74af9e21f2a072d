package io.kmodel.indexer.export.lucene.postings;

import static io.kmodel.indexer.export.lucene.postings.PushedTerms.SCHEMA;
import static io.kmodel.indexer.export.lucene.postings.PushedTerms.cursor;
import static io.kmodel.indexer.export.lucene.postings.PushedTerms.norms;
import static io.kmodel.indexer.export.lucene.postings.PushedTerms.state;
import static io.kmodel.indexer.export.lucene.postings.PushedTerms.terms;
import static io.kmodel.indexer.export.lucene.postings.PushedTerms.write;
import static io.kmodel.indexer.export.lucene.postings.PushedTerms.writtenByLucene;
import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.export.lucene.FailingDirectory;
import io.kmodel.indexer.export.lucene.LuceneSegment;
import io.kmodel.indexer.export.lucene.postings.BlocksCursor.Term;
import io.kmodel.indexer.export.lucene.postings.PushedTerms.Pieces;
import io.kmodel.indexer.export.lucene.schema.SegmentNorms;
import io.kmodel.indexer.index.model.Detail;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.lucene.codecs.lucene104.Lucene104PostingsFormat.IntBlockTermState;
import org.apache.lucene.store.ByteBuffersDataOutput;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.ByteBuffersIndexOutput;
import org.apache.lucene.store.DataOutput;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Writes segments of which the last field is packed. Its lists are then where Lucene writes them.
 */
class PartlyPackedTermsTest {
  private static final int PACKED = SCHEMA.size() - 1;

  @ParameterizedTest
  @CsvSource({"500, 500", "0, 500", "500, 0", "1, 1", "1, 100"})
  void filesAreEqualToLucenes(int othersCount, int packedCount) throws Exception {
    Random random = new Random(othersCount + 2 * packedCount);
    List<Term> others = new ArrayList<>();
    for (int field = 0; field < PACKED; field++) {
      others.addAll(terms(words(othersCount), field, random));
    }
    List<Term> packed = terms(words(packedCount), PACKED, random);
    Directory actual = new ByteBuffersDirectory();
    writePacked(others, packed, actual);
    List<Term> all = new ArrayList<>(others);
    all.addAll(packed);
    LuceneSegment.assertSameFiles(actual, writtenByLucene(all, Pieces.ALL));
  }

  /** Fails at each call in turn, once or for good. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void allFilesAreClosedAfterAFailure(boolean staysFull) throws Exception {
    List<Term> others = terms(words(80), 2, new Random(1));
    List<Term> packed = terms(words(80), PACKED, new Random(2));
    int calls =
        FailingDirectory.failAtEachCall(
            staysFull, directory -> writePacked(others, packed, directory));
    assertThat(calls).isGreaterThan(100);
  }

  private static SortedSet<String> words(int count) {
    SortedSet<String> words = new TreeSet<>();
    IntStream.range(0, count).forEach(i -> words.add("w" + i));
    return words;
  }

  private static void writePacked(List<Term> others, List<Term> packed, Directory directory)
      throws IOException {
    List<Term> all = new ArrayList<>(others);
    all.addAll(packed);
    SegmentNorms norms = norms(all, Pieces.ALL.documents());
    ListedPacks lists = new ListedPacks(packed, norms);
    write(new PartlyPackedTerms(cursor(others), lists), norms, state(directory, Pieces.ALL));
  }

  /** Lists of one field, encoded in memory. */
  private static final class ListedPacks implements PackedLists {
    private final BlocksCursor terms;
    private final List<IntBlockTermState> states = new ArrayList<>();
    private final ByteBuffersDataOutput docs = new ByteBuffersDataOutput();
    private final ByteBuffersDataOutput positions = new ByteBuffersDataOutput();
    private final int[] maxima;
    private int term = -1;

    ListedPacks(List<Term> packed, SegmentNorms norms) throws IOException {
      this.terms = cursor(packed);
      PostingsEncoder encoder =
          new PostingsEncoder(
              new ByteBuffersIndexOutput(docs, "documents", "docs"),
              new ByteBuffersIndexOutput(positions, "positions", "positions"),
              null);
      encoder.setField(
          Detail.POSITIONS,
          norms.getNorms(
              state(new ByteBuffersDirectory(), Pieces.ALL).fieldInfos.fieldInfo(PACKED)));
      try (PostingsStream stream = new PostingsStream(cursor(packed))) {
        while (stream.nextTerm()) {
          states.add(encoder.encode(stream));
        }
      }
      encoder.flush();
      this.maxima = encoder.maxima();
    }

    @Override
    public boolean nextTerm() {
      term++;
      return terms.nextTerm();
    }

    @Override
    public byte[] term() {
      return terms.term();
    }

    @Override
    public int termLength() {
      return terms.termLength();
    }

    @Override
    public int docFreq() {
      return states.get(term).docFreq;
    }

    @Override
    public long totalTermFreq() {
      return states.get(term).totalTermFreq;
    }

    @Override
    public long docsStart() {
      return states.get(term).docStartFP;
    }

    @Override
    public long positionsStart() {
      return states.get(term).posStartFP;
    }

    @Override
    public long lastPositionsBlock() {
      return states.get(term).lastPosBlockOffset;
    }

    @Override
    public int onlyDocument() {
      return states.get(term).singletonDocID;
    }

    @Override
    public void writeDocs(DataOutput out) throws IOException {
      docs.copyTo(out);
    }

    @Override
    public void writePositions(DataOutput out) throws IOException {
      positions.copyTo(out);
    }

    @Override
    public int[] maxima() {
      return maxima;
    }
  }
}
