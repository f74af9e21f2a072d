package io.kmodel.indexer.analysis.words;

import static io.kmodel.indexer.analysis.words.CharacterClasses.CONNECTOR;
import static io.kmodel.indexer.analysis.words.CharacterClasses.DIGIT;
import static io.kmodel.indexer.analysis.words.CharacterClasses.LETTER;
import static io.kmodel.indexer.analysis.words.CharacterClasses.MID_BOTH;
import static io.kmodel.indexer.analysis.words.CharacterClasses.MID_LETTER;
import static io.kmodel.indexer.analysis.words.CharacterClasses.MID_NUMBER;
import static io.kmodel.indexer.analysis.words.CharacterClasses.UNSURE;

/** Properties of bytes for {@link WordScanner}, in tables of 256. */
final class WordBytes {
  /** The class of a byte from 0x80 on, which does not determine the character's class. */
  static final byte NOT_ASCII = UNSURE + 1;

  /** The class of each byte. */
  static final byte[] CLASSES = new byte[256];

  /** For each byte, its lower case if it is an ASCII letter, digit or underscore; else 0. */
  static final byte[] LOWER = new byte[256];

  /** For each byte, a bit per class: whether it joins two characters of that class into a word. */
  static final short[] JOINS = new short[256];

  /**
   * For each byte, bit 0: whether it always ends a word before it; bit 1: whether it does before a
   * break.
   */
  static final byte[] ENDS_BEFORE = new byte[256];

  /** The same bits for the byte after it: bit 0 is always set; bit 1 is set for a break. */
  static final byte[] ENDS_BEFORE_NEXT = new byte[256];

  /** Both bits if a byte can be the first of a word. */
  static final byte[] STARTS = new byte[256];

  static {
    for (int b = 0; b < 256; b++) {
      CLASSES[b] = b < 0x80 ? CharacterClasses.of(b) : NOT_ASCII;
      if (CLASSES[b] >= LETTER && CLASSES[b] <= CONNECTOR) {
        LOWER[b] = (byte) CharacterClasses.lower(b);
      }
      boolean starts = CLASSES[b] == LETTER || CLASSES[b] == DIGIT;
      boolean joins = CLASSES[b] >= MID_LETTER && CLASSES[b] <= MID_BOTH;
      STARTS[b] = (byte) (starts ? 3 : 0);
      ENDS_BEFORE[b] = (byte) (CLASSES[b] < LETTER ? 1 : joins ? 2 : 0);
      ENDS_BEFORE_NEXT[b] = (byte) (CLASSES[b] < LETTER ? 3 : 1);
      boolean letters = joins && CLASSES[b] != MID_NUMBER;
      boolean digits = joins && CLASSES[b] != MID_LETTER;
      JOINS[b] = (short) ((letters ? 1 << LETTER : 0) | (digits ? 1 << DIGIT : 0));
    }
  }

  private WordBytes() {}
}
