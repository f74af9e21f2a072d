package io.kmodel.indexer.inversion;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;

/**
 * The fields that are inverted, which a block has a part for in each document.
 *
 * @param ordinals in the order of the parts, at most {@value #MOST}
 * @param english the ordinals of those whose terms are what {@link
 *     io.kmodel.indexer.analysis.words.EnglishWords} makes of the words; the others have the words
 */
public record InvertedFields(ImmutableList<Integer> ordinals, ImmutableSet<Integer> english) {
  /** The most fields. */
  public static final int MOST = 8;

  public InvertedFields {
    if (ordinals.isEmpty() || ordinals.size() > MOST || !ordinals.containsAll(english)) {
      throw new IllegalArgumentException(
          "1 to %d fields are inverted; got %s, of which %s are English"
              .formatted(MOST, ordinals, english));
    }
  }

  int size() {
    return ordinals.size();
  }

  /** The ordinal of one of the fields, counted from zero. */
  int ordinal(int field) {
    return ordinals.get(field);
  }

  boolean isEnglish(int ordinal) {
    return english.contains(ordinal);
  }

  /** Whether a field has stems. */
  boolean hasStems() {
    return !english.isEmpty();
  }

  /** All ordinals, a byte each, the first in the lowest. */
  long packed() {
    long packed = 0;
    for (int field = 0; field < size(); field++) {
      packed |= (long) ordinal(field) << (Byte.SIZE * field);
    }
    return packed;
  }
}
