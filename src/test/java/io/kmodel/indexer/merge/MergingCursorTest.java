package io.kmodel.indexer.merge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.index.model.PostingsConsumer;
import io.kmodel.indexer.index.model.PostingsCopier;
import io.kmodel.indexer.merge.ListCursor.Posting;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class MergingCursorTest {
  @Property(tries = 300)
  void aMergeIsTheConcatenationOfTheRunsLists(
      @ForAll long seed, @ForAll @IntRange(min = 0, max = 150) int runCount) throws IOException {
    Random random = new Random(seed);
    SortedMap<String, List<Posting>> expected = new TreeMap<>();
    List<MergingCursor.Input> inputs = new ArrayList<>();
    int docBase = 0;
    for (int run = 0; run < runCount; run++) {
      int documents = 1 + random.nextInt(9);
      SortedMap<String, List<Posting>> postings = randomRun(random, documents);
      inputs.add(
          new MergingCursor.Input(new ListCursor(postings).withSlack(random.nextInt(9)), docBase));
      for (var term : postings.entrySet()) {
        List<Posting> list = expected.computeIfAbsent(term.getKey(), t -> new ArrayList<>());
        for (Posting posting : term.getValue()) {
          list.add(new Posting(docBase + posting.doc(), posting.positions()));
        }
      }
      docBase += documents;
    }
    Recorder recorder = new Recorder();
    try (MergingCursor merged = new MergingCursor(inputs)) {
      new PostingsCopier().copy(merged, recorder);
    }
    assertThat(recorder.postings).isEqualTo(expected);
    assertThat(recorder.order).isSorted();
  }

  @Property(tries = 200)
  void statisticsAreThoseOfTheLists(@ForAll long seed) throws IOException {
    Random random = new Random(seed);
    List<MergingCursor.Input> inputs = new ArrayList<>();
    for (int run = 0; run < 5; run++) {
      inputs.add(
          new MergingCursor.Input(
              new ListCursor(randomRun(random, 8)), Math.multiplyExact(8, run)));
    }
    int[] docs = new int[256];
    int[] freqs = new int[256];
    try (MergingCursor merged = new MergingCursor(inputs)) {
      while (merged.nextTerm()) {
        int docFreq = 0;
        long totalTermFreq = 0;
        for (int n = merged.nextDocs(docs, freqs); n > 0; n = merged.nextDocs(docs, freqs)) {
          docFreq += n;
          for (int i = 0; i < n; i++) {
            totalTermFreq += freqs[i];
          }
        }
        assertThat(merged.docFreq()).isEqualTo(docFreq);
        assertThat(merged.totalTermFreq()).isEqualTo(totalTermFreq);
      }
    }
  }

  @Test
  void termsThatShareTheirFirstEightBytesAreToldApart() throws IOException {
    SortedMap<String, List<Posting>> a = new TreeMap<>();
    a.put("12345678", List.of(new Posting(0, List.of(0))));
    a.put("12345678b", List.of(new Posting(0, List.of(1))));
    SortedMap<String, List<Posting>> b = new TreeMap<>();
    b.put("12345678\0", List.of(new Posting(0, List.of(0))));
    b.put("12345678a", List.of(new Posting(0, List.of(1))));
    Recorder recorder = new Recorder();
    try (MergingCursor merged =
        new MergingCursor(
            List.of(
                new MergingCursor.Input(new ListCursor(a), 0),
                new MergingCursor.Input(new ListCursor(b), 1)))) {
      new PostingsCopier().copy(merged, recorder);
    }
    assertThat(recorder.order).containsExactly("12345678", "12345678\0", "12345678a", "12345678b");
  }

  @Test
  void twoTermsOfAnyLengthsComeInTheOrderOfTheirBytes() throws IOException {
    List<String> terms = new ArrayList<>();
    terms.add("");
    for (int length : new int[] {1, 2, 7, 8, 9, 14, 15, 16, 17, 24, 33}) {
      for (char last : new char[] {'\0', '\1', 'x', '\u007f', '\u00e9', '\uffff'}) {
        terms.add("x".repeat(length - 1) + last);
      }
    }
    for (int slack : new int[] {0, 1, 7, 8, 20}) {
      for (String one : terms) {
        for (String other : terms) {
          Recorder recorder = new Recorder();
          try (MergingCursor merged =
              new MergingCursor(
                  List.of(
                      new MergingCursor.Input(of(one).withSlack(slack), 0),
                      new MergingCursor.Input(of(other), 1)))) {
            new PostingsCopier().copy(merged, recorder);
          }
          // These characters order like their bytes, too.
          assertThat(recorder.order)
              .as("%s %s", one, other)
              .isEqualTo(Stream.of(one, other).sorted().distinct().toList());
        }
      }
    }
  }

  @Test
  void whatIsBehindTheDocumentsAndAfterTheLastOnesIsLeftAlone() throws IOException {
    int[] docs = new int[256];
    int[] freqs = new int[256];
    try (MergingCursor merged =
        new MergingCursor(
            List.of(
                new MergingCursor.Input(of("term"), 1000),
                new MergingCursor.Input(of("term"), 2000)))) {
      assertThat(merged.nextPositions(docs)).isZero();
      assertThat(merged.nextTerm()).isTrue();
      for (int expected : new int[] {1000, 2000}) {
        Arrays.fill(docs, -1);
        assertThat(merged.nextDocs(docs, freqs)).isOne();
        assertThat(docs[0]).isEqualTo(expected);
        assertThat(Arrays.stream(docs).skip(1)).containsOnly(-1);
      }
      assertThat(merged.nextDocs(docs, freqs)).isZero();
      assertThat(merged.nextPositions(docs)).isZero();
      assertThat(merged.nextTerm()).isFalse();
      assertThat(merged.nextDocs(docs, freqs)).isZero();
      assertThat(merged.nextPositions(docs)).isZero();
    }
  }

  private static ListCursor of(String term) {
    SortedMap<String, List<Posting>> run = new TreeMap<>();
    run.put(term, List.of(new Posting(0, List.of(0))));
    return new ListCursor(run);
  }

  @Test
  void moreDocumentsThanAnIntHoldsAreAnErrorNotAnOverflow() throws IOException {
    SortedMap<String, List<Posting>> one = new TreeMap<>();
    one.put("term", List.of(new Posting(0, List.of(0))));
    try (MergingCursor merged =
        new MergingCursor(
            List.of(
                new MergingCursor.Input(new ListCursor(one, Integer.MAX_VALUE - 1), 0),
                new MergingCursor.Input(new ListCursor(one, Integer.MAX_VALUE - 1), 1)))) {
      assertThat(merged.nextTerm()).isTrue();
      assertThatThrownBy(merged::docFreq).isInstanceOf(ArithmeticException.class);
    }
  }

  @Test
  void closingClosesEveryRun() throws IOException {
    List<ListCursor> cursors = new ArrayList<>();
    List<MergingCursor.Input> inputs = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      ListCursor cursor = new ListCursor(new TreeMap<>());
      cursors.add(cursor);
      inputs.add(new MergingCursor.Input(cursor, i));
    }
    new MergingCursor(inputs).close();
    assertThat(cursors).allMatch(ListCursor::isClosed);
  }

  @Test
  void aRunThatCannotBeClosedKeepsNoOtherOpen() {
    List<MergingCursor.Input> inputs = new ArrayList<>();
    List<ListCursor> others = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      ListCursor cursor = new ListCursor(new TreeMap<>());
      if (i == 0) {
        cursor.failWhenClosed();
      } else {
        others.add(cursor);
      }
      inputs.add(new MergingCursor.Input(cursor, i));
    }
    assertThatThrownBy(new MergingCursor(inputs)::close).isInstanceOf(IOException.class);
    assertThat(others).allMatch(ListCursor::isClosed);
  }

  private static SortedMap<String, List<Posting>> randomRun(Random random, int documents) {
    SortedMap<String, List<Posting>> run = new TreeMap<>();
    int terms = random.nextInt(12);
    for (int t = 0; t < terms; t++) {
      List<Posting> list = new ArrayList<>();
      for (int doc = 0; doc < documents; doc++) {
        if (random.nextInt(3) > 0) {
          list.add(new Posting(doc, positions(random)));
        }
      }
      if (!list.isEmpty()) {
        run.put(term(random), list);
      }
    }
    return run;
  }

  /** Terms that differ only at the end, around the words that are compared first. */
  private static String term(Random random) {
    String alike = "x".repeat(random.nextInt(20));
    return alike + "\0xz\u00e9".charAt(random.nextInt(4)) + "\0".repeat(random.nextInt(2));
  }

  private static List<Integer> positions(Random random) {
    List<Integer> positions = new ArrayList<>();
    int position = random.nextInt(100);
    for (int i = 1 + random.nextInt(5); i > 0; i--) {
      positions.add(position);
      position += random.nextInt(100);
    }
    return positions;
  }

  /** Rebuilds lists from the calls of a consumer. */
  private static final class Recorder implements PostingsConsumer {
    final SortedMap<String, List<Posting>> postings = new TreeMap<>();
    final List<String> order = new ArrayList<>();
    private final List<Integer> docs = new ArrayList<>();
    private final List<Integer> freqs = new ArrayList<>();
    private final List<Integer> deltas = new ArrayList<>();
    private String term = "";

    @Override
    public void startTerm(byte[] bytes, int length) {
      term = new String(bytes, 0, length, StandardCharsets.UTF_8);
      order.add(term);
      docs.clear();
      freqs.clear();
      deltas.clear();
    }

    @Override
    public void docs(int[] docs, int[] freqs, int count) {
      for (int i = 0; i < count; i++) {
        this.docs.add(docs[i]);
        this.freqs.add(freqs[i]);
      }
    }

    @Override
    public void positions(int[] deltas, int count) {
      for (int i = 0; i < count; i++) {
        this.deltas.add(deltas[i]);
      }
    }

    @Override
    public void finishTerm() {
      List<Posting> list = new ArrayList<>();
      int next = 0;
      for (int i = 0; i < docs.size(); i++) {
        List<Integer> positions = new ArrayList<>();
        int position = 0;
        for (int j = 0; j < freqs.get(i); j++) {
          position += deltas.get(next++);
          positions.add(position);
        }
        list.add(new Posting(docs.get(i), positions));
      }
      assertThat(next).isEqualTo(deltas.size());
      postings.put(term, list);
    }
  }
}
