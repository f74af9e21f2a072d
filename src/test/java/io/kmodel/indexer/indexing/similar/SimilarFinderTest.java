package io.kmodel.indexer.indexing.similar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.Tier;
import io.kmodel.indexer.indexing.options.BuildException;
import io.kmodel.indexer.source.Location;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SimilarFinderTest {
  private static final long PLENTY = 16 << 20;

  @TempDir Path directory;
  private final List<String> pairs = new ArrayList<>();

  @Test
  void aDocumentIsComparedWithThoseThatStayAndTheFirstOfThemIsNamed() throws Exception {
    EditedTexts texts = new EditedTexts(1);
    String heron = texts.text(300);
    String river = texts.text(300);
    List<@Nullable BitSet> found =
        find(
            PLENTY,
            0.8,
            List.of(List.of(heron, river, ""), List.of(), List.of(river, "", heron, heron)));
    assertThat(found).containsExactly(null, null, bits(0, 2, 3));
    assertThat(pairs)
        .containsExactly(
            "split-2:0 is like split-0:1 by 1.00",
            "split-2:2 is like split-0:0 by 1.00",
            "split-2:3 is like split-0:0 by 1.00");
  }

  /** B is like A, and C like B, but C is not like A: B is left out, so that C stays. */
  @Test
  void similarityIsNotPassedOn() throws Exception {
    EditedTexts texts = new EditedTexts(5);
    String a = texts.text(2000);
    String b = texts.edited(a, 0.012);
    String c = texts.edited(b, 0.035);
    assertThat(EditedTexts.similarity(a, b)).isGreaterThan(0.85);
    assertThat(EditedTexts.similarity(a, c)).isLessThan(0.7);
    assertThat(find(PLENTY, 0.8, List.of(List.of(a, b, c)))).containsExactly(bits(1));
  }

  @Test
  void documentsThatAreLeftOutAnywayAreNotCompared() throws Exception {
    List<Path> files = new ArrayList<>();
    String text = new EditedTexts(2).text(100);
    files.add(write(0, List.of(text, text, text)));
    List<@Nullable BitSet> found =
        new SimilarFinder(PLENTY, 0.8).find(files, List.of(bits(0)), this::note);
    assertThat(found).containsExactly(bits(2));
    assertThat(pairs).containsExactly("split-0:2 is like split-0:1 by 1.00");
  }

  @Test
  void theResultIsTheSameHoweverSmallTheMemory() throws Exception {
    EditedTexts texts = new EditedTexts(3);
    List<List<String>> splits = new ArrayList<>();
    List<String> all = new ArrayList<>();
    int count = Tier.pick(600, 3000);
    for (int i = 0; i < count; i++) {
      all.add(
          i < 100 || i % 3 == 0
              ? texts.text(80)
              : texts.edited(all.get(i * 7 % all.size()), i % 8 / 100.0));
      if (all.size() % 50 == 0) {
        splits.add(List.copyOf(all.subList(i - 49, i + 1)));
      }
    }
    List<@Nullable BitSet> expected = find(PLENTY, 0.7, splits);
    List<String> expectedPairs = List.copyOf(pairs);
    assertThat(expectedPairs).hasSizeGreaterThan(count / 4);
    for (int originals : new int[] {count / 2, 40, 7}) {
      pairs.clear();
      assertThat(find(count * 8L + originals * 500L, 0.7, splits))
          .as("%d originals at a time", originals)
          .isEqualTo(expected);
      assertThat(pairs).isEqualTo(expectedPairs);
    }
    assertThatThrownBy(() -> find(count * 8L, 0.7, splits))
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("--memory");
  }

  /** The table of the guide; by hand with more documents. */
  @Test
  void copiesAreFoundByTheirSimilarityAndOthersAreNot() throws Exception {
    int documents = Tier.pick(60, 1000);
    for (double threshold : new double[] {0.6, 0.8, 0.9}) {
      for (double share : new double[] {0, 0.01, 0.05, 0.1, 0.2, 0.5}) {
        Quality quality = quality(documents, threshold, share);
        if (Tier.isThorough()) {
          System.out.printf(
              Locale.ROOT, "threshold %.1f, edits %.2f: %s%n", threshold, share, quality);
        }
        // All that are well above the threshold, and none well below it.
        assertThat(quality.foundOfClear).as(quality.toString()).isGreaterThan(0.97);
        assertThat(quality.foundOfOthers).as(quality.toString()).isLessThan(0.03);
        assertThat(quality.wrong).isZero();
      }
    }
  }

  /**
   * How good the results are.
   *
   * @param recall the share of copies that were found
   * @param wrong documents that were found although they are no copies
   * @param foundOfClear of copies whose similarity is more than 0.1 above the threshold; 1 if none
   *     is
   * @param foundOfOthers of copies whose similarity is more than 0.1 below it; 0 if none is
   */
  record Quality(
      double recall, double similarity, int wrong, double foundOfClear, double foundOfOthers) {}

  private Quality quality(int documents, double threshold, double share) throws Exception {
    EditedTexts texts = new EditedTexts(11);
    List<String> originals = new ArrayList<>();
    List<String> copies = new ArrayList<>();
    for (int i = 0; i < documents; i++) {
      originals.add(texts.text(300));
      copies.add(texts.edited(originals.get(i), share));
    }
    BitSet found = find(PLENTY, threshold, List.of(originals, copies)).get(1);
    BitSet here = found == null ? new BitSet() : found;
    double sum = 0;
    int clear = 0;
    int foundOfClear = 0;
    int others = 0;
    int foundOfOthers = 0;
    for (int i = 0; i < documents; i++) {
      double similarity = EditedTexts.similarity(originals.get(i), copies.get(i));
      sum += similarity;
      if (similarity > threshold + 0.1 || similarity > 0.999) {
        clear++;
        foundOfClear += here.get(i) ? 1 : 0;
      } else if (similarity < threshold - 0.1) {
        others++;
        foundOfOthers += here.get(i) ? 1 : 0;
      }
    }
    int wrong = 0;
    for (String pair : pairs) {
      String[] words = pair.split("[: ]", -1);
      wrong += words[0].equals("split-1") && words[5].equals(words[1]) ? 0 : 1;
    }
    pairs.clear();
    return new Quality(
        (double) here.cardinality() / documents,
        sum / documents,
        wrong,
        clear == 0 ? 1 : (double) foundOfClear / clear,
        others == 0 ? 0 : (double) foundOfOthers / others);
  }

  private List<@Nullable BitSet> find(long bytes, double threshold, List<List<String>> splits)
      throws IOException, InterruptedException {
    List<@Nullable Path> files = new ArrayList<>();
    for (int split = 0; split < splits.size(); split++) {
      files.add(splits.get(split).isEmpty() ? null : write(split, splits.get(split)));
    }
    return new SimilarFinder(bytes, threshold)
        .find(files, Collections.nCopies(files.size(), null), this::note);
  }

  private void note(Location document, Location original, double similarity) {
    pairs.add(
        String.format(
            Locale.ROOT,
            "%s:%s is like %s:%s by %.2f",
            document.file(),
            document.document(),
            original.file(),
            original.document(),
            similarity));
  }

  /** Documents with empty texts are not in the index. */
  private Path write(int split, List<String> texts) throws IOException {
    Path file = directory.resolve("split-" + split);
    TextSignature signature = new TextSignature();
    try (SignatureWriter out = new SignatureWriter(file)) {
      for (int i = 0; i < texts.size(); i++) {
        byte[] utf8 = texts.get(i).getBytes(StandardCharsets.UTF_8);
        if (utf8.length == 0) {
          out.addNone();
        } else {
          signature.start();
          signature.add(utf8, 0, utf8.length);
          out.add(signature, new Location("split-" + split, i, String.valueOf(i)));
        }
      }
    }
    return file;
  }

  private static BitSet bits(int... bits) {
    BitSet set = new BitSet();
    for (int bit : bits) {
      set.set(bit);
    }
    return set;
  }
}
