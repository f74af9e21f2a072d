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
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SimilarFinderTest {
  private static final long PLENTY = 16 << 20;

  @TempDir Path directory;
  private final List<String> pairs = new ArrayList<>();
  private final AtomicInteger beats = new AtomicInteger();

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
        new SimilarFinder(PLENTY, 0.8, beats::incrementAndGet)
            .find(files, List.of(bits(0)), this::note);
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

  @Test
  void documentsThatAreTooManyAreRefusedBeforeTheyAreCompared() {
    SimilarFinder finder = new SimilarFinder(8 << 20, 0.8, () -> {});
    finder.require((1 << 20) - 100);
    assertThatThrownBy(() -> finder.require(1 << 20))
        .isInstanceOf(BuildException.class)
        .hasMessage(
            "comparing 1,048,576 documents takes at least 9 MiB of memory for runs, of 8: raise --memory");
  }

  /** Many files without records between those with them. */
  @Test
  void eachPairIsReadFromItsFilesAndProgressIsSignalled() throws Exception {
    EditedTexts texts = new EditedTexts(8);
    List<List<String>> splits = new ArrayList<>();
    List<String> before = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      String text = texts.text(25);
      splits.add(List.of(text, text + " again"));
      splits.add(List.of());
      before.add(text);
    }
    splits.add(Collections.nCopies(3000, ""));
    splits.add(before);
    find(PLENTY, 0.8, splits);
    assertThat(pairs).hasSize(24);
    for (int i = 0; i < 12; i++) {
      assertThat(pairs.get(i))
          .startsWith("split-%d:1 is like split-%d:0 by".formatted(2 * i, 2 * i));
      assertThat(pairs.get(12 + i))
          .isEqualTo("split-25:%d is like split-%d:0 by 1.00".formatted(i, 2 * i));
    }
    // Documents are visited at least twice.
    assertThat(beats.get()).isGreaterThanOrEqualTo(2 * (3000 / 1024));
  }

  /** The first table of the guide; by hand with more documents. */
  @Test
  void copiesAreFoundByTheirSimilarityAndOthersAreNot() throws Exception {
    int documents = Tier.pick(60, 1000);
    for (double threshold : new double[] {0.6, 0.8, 0.9}) {
      for (double share : new double[] {0, 0.01, 0.05, 0.1, 0.2, 0.5}) {
        Quality quality = new Quality(threshold);
        EditedTexts texts = new EditedTexts(11);
        for (int i = 0; i < documents; i++) {
          String text = texts.text(300);
          quality.add(text, texts.edited(text, share));
        }
        quality.measure("threshold %.1f, edits %.2f".formatted(threshold, share));
        // All that are well above the threshold, and none well below it.
        assertThat(quality.share(3, 1)).as("%s", quality).isGreaterThan(0.97);
        assertThat(quality.share(0, 0)).as("%s", quality).isLessThan(0.03);
      }
    }
  }

  /** The second table of the guide: copies with one word or a few more, fewer or others. */
  @Test
  void shortDocumentsAreNotFoundUnlessTheyAreSimilar() throws Exception {
    int documents = Tier.pick(80, 20_000);
    for (double threshold : new double[] {0.6, 0.8, 1}) {
      for (int words : new int[] {6, 8, 15, 20, 30, 60, 100, 300}) {
        Quality quality = new Quality(threshold);
        EditedTexts texts = new EditedTexts(words);
        for (int i = 0; i < documents; i++) {
          String text = texts.text(words);
          String copy = texts.changed(text, 1 + i % Math.max(3, words / 10));
          if (!copy.strip().equals(text.replace(".", "").strip())) {
            quality.add(text, copy);
          }
        }
        quality.measure("threshold %.1f, %d words".formatted(threshold, words));
        if (words < TextSignature.LEAST_WORDS) {
          assertThat(quality.found()).as("%s", quality).isZero();
        } else {
          assertThat(quality.share(0, 0)).as("%s", quality).isLessThan(Tier.pick(0.1, 0.01));
        }
      }
    }
  }

  /** Texts and copies that differ, and which of them are found. */
  private final class Quality {
    private final double threshold;
    private final List<String> originals = new ArrayList<>();
    private final List<String> copies = new ArrayList<>();

    /**
     * Copies whose similarity is below threshold - 0.1, below the threshold, below threshold + 0.1,
     * and from that on or 1.
     */
    private final int[] pairsOf = new int[4];

    private final int[] foundOf = new int[4];
    private double similarities;

    Quality(double threshold) {
      this.threshold = threshold;
    }

    void add(String original, String copy) {
      originals.add(original);
      copies.add(copy);
    }

    void measure(String what) throws IOException, InterruptedException {
      BitSet found = find(PLENTY, threshold, List.of(originals, copies)).get(1);
      for (int i = 0; i < copies.size(); i++) {
        double similarity = EditedTexts.similarity(originals.get(i), copies.get(i));
        similarities += similarity;
        int kind = similarity >= Math.min(1, threshold + 0.1) ? 3 : 2;
        if (similarity < threshold - 1e-9) {
          kind = similarity < threshold - 0.1 ? 0 : 1;
        }
        pairsOf[kind]++;
        foundOf[kind] += found != null && found.get(i) ? 1 : 0;
      }
      for (String pair : pairs) {
        String[] words = pair.split("[: ]", -1);
        assertThat(words[0] + words[5]).isEqualTo("split-1" + words[1]);
      }
      pairs.clear();
      if (Tier.isThorough()) {
        System.out.printf(Locale.ROOT, "%s: %s%n", what, this);
      }
    }

    int found() {
      return Arrays.stream(foundOf).sum();
    }

    /** The share that was found of the copies of a kind; of none, {@code others}. */
    double share(int kind, double others) {
      return pairsOf[kind] == 0 ? others : (double) foundOf[kind] / pairsOf[kind];
    }

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "mean similarity %.2f, found %s of %s, in all %.3f",
          similarities / copies.size(),
          Arrays.toString(foundOf),
          Arrays.toString(pairsOf),
          (double) found() / copies.size());
    }
  }

  private List<@Nullable BitSet> find(long bytes, double threshold, List<List<String>> splits)
      throws IOException, InterruptedException {
    List<@Nullable Path> files = new ArrayList<>();
    for (int split = 0; split < splits.size(); split++) {
      files.add(splits.get(split).isEmpty() ? null : write(split, splits.get(split)));
    }
    return new SimilarFinder(bytes, threshold, beats::incrementAndGet)
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
    try (SignatureWriter out = new SignatureWriter(file)) {
      for (int i = 0; i < texts.size(); i++) {
        byte[] utf8 = texts.get(i).getBytes(StandardCharsets.UTF_8);
        if (utf8.length == 0) {
          out.addNone();
        } else {
          out.signature().start();
          out.signature().add(utf8, 0, utf8.length);
          out.add(new Location("split-" + split, i, String.valueOf(i)));
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
