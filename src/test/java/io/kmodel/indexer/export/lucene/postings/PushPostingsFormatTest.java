package io.kmodel.indexer.export.lucene.postings;

import static io.kmodel.indexer.export.lucene.postings.PushedTerms.DOCUMENTS;
import static io.kmodel.indexer.export.lucene.postings.PushedTerms.KEYWORD;
import static io.kmodel.indexer.export.lucene.postings.PushedTerms.assertSame;
import static io.kmodel.indexer.export.lucene.postings.PushedTerms.posting;
import static io.kmodel.indexer.export.lucene.postings.PushedTerms.random;
import static io.kmodel.indexer.export.lucene.postings.PushedTerms.state;
import static io.kmodel.indexer.export.lucene.postings.PushedTerms.terms;
import static io.kmodel.indexer.export.lucene.postings.PushedTerms.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.QuickEvery;
import io.kmodel.indexer.Tier;
import io.kmodel.indexer.export.lucene.FailingDirectory;
import io.kmodel.indexer.export.lucene.postings.BlocksCursor.Term;
import io.kmodel.indexer.export.lucene.postings.PushedTerms.Pieces;
import java.util.List;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.lucene.codecs.FieldsProducer;
import org.apache.lucene.codecs.lucene104.Lucene104PostingsFormat;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.SegmentReadState;
import org.apache.lucene.index.SegmentWriteState;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares all bytes with those of Lucene's own writers for the same terms and postings. */
class PushPostingsFormatTest {
  @ParameterizedTest
  @QuickEvery(3)
  @ValueSource(ints = {0, 1, 2, 3, 4, 5})
  void wordsIdsAndBytesAreWrittenAsByLucene(int seed) throws Exception {
    Random random = new Random(seed);
    SortedSet<String> words = new TreeSet<>();
    SortedSet<String> ids = new TreeSet<>();
    SortedSet<String> bytes = new TreeSet<>();
    for (int i = 0; i < Tier.pick(1500, 4000); i++) {
      words.add(random(random, 'a', 'a' + 1 + random.nextInt(26), 1 + random.nextInt(12)));
      ids.add("docs/package-%d/chapter%02d/page-%03d.html".formatted(i % 17, i % 50, i));
      bytes.add(random(random, 0, 256, 1 + random.nextInt(4)));
    }
    assertSame(words);
    assertSame(ids);
    assertSame(bytes);
  }

  @ParameterizedTest
  @QuickEvery(25)
  @MethodSource
  void termsOfAllKindsAreWrittenAsByLucene(int seed) throws Exception {
    Random random = new Random(seed);
    SortedSet<String> terms = new TreeSet<>();
    int first = random.nextInt(256);
    int end = first + 1 + random.nextInt(256 - first);
    int longest = 1 + random.nextInt(1 << random.nextInt(7));
    String prefix = random(random, 0, 256, random.nextInt(5));
    int count = 1 + random.nextInt(1 << random.nextInt(11));
    for (int i = 0; i < count; i++) {
      terms.add(prefix + random(random, first, end, random.nextInt(longest + 1)));
    }
    assertSame(terms);
  }

  static IntStream termsOfAllKindsAreWrittenAsByLucene() {
    return IntStream.range(0, 200);
  }

  @Test
  void lucenesReaderFindsAllTerms() throws Exception {
    SortedSet<String> ids = new TreeSet<>();
    for (int i = 0; i < DOCUMENTS; i++) {
      ids.add("docs/package-%d/chapter%02d/page-%03d.html".formatted(i % 170, i % 50, i));
    }
    Directory directory = new ByteBuffersDirectory();
    write(terms(ids, KEYWORD, new Random(5)), Pieces.ALL, directory);
    SegmentWriteState state = state(directory, Pieces.ALL);
    try (FieldsProducer fields =
        new Lucene104PostingsFormat()
            .fieldsProducer(
                new SegmentReadState(
                    directory, state.segmentInfo, state.fieldInfos, state.context))) {
      fields.checkIntegrity();
      Terms all = fields.terms("a");
      assertThat(all.size()).isEqualTo(ids.size());
      assertThat(all.getDocCount()).isEqualTo(DOCUMENTS);
      assertThat(all.getSumDocFreq()).isEqualTo(ids.size());
      assertThat(all.getMin()).isEqualTo(new BytesRef(ids.first()));
      assertThat(all.getMax()).isEqualTo(new BytesRef(ids.last()));
      TermsEnum inOrder = all.iterator();
      TermsEnum one = all.iterator();
      int docId = 0;
      for (String id : ids) {
        assertThat(inOrder.next()).isEqualTo(new BytesRef(id));
        assertThat(one.seekExact(new BytesRef(id))).isTrue();
        assertThat(one.docFreq()).isEqualTo(1);
        assertThat(one.postings(null).nextDoc()).isEqualTo(docId++);
        assertThat(one.seekExact(new BytesRef(id + "x"))).isFalse();
      }
      assertThat(inOrder.next()).isNull();
    }
  }

  @ParameterizedTest
  @CsvSource({"b, a", "same, same", "prefixes, prefix", "\u00E9, e"})
  void termsThatDoNotAscendAreRefused(String first, String second) {
    Random random = new Random(1);
    List<Term> terms =
        List.of(
            new Term(KEYWORD, first, List.of(posting(1, 1, random))),
            new Term(KEYWORD, second, List.of(posting(2, 1, random))));
    assertThatThrownBy(() -> write(terms, Pieces.ALL, new ByteBuffersDirectory()))
        .isInstanceOf(CorruptIndexException.class)
        .hasMessageContaining("terms do not ascend");
  }

  /** A term of a field whose terms were written already would be lost. */
  @Test
  void aFieldThatComesTooLateIsRefused() {
    Random random = new Random(1);
    List<Term> terms =
        List.of(
            new Term(KEYWORD + 1, "a", List.of(posting(1, 1, random))),
            new Term(KEYWORD, "b", List.of(posting(2, 1, random))));
    assertThatThrownBy(() -> write(terms, Pieces.ALL, new ByteBuffersDirectory()))
        .isInstanceOf(CorruptIndexException.class)
        .hasMessageContaining("terms do not ascend");
  }

  /** Fails at each call in turn, once or for good. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void allFilesAreClosedAfterAFailure(boolean staysFull) throws Exception {
    SortedSet<String> words = new TreeSet<>();
    IntStream.range(0, 80).forEach(i -> words.add("w" + i));
    List<Term> terms = terms(words, 2, new Random(1));
    int calls =
        FailingDirectory.failAtEachCall(
            staysFull, directory -> write(terms, Pieces.ALL, directory));
    assertThat(calls).isGreaterThan(100);
  }
}
