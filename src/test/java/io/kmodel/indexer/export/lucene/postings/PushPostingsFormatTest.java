package io.kmodel.indexer.export.lucene.postings;

import static io.kmodel.indexer.export.lucene.postings.PushedTerms.DOCUMENTS;
import static io.kmodel.indexer.export.lucene.postings.PushedTerms.KEYWORD;
import static io.kmodel.indexer.export.lucene.postings.PushedTerms.SCHEMA;
import static io.kmodel.indexer.export.lucene.postings.PushedTerms.assertSameFiles;
import static io.kmodel.indexer.export.lucene.postings.PushedTerms.posting;
import static io.kmodel.indexer.export.lucene.postings.PushedTerms.state;
import static io.kmodel.indexer.export.lucene.postings.PushedTerms.terms;
import static io.kmodel.indexer.export.lucene.postings.PushedTerms.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.QuickEvery;
import io.kmodel.indexer.export.lucene.FailingDirectory;
import io.kmodel.indexer.export.lucene.postings.BlocksCursor.Term;
import io.kmodel.indexer.export.lucene.postings.PushedTerms.Pieces;
import io.kmodel.indexer.export.lucene.schema.DocumentRange;
import java.io.IOException;
import java.util.ArrayList;
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

/** Lucene's own writers, given the same terms and postings, say what every byte must be. */
class PushPostingsFormatTest {
  @ParameterizedTest
  @QuickEvery(3)
  @ValueSource(ints = {0, 1, 2, 3, 4, 5})
  void wordsIdsAndBytesAreWrittenAsByLucene(int seed) throws Exception {
    Random random = new Random(seed);
    SortedSet<String> words = new TreeSet<>();
    SortedSet<String> ids = new TreeSet<>();
    SortedSet<String> bytes = new TreeSet<>();
    for (int i = 0; i < 4000; i++) {
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

  /** Whatever call of the file system fails, nothing stays open. */
  @Test
  void allFilesAreClosedAfterAFailure() throws Exception {
    SortedSet<String> words = new TreeSet<>();
    IntStream.range(0, 80).forEach(i -> words.add("w" + i));
    List<Term> terms = terms(words, 2, new Random(1));
    int calls = 0;
    for (boolean failed = true; failed; calls++) {
      FailingDirectory directory = new FailingDirectory(calls);
      failed = false;
      try {
        write(terms, Pieces.ALL, directory);
      } catch (IOException e) {
        assertThat(e).hasMessage("the disk is full");
        failed = true;
      }
      assertThat(directory.open()).as("after call %d", calls).isZero();
    }
    assertThat(calls).isGreaterThan(100);
  }

  private static String random(Random random, int first, int end, int length) {
    StringBuilder term = new StringBuilder();
    for (int i = 0; i < length; i++) {
      term.append((char) (first + random.nextInt(end - first)));
    }
    return term.toString();
  }

  /** In each field alone, and in all of them, in one piece and in several. */
  private static void assertSame(SortedSet<String> bytes) throws IOException {
    Random random = new Random(bytes.size());
    List<Term> all = new ArrayList<>();
    for (int field = 0; field < SCHEMA.size(); field++) {
      List<Term> terms = terms(bytes, field, random);
      assertSameFiles(terms, Pieces.ALL);
      all.addAll(terms);
    }
    assertSameFiles(all, new Pieces(4, Pieces.ALL.documents()));
    assertSameFiles(all, new Pieces(1 + random.nextInt(3), new DocumentRange(700, 1600)));
  }
}
