package io.kmodel.indexer.export.lucene.postings;

import static io.kmodel.indexer.export.lucene.postings.PushedTerms.KEYWORD;
import static io.kmodel.indexer.export.lucene.postings.PushedTerms.assertSame;
import static io.kmodel.indexer.export.lucene.postings.PushedTerms.assertSameFiles;
import static io.kmodel.indexer.export.lucene.postings.PushedTerms.posting;
import static io.kmodel.indexer.export.lucene.postings.PushedTerms.random;
import static io.kmodel.indexer.export.lucene.postings.PushedTerms.terms;
import static io.kmodel.indexer.export.lucene.postings.PushedTerms.write;
import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.QuickEvery;
import io.kmodel.indexer.Tier;
import io.kmodel.indexer.export.lucene.postings.BlocksCursor.Term;
import io.kmodel.indexer.export.lucene.postings.PushedTerms.Pieces;
import java.io.IOException;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares the term dictionary with Lucene's where blocks and the nodes of their index differ. */
class PushedFieldsTest {
  /** Counts around the minimum of a block, the maximum, and their multiples. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 23, 24, 25, 26, 47, 48, 49, 50, 72, 73, 74, 75, 96, 97, 98, 150})
  void blocksAreSplitWhereLucenesAre(int count) throws Exception {
    for (String prefix : Tier.some(List.of("prefix", "", "p", "\0\u00FF"), 1)) {
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

  /** Covers all three encodings of the labels of a node's children. */
  @ParameterizedTest
  @QuickEvery(2)
  @MethodSource
  void nodesOfTheIndexAreWrittenAsByLucene(int[] labels) throws Exception {
    SortedSet<String> terms = new TreeSet<>();
    for (int label : labels) {
      for (int i = 0; i < 30; i++) {
        terms.add("node" + (char) label + "chain" + i);
      }
    }
    assertSame(terms);
    // Gives the parent node blocks too, several of them and with terms.
    IntStream.range(0, 90).forEach(i -> terms.add("node" + (char) i + "!"));
    terms.add("node");
    assertSame(terms);
  }

  static Stream<int[]> nodesOfTheIndexAreWrittenAsByLucene() {
    return Stream.of(
        new int[] {1, 2, 3, 200},
        IntStream.range(0, 256).toArray(),
        IntStream.range(100, 140).filter(i -> i != 120).toArray(),
        IntStream.range(0, 256).filter(i -> i != 77).toArray(),
        IntStream.range(10, 100).filter(i -> i % 2 == 0).toArray(),
        new int[] {0, 255},
        new int[] {7, 8});
  }

  @Test
  void longPrefixesAreWrittenAsByLucene() throws Exception {
    SortedSet<String> terms = new TreeSet<>();
    for (int length = 1; length < 3000; length *= 3) {
      for (int i = 0; i < 60; i++) {
        terms.add("y".repeat(length) + (char) (i * 4) + i);
      }
    }
    assertSameLarge(terms);
  }

  /** Terms of the maximum length; blocks are so long that Lucene's LZ4 compresses them. */
  @Test
  void theLongestTermsAreWrittenAsByLucene() throws Exception {
    Random random = new Random(3);
    SortedSet<String> terms = new TreeSet<>();
    for (int i = 0; i < Tier.pick(30, 60); i++) {
      terms.add("abc" + random(random, 0, 256, IndexWriter.MAX_TERM_LENGTH - 3));
      terms.add("abd" + "xy".repeat(i * 270) + i);
      terms.add("z".repeat(IndexWriter.MAX_TERM_LENGTH - 2) + (char) i + (char) (2 * i));
    }
    assertSameLarge(terms);
  }

  /** The index is written in several pieces, and some nodes are far from their parents. */
  @Test
  void largeIndexesOfBlocksAreWrittenAsByLucene() throws Exception {
    SortedSet<String> terms = new TreeSet<>();
    for (int i = 0; i < 400; i++) {
      String prefix = Integer.toString(i, 3) + "-" + "chain".repeat(20) + i;
      for (int j = 0; j < 26; j++) {
        terms.add(prefix + (char) ('a' + j));
      }
    }
    assertSameLarge(terms);
  }

  /** Compares one field in the quick tier. */
  private static void assertSameLarge(SortedSet<String> terms) throws IOException {
    if (Tier.isThorough()) {
      assertSame(terms);
    } else {
      assertSameFiles(terms(terms, KEYWORD, new Random(1)), Pieces.ALL);
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
    assertThat(afterHeader(directory, "_0.tim"))
        .isEqualTo("05146162" + "0501" + "0103" + "03680305");
    assertThat(afterHeader(directory, "_0.tip")).isEqualTo("202C" + "00".repeat(8));
  }

  /** The bytes between a file's header and its footer. */
  private static String afterHeader(Directory directory, String file) throws IOException {
    try (IndexInput in = directory.openInput(file, IOContext.READONCE)) {
      in.seek(
          CodecUtil.indexHeaderLength(
              "BlockTreeTerms" + (file.endsWith("m") ? "Dict" : "Index"), ""));
      byte[] bytes = new byte[(int) (in.length() - in.getFilePointer()) - CodecUtil.footerLength()];
      in.readBytes(bytes, 0, bytes.length);
      return HexFormat.of().withUpperCase().formatHex(bytes);
    }
  }
}
