package io.kmodel.indexer.export.lucene;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.primitives.ImmutableIntArray;
import io.kmodel.indexer.export.lucene.BlocksCursor.Posting;
import io.kmodel.indexer.export.lucene.BlocksCursor.Term;
import io.kmodel.indexer.index.Detail;
import io.kmodel.indexer.index.Field;
import io.kmodel.indexer.index.Schema;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.FieldsConsumer;
import org.apache.lucene.codecs.FieldsProducer;
import org.apache.lucene.codecs.lucene104.Lucene104PostingsFormat;
import org.apache.lucene.index.SegmentInfo;
import org.apache.lucene.index.SegmentReadState;
import org.apache.lucene.index.SegmentWriteState;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.InfoStream;
import org.apache.lucene.util.Version;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
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

  @Test
  void wordsIdsAndBytesAreWrittenAsByLucene() throws Exception {
    for (int seed = 0; seed < 6; seed++) {
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
  }

  @Test
  void termsOfAllKindsAreWrittenAsByLucene() throws Exception {
    for (int seed = 0; seed < 200; seed++) {
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
  }

  @Test
  void lucenesReaderFindsAllTerms() throws Exception {
    SortedSet<String> ids = new TreeSet<>();
    for (int i = 0; i < 5000; i++) {
      ids.add("docs/package-%d/chapter%02d/page-%03d.html".formatted(i % 170, i % 50, i));
    }
    List<Term> terms = terms(ids, KEYWORD, new Random(5));
    Directory directory = new ByteBuffersDirectory();
    SegmentWriteState state = state(directory);
    SegmentNorms norms = norms(terms);
    PostingsChunks chunks = chunks(terms, norms, state);
    try (chunks;
        FieldsConsumer consumer = new PushPostingsFormat(chunks, norms).fieldsConsumer(state)) {
      consumer.write(new StreamedFields(SCHEMA, chunks, norms), norms);
    }
    try (FieldsProducer fields =
        new Lucene104PostingsFormat()
            .fieldsProducer(
                new SegmentReadState(
                    directory, state.segmentInfo, state.fieldInfos, state.context))) {
      fields.checkIntegrity();
      TermsEnum inOrder = fields.terms("a").iterator();
      TermsEnum one = fields.terms("a").iterator();
      for (String id : ids) {
        BytesRef bytes = new BytesRef(id.getBytes(StandardCharsets.ISO_8859_1));
        assertThat(inOrder.next()).isEqualTo(bytes);
        assertThat(one.seekExact(bytes)).isTrue();
        assertThat(one.seekExact(new BytesRef(id + "x"))).isFalse();
      }
      assertThat(inOrder.next()).isNull();
    }
  }

  private static String random(Random random, int first, int end, int length) {
    StringBuilder term = new StringBuilder();
    for (int i = 0; i < length; i++) {
      term.append((char) (first + random.nextInt(end - first)));
    }
    return term.toString();
  }

  /** In each field alone, and in all of them. */
  private static void assertSame(SortedSet<String> bytes) throws IOException {
    Random random = new Random(bytes.size());
    List<Term> all = new ArrayList<>();
    for (int field = 0; field < SCHEMA.size(); field++) {
      List<Term> terms = terms(bytes, field, random);
      assertSameFiles(terms);
      all.addAll(terms);
    }
    assertSameFiles(all);
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

  private static void assertSameFiles(List<Term> terms) throws IOException {
    SegmentNorms norms = norms(terms);
    Directory expected = new ByteBuffersDirectory();
    try (PostingsStream stream =
            new PostingsStream(cursor(terms), new DocumentRange(0, DOCUMENTS));
        FieldsConsumer lucenes = new Lucene104PostingsFormat().fieldsConsumer(state(expected))) {
      lucenes.write(new StreamedFields(SCHEMA, stream, norms), norms);
    }
    Directory actual = new ByteBuffersDirectory();
    SegmentWriteState state = state(actual);
    PostingsChunks chunks = chunks(terms, norms, state);
    try (chunks;
        FieldsConsumer ours = new PushPostingsFormat(chunks, norms).fieldsConsumer(state)) {
      ours.write(new StreamedFields(SCHEMA, chunks, norms), norms);
    }
    assertThat(actual.listAll()).containsExactly(expected.listAll());
    for (String file : expected.listAll()) {
      assertThat(content(actual, file)).as(file).isEqualTo(content(expected, file));
    }
  }

  private static BlocksCursor cursor(List<Term> terms) {
    return new BlocksCursor(terms, new Random(terms.size()));
  }

  private static PostingsChunks chunks(
      List<Term> terms, SegmentNorms norms, SegmentWriteState state) {
    return new PostingsChunks(PostingsRanges.single(cursor(terms)), null, norms, state, 1 << 20);
  }

  /** Lengths are what the postings add up to. */
  private static SegmentNorms norms(List<Term> terms) {
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
            return DOCUMENTS;
          }

          @Override
          public int length(int field, int docId) {
            return lengths[field][docId];
          }
        });
  }

  private static byte[] content(Directory directory, String file) throws IOException {
    try (IndexInput in = directory.openInput(file, IOContext.READONCE)) {
      byte[] content = new byte[Math.toIntExact(in.length())];
      in.readBytes(content, 0, content.length);
      return content;
    }
  }

  private static SegmentWriteState state(Directory directory) {
    SegmentInfo info =
        new SegmentInfo(
            directory,
            Version.LATEST,
            Version.LATEST,
            "_0",
            DOCUMENTS,
            /* isCompoundFile= */ false,
            /* hasBlocks= */ false,
            Codec.getDefault(),
            Map.of(),
            new byte[16],
            Map.of(),
            /* indexSort= */ null);
    return new SegmentWriteState(
        InfoStream.NO_OUTPUT,
        directory,
        info,
        new LuceneFields(SCHEMA).infos(),
        /* segUpdates= */ null,
        IOContext.DEFAULT);
  }
}
