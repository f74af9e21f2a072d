package io.kmodel.indexer.export.lucene.postings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.primitives.ImmutableIntArray;
import io.kmodel.indexer.export.lucene.ComputedLengths;
import io.kmodel.indexer.export.lucene.LuceneSegment;
import io.kmodel.indexer.export.lucene.postings.BlocksCursor.Posting;
import io.kmodel.indexer.export.lucene.postings.BlocksCursor.Term;
import io.kmodel.indexer.export.lucene.schema.DocumentLengths;
import io.kmodel.indexer.export.lucene.schema.SegmentNorms;
import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.Field;
import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.index.model.Schema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;
import org.apache.lucene.codecs.lucene104.Lucene104PostingsFormat.IntBlockTermState;
import org.apache.lucene.codecs.lucene104.Lucene104PostingsWriter;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.SegmentWriteState;
import org.apache.lucene.store.ByteBuffersDataOutput;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lucene's own writer, given the same lists posting by posting, says what every byte must be. */
class PostingsEncoderTest {
  private static final Schema SCHEMA =
      Schema.of(
          List.of(
              new Field("documents", Detail.DOCUMENTS, false, false),
              new Field("frequencies", Detail.FREQUENCIES, true, false),
              new Field("positions", Detail.POSITIONS, true, false),
              new Field("offsets", Detail.OFFSETS, true, false),
              new Field("keyword", Detail.POSITIONS, false, false)));

  private static final DocumentLengths LENGTHS =
      new ComputedLengths(docId -> 1 + ((docId * 0x9E3779B1) >>> (1 + docId % 30)));

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4})
  void listsOfAllLengthsAreWrittenAsByLucene(int field) throws Exception {
    Random random = new Random(field);
    List<Term> terms = new ArrayList<>();
    for (int docFreq :
        new int[] {
          1, 2, 3, 4, 5, 255, 256, 257, 300, 511, 512, 513, 8191, 8192, 8193, 8448, 16384, 20000
        }) {
      terms.add(new Term(field, postings(random, docFreq, 3, 2, 4)));
      terms.add(new Term(field, postings(random, docFreq, 0, 0, 0)));
    }
    assertSame(terms, random);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  void numbersOfAllSizesArePackedAsByLucene(int field) throws Exception {
    Random random = new Random(~field);
    List<Term> terms = new ArrayList<>();
    for (int bits = 0; bits <= 22; bits++) {
      terms.add(new Term(field, postings(random, 256, bits, 0, bits)));
      terms.add(new Term(field, postings(random, 700, bits, 3, Math.min(20, bits))));
    }
    for (int bits = 8; bits <= 16; bits++) {
      terms.add(new Term(field, postings(random, 260, 1, bits, 2)));
    }
    for (int bits = 23; bits <= 30; bits++) {
      int gap = 1 << bits;
      terms.add(
          new Term(
              field,
              IntStream.range(0, 300)
                  .mapToObj(i -> posting(i < 100 ? i : gap + i, 1, () -> 0))
                  .toList()));
    }
    for (int bits = 20; bits <= 30; bits++) {
      terms.add(new Term(field, postings(random, 300, 1, 0, bits)));
    }
    assertSame(terms, random);
  }

  /** Its impacts are of no group of blocks, and are not those of the next list's first either. */
  @Test
  void aListOfOneBlockLeavesNothingToTheNext() throws Exception {
    Random random = new Random(8);
    List<Term> terms = new ArrayList<>();
    terms.add(new Term(1, postings(random, 256, 0, 12, 0)));
    terms.add(new Term(1, postings(random, 8192, 0, 0, 0)));
    assertSame(terms, random);
  }

  @Test
  void outliersArePatchedAsByLucene() throws Exception {
    Random random = new Random(7);
    List<Term> terms = new ArrayList<>();
    for (int outliers = 0; outliers <= 9; outliers++) {
      for (int bits = 1; bits <= 12; bits++) {
        for (int low = 0; low < 3; low++) {
          int[] freqs = new int[512];
          int most = 1 << low;
          Arrays.setAll(freqs, i -> most == 1 ? 1 : 1 + random.nextInt(most));
          for (int i = 0; i < outliers; i++) {
            freqs[random.nextInt(256)] = 1 << bits;
          }
          List<Posting> postings = new ArrayList<>();
          for (int i = 0; i < freqs.length; i++) {
            postings.add(posting(2 * i, freqs[i], () -> random.nextInt(most)));
          }
          terms.add(new Term(1 + outliers % 3, postings));
        }
      }
    }
    assertSame(sorted(terms), random);
  }

  @Test
  void manyListsOfAllKindsAreWrittenAsByLucene() throws Exception {
    for (int seed = 0; seed < 20; seed++) {
      Random random = new Random(seed);
      List<Term> terms = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        int docFreq = 1 + random.nextInt(1 << random.nextInt(12));
        int field = random.nextInt(SCHEMA.size());
        terms.add(
            new Term(
                field,
                postings(
                    random, docFreq, random.nextInt(8), random.nextInt(5), random.nextInt(12))));
      }
      assertSame(sorted(terms), random);
    }
  }

  @Test
  void documentsThatDoNotAscendAreRefused() {
    for (int count : new int[] {2, 256, 300}) {
      List<Posting> postings = new ArrayList<>(postings(new Random(1), count, 2, 1, 3));
      postings.set(count - 1, postings.get(count - 2));
      assertThatThrownBy(() -> ours(List.of(new Term(2, postings)), new Random(1)))
          .isInstanceOf(CorruptIndexException.class)
          .hasMessageContaining("documents do not ascend");
    }
  }

  @Test
  void positionsThatDescendAreRefused() {
    for (int count : new int[] {2, 256, 300}) {
      List<Posting> postings = postings(new Random(1), count, 2, 0, 3);
      for (int at = 0; at < 2; at++) {
        List<Posting> wrong = new ArrayList<>(postings);
        wrong.set(at, posting(postings.get(at).docId(), 1, () -> -1));
        assertThatThrownBy(() -> ours(List.of(new Term(2, wrong)), new Random(1)))
            .isInstanceOf(CorruptIndexException.class)
            .hasMessageContaining("positions do not ascend");
      }
    }
  }

  @Test
  void tooFewPositionsAreRefused() {
    Posting posting = posting(3, 2, () -> 0);
    PostingsCursor cursor =
        new BlocksCursor(List.of(new Term(2, List.of(posting))), new Random(1)) {
          @Override
          public int nextPositions(int[] deltas) {
            return 0;
          }
        };
    assertThatThrownBy(() -> ours(cursor, new ByteBuffersDirectory()))
        .isInstanceOf(CorruptIndexException.class)
        .hasMessageContaining("fewer positions");
  }

  private static List<Term> sorted(List<Term> terms) {
    return terms.stream().sorted((a, b) -> Integer.compare(a.field(), b.field())).toList();
  }

  /** Numbers of so many bits at most: gaps of documents, frequencies, and all about positions. */
  private static List<Posting> postings(
      Random random, int docFreq, int docBits, int freqBits, int positionBits) {
    List<Posting> postings = new ArrayList<>();
    int docId = -1;
    for (int i = 0; i < docFreq; i++) {
      docId += 1 + random.nextInt(1 << docBits);
      int freq = 1 + random.nextInt(1 << random.nextInt(freqBits + 1));
      postings.add(posting(docId, freq, () -> random.nextInt(1 << positionBits)));
    }
    return postings;
  }

  private static Posting posting(int docId, int freq, IntSupplier number) {
    return new Posting(docId, numbers(freq, number), numbers(freq, number), numbers(freq, number));
  }

  private static ImmutableIntArray numbers(int count, IntSupplier number) {
    return ImmutableIntArray.copyOf(IntStream.generate(number).limit(count));
  }

  private static void assertSame(List<Term> terms, Random random) throws IOException {
    ByteBuffersDirectory expected = new ByteBuffersDirectory();
    byte[] expectedStates = lucenes(terms, expected);
    ByteBuffersDirectory actual = new ByteBuffersDirectory();
    byte[] actualStates = ours(new BlocksCursor(terms, random), actual);
    LuceneSegment.assertSameFiles(actual, expected);
    assertThat(actualStates).isEqualTo(expectedStates);
  }

  /** Writes the files and returns the terms' states as the terms writer would have them encoded. */
  private static byte[] lucenes(List<Term> terms, Directory directory) throws IOException {
    SegmentWriteState state = state(directory);
    SegmentNorms norms = new SegmentNorms(SCHEMA, LENGTHS);
    ByteBuffersDataOutput states = new ByteBuffersDataOutput();
    try (Lucene104PostingsWriter writer = new Lucene104PostingsWriter(state)) {
      int field = -1;
      for (Term term : terms) {
        FieldInfo info = state.fieldInfos.fieldInfo(term.field());
        boolean first = term.field() != field;
        if (first) {
          writer.setField(info);
          field = term.field();
        }
        writer.startTerm(info.hasNorms() ? norms.getNorms(info) : null);
        IntBlockTermState termState = writer.newTermState();
        for (Posting posting : term.postings()) {
          writer.startDoc(posting.docId(), posting.freq());
          if (SCHEMA.field(field).detail().hasPositions()) {
            addPositions(writer, posting);
          }
          writer.finishDoc();
          termState.docFreq++;
          termState.totalTermFreq += posting.freq();
        }
        if (!SCHEMA.field(field).detail().hasFrequencies()) {
          termState.totalTermFreq = -1;
        }
        writer.finishTerm(termState);
        note(states, termState);
        writer.encodeTerm(states, info, termState, first);
      }
    }
    return states.toArrayCopy();
  }

  private static void addPositions(Lucene104PostingsWriter writer, Posting posting)
      throws IOException {
    int position = 0;
    int start = 0;
    for (int i = 0; i < posting.freq(); i++) {
      position += posting.gaps().get(i);
      start += posting.startGaps().get(i);
      writer.addPosition(position, null, start, start + posting.lengths().get(i));
    }
  }

  private static byte[] ours(List<Term> terms, Random random) throws IOException {
    return ours(new BlocksCursor(terms, random), new ByteBuffersDirectory());
  }

  private static byte[] ours(PostingsCursor cursor, Directory directory) throws IOException {
    SegmentWriteState state = state(directory);
    PostingsOutputs outputs = new PostingsOutputs(directory);
    ByteBuffersDataOutput states = new ByteBuffersDataOutput();
    TermWriter writer = new TermWriter(outputs, state, new SegmentNorms(SCHEMA, LENGTHS));
    try (writer;
        PostingsStream stream = new PostingsStream(cursor)) {
      int field = -1;
      while (stream.nextTerm()) {
        boolean first = stream.term()[0] != field;
        field = stream.term()[0];
        FieldInfo info = state.fieldInfos.fieldInfo(field);
        if (first) {
          writer.setField(info);
        }
        IntBlockTermState termState = writer.write(stream);
        note(states, termState);
        writer.lucene().encodeTerm(states, info, termState, first);
      }
    }
    outputs.writeMetadata(writer.maxima(), state.context);
    return states.toArrayCopy();
  }

  private static void note(ByteBuffersDataOutput states, IntBlockTermState state)
      throws IOException {
    states.writeVInt(state.docFreq);
    states.writeLong(state.totalTermFreq);
    states.writeLong(state.lastPosBlockOffset);
    states.writeInt(state.singletonDocID);
  }

  private static SegmentWriteState state(Directory directory) {
    return LuceneSegment.state(directory, SCHEMA, Integer.MAX_VALUE);
  }
}
