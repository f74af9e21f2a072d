package io.kmodel.indexer.export.lucene;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.primitives.ImmutableIntArray;
import com.google.common.util.concurrent.Futures;
import io.kmodel.indexer.export.lucene.BlocksCursor.Posting;
import io.kmodel.indexer.export.lucene.BlocksCursor.Term;
import io.kmodel.indexer.index.Detail;
import io.kmodel.indexer.index.Field;
import io.kmodel.indexer.index.PostingsCursor;
import io.kmodel.indexer.index.Schema;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.FutureTask;
import java.util.stream.IntStream;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.codecs.FieldsConsumer;
import org.apache.lucene.codecs.FieldsProducer;
import org.apache.lucene.codecs.lucene104.Lucene104PostingsFormat;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.SegmentReadState;
import org.apache.lucene.index.SegmentWriteState;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Lucene's own writers, given the same terms and postings, say what every byte must be. */
class PushedFieldsTest {
  private static final int DOCUMENTS = 3000;
  private static final int KEYWORD = 0;

  /** In order of their names, as Lucene wants fields. */
  private static final Schema SCHEMA =
      Schema.of(
          List.of(
              new Field("a", Detail.DOCUMENTS, false, false),
              new Field("b", Detail.FREQUENCIES, true, false),
              new Field("c", Detail.OFFSETS, true, false),
              new Field("d", Detail.POSITIONS, true, false)));

  /** Around the numbers at which prefixes get a block of their own, and blocks are cut. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 23, 24, 25, 26, 47, 48, 49, 50, 72, 73, 74, 75, 96, 97, 98, 150})
  void blocksAreCutWhereLucenesAre(int count) throws Exception {
    for (String prefix : List.of("", "p", "prefix", "\0\u00FF")) {
      SortedSet<String> inOne = new TreeSet<>(List.of(prefix + "zz"));
      SortedSet<String> inTwo = new TreeSet<>(List.of("a", "b"));
      SortedSet<String> prefixesOfEachOther = new TreeSet<>();
      for (int i = 0; i < count; i++) {
        inOne.add(prefix + (char) i);
        inTwo.add(prefix + "0" + i);
        inTwo.add(prefix + "1" + i);
        prefixesOfEachOther.add(prefix + "x".repeat(i));
      }
      assertSame(inOne);
      assertSame(inTwo);
      assertSame(prefixesOfEachOther);
    }
  }

  @Test
  void theEmptyTermIsWrittenAsByLucene() throws Exception {
    assertSame(new TreeSet<>(List.of("")));
    SortedSet<String> terms = new TreeSet<>(List.of(""));
    IntStream.range(0, 500).forEach(i -> terms.add("t" + i));
    assertSame(terms);
  }

  /** The labels of a node's children are noted in three ways. */
  @Test
  void nodesOfTheIndexAreWrittenAsByLucene() throws Exception {
    for (int[] labels :
        new int[][] {
          {0, 255},
          {7, 8},
          {1, 2, 3, 200},
          IntStream.range(0, 256).filter(i -> i != 77).toArray(),
          IntStream.range(10, 100).filter(i -> i % 2 == 0).toArray(),
          IntStream.range(0, 256).toArray()
        }) {
      SortedSet<String> terms = new TreeSet<>();
      for (int label : labels) {
        for (int i = 0; i < 30; i++) {
          terms.add("node" + (char) label + "chain" + i);
        }
      }
      assertSame(terms);
      // With a block of its own above these, which has terms, and is cut, too.
      IntStream.range(0, 90).forEach(i -> terms.add("node" + (char) i + "!"));
      terms.add("node");
      assertSame(terms);
    }
  }

  @Test
  void longPrefixesAreWrittenAsByLucene() throws Exception {
    SortedSet<String> terms = new TreeSet<>();
    for (int length = 1; length < 3000; length *= 3) {
      for (int i = 0; i < 60; i++) {
        terms.add("y".repeat(length) + (char) (i * 4) + i);
      }
    }
    assertSame(terms);
  }

  @ParameterizedTest
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

  /** As long as Lucene lets them be: so long blocks are compressed by Lucene's own LZ4. */
  @Test
  void theLongestTermsAreWrittenAsByLucene() throws Exception {
    Random random = new Random(3);
    SortedSet<String> terms = new TreeSet<>();
    for (int i = 0; i < 60; i++) {
      terms.add("abc" + random(random, 0, 256, IndexWriter.MAX_TERM_LENGTH - 3));
      terms.add("abd" + "xy".repeat(i * 270) + i);
      terms.add("z".repeat(IndexWriter.MAX_TERM_LENGTH - 2) + (char) i + (char) (2 * i));
    }
    assertSame(terms);
  }

  /** So large that it is written piece by piece, and that children lie far before their parents. */
  @Test
  void largeIndexesOfBlocksAreWrittenAsByLucene() throws Exception {
    SortedSet<String> terms = new TreeSet<>();
    for (int i = 0; i < 400; i++) {
      String prefix = Integer.toString(i, 3) + "-" + "chain".repeat(20) + i;
      for (int j = 0; j < 26; j++) {
        terms.add(prefix + (char) ('a' + j));
      }
    }
    assertSame(terms);
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

  /** The example of {@link BlockTree}. */
  @Test
  void twoTermsTakeFewBytes() throws Exception {
    Directory directory = new ByteBuffersDirectory();
    Random random = new Random(1);
    List<Term> terms =
        List.of(
            new Term(KEYWORD, "a", List.of(posting(3, 1, random))),
            new Term(KEYWORD, "b", List.of(posting(4, 1, random))));
    write(terms, Pieces.ALL, directory);
    assertThat(behindHeader(directory, "_0.tim"))
        .isEqualTo("05146162" + "0501" + "0103" + "03680305");
    assertThat(behindHeader(directory, "_0.tip")).isEqualTo("202C" + "00".repeat(8));
  }

  private static String behindHeader(Directory directory, String file) throws IOException {
    try (IndexInput in = directory.openInput(file, IOContext.READONCE)) {
      in.seek(
          CodecUtil.indexHeaderLength(
              "BlockTreeTerms" + (file.endsWith("m") ? "Dict" : "Index"), ""));
      byte[] bytes = new byte[(int) (in.length() - in.getFilePointer()) - CodecUtil.footerLength()];
      in.readBytes(bytes, 0, bytes.length);
      return HexFormat.of().withUpperCase().formatHex(bytes);
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
    assertSameFiles(all, new Pieces(4, Pieces.ALL.documents));
    assertSameFiles(all, new Pieces(1 + random.nextInt(3), new DocumentRange(700, 1600)));
  }

  /**
   * How terms come, of which documents.
   *
   * @param ranges of terms; every third is too large to be encoded ahead
   */
  private record Pieces(int ranges, DocumentRange documents) {
    static final Pieces ALL = new Pieces(1, new DocumentRange(0, DOCUMENTS));

    PostingsRanges ranges(List<Term> terms) {
      return new PostingsRanges() {
        @Override
        public int count() {
          return ranges;
        }

        @Override
        public long bytes(int range) {
          return range % 3 == 2 ? Long.MAX_VALUE / 4 : 1 << 10;
        }

        @Override
        public PostingsCursor open(int range) {
          DocumentRange part = DocumentRange.part(range, ranges, terms.size());
          return cursor(terms.subList(part.from(), part.to()));
        }
      };
    }
  }

  private static List<Term> terms(SortedSet<String> bytes, int field, Random random) {
    List<Term> terms = new ArrayList<>();
    int next = 0;
    for (String term : bytes) {
      List<Posting> postings = new ArrayList<>();
      if (field == KEYWORD) {
        // Every document has one; where there are more terms, the last documents have several.
        int last = bytes.size() - 1 == terms.size() ? DOCUMENTS : Math.min(next + 1, DOCUMENTS);
        for (int docId = Math.min(next, DOCUMENTS - 1); docId < last; docId++) {
          postings.add(posting(docId, 1, random));
        }
        next = last;
      } else {
        int docId = random.nextInt(DOCUMENTS);
        int docFreq = random.nextInt(50) == 0 ? 600 : 1 + random.nextInt(2);
        for (int i = 0; i < docFreq && docId < DOCUMENTS; i++) {
          postings.add(posting(docId, 1 + random.nextInt(1 + random.nextInt(3)), random));
          docId += 1 + random.nextInt(4);
        }
      }
      terms.add(new Term(field, term, postings));
    }
    return terms;
  }

  private static Posting posting(int docId, int freq, Random random) {
    ImmutableIntArray gaps =
        ImmutableIntArray.copyOf(IntStream.generate(() -> random.nextInt(90)).limit(freq));
    return new Posting(docId, gaps, gaps, gaps);
  }

  private static void assertSameFiles(List<Term> terms, Pieces pieces) throws IOException {
    SegmentNorms norms = norms(terms, pieces.documents);
    Directory expected = new ByteBuffersDirectory();
    try (PostingsStream stream = new PostingsStream(cursor(terms), pieces.documents);
        FieldsConsumer lucenes =
            new Lucene104PostingsFormat().fieldsConsumer(state(expected, pieces))) {
      lucenes.write(new StreamedFields(SCHEMA, stream, norms), norms);
    }
    Directory actual = new ByteBuffersDirectory();
    write(terms, pieces, actual);
    LuceneSegment.assertSameFiles(actual, expected);
  }

  /** Writes our files, with another thread's help if there are several ranges. */
  private static void write(List<Term> terms, Pieces pieces, Directory directory)
      throws IOException {
    SegmentNorms norms = norms(terms, pieces.documents);
    SegmentWriteState state = state(directory, pieces);
    PostingsChunks chunks =
        new PostingsChunks(
            pieces.ranges(terms),
            pieces.documents.size() == DOCUMENTS ? null : pieces.documents,
            norms,
            state,
            1 << 20);
    FutureTask<Boolean> help =
        new FutureTask<>(
            () -> {
              chunks.help();
              return true;
            });
    if (pieces.ranges > 1) {
      Thread.ofPlatform().start(help);
    } else {
      help.cancel(false);
    }
    try (chunks;
        FieldsConsumer ours = new PushPostingsFormat(chunks, norms).fieldsConsumer(state);
        Closeable twice = ours) {
      assertThat(twice).isNotNull();
      ours.write(new StreamedFields(SCHEMA, chunks, norms), norms);
    } finally {
      if (!help.isCancelled()) {
        assertThat(Futures.getUnchecked(help)).isTrue();
      }
    }
  }

  private static SegmentWriteState state(Directory directory, Pieces pieces) {
    return LuceneSegment.state(directory, SCHEMA, pieces.documents.size());
  }

  private static BlocksCursor cursor(List<Term> terms) {
    return new BlocksCursor(terms, new Random(terms.size()));
  }

  /** Lengths are what the postings add up to. */
  private static SegmentNorms norms(List<Term> terms, DocumentRange documents) {
    int[][] lengths = new int[SCHEMA.size()][DOCUMENTS];
    for (Term term : terms) {
      for (Posting posting : term.postings()) {
        lengths[term.field()][posting.docId()] += posting.freq();
      }
    }
    return new SegmentNorms(
        SCHEMA,
        new DocumentLengths() {
          @Override
          public int count() {
            return documents.size();
          }

          @Override
          public int length(int field, int docId) {
            return lengths[field][documents.from() + docId];
          }
        });
  }
}
