package io.kmodel.indexer.indexing.similar;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;

/** Texts of random words, and copies of them with some words replaced. */
final class EditedTexts {
  private final Random random;

  EditedTexts(long seed) {
    random = new Random(seed);
  }

  /** A text of words that are as unevenly frequent as those of a language. */
  String text(int words) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < words; i++) {
      text.append(word()).append(i % 12 == 11 ? ". " : " ");
    }
    return text.toString();
  }

  private String word() {
    int rank = (int) Math.exp(random.nextDouble() * Math.log(50_000));
    return "w" + Integer.toString(rank, 36);
  }

  /** A copy in which each word is replaced with a probability. */
  String edited(String text, double share) {
    StringBuilder copy = new StringBuilder();
    for (String word : text.strip().split(" ", -1)) {
      copy.append(random.nextDouble() < share ? word() : word).append(' ');
    }
    return copy.toString();
  }

  /** A copy in which so many words were replaced, added or removed, anywhere or at the end. */
  String changed(String text, int edits) {
    List<String> words = new ArrayList<>(List.of(text.replace(".", "").strip().split(" ", -1)));
    boolean atEnd = random.nextInt(3) == 0;
    for (int i = 0; i < edits; i++) {
      int place = atEnd ? words.size() - 1 : random.nextInt(words.size());
      switch (random.nextInt(3)) {
        case 0 -> words.set(place, word());
        case 1 -> words.add(atEnd ? words.size() : place, word());
        default -> words.remove(place);
      }
    }
    return String.join(" ", words);
  }

  /** The share of the distinct shingles of two texts that both have. */
  static double similarity(String a, String b) {
    Set<String> first = shingles(a);
    Set<String> both = new HashSet<>(first);
    Set<String> second = shingles(b);
    both.retainAll(second);
    return (double) both.size() / (first.size() + second.size() - both.size());
  }

  private static Set<String> shingles(String text) {
    String[] words = text.toLowerCase(Locale.ROOT).split("[ .]+", 0);
    Set<String> shingles = new HashSet<>();
    for (int i = 0; i + TextSignature.SHINGLE <= words.length; i++) {
      shingles.add(String.join(" ", List.of(words).subList(i, i + 5)));
    }
    return shingles;
  }
}
