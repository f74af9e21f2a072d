package io.kmodel.indexer.parse;

import static io.kmodel.indexer.parse.CharacterClasses.CONNECTOR;
import static io.kmodel.indexer.parse.CharacterClasses.DIGIT;
import static io.kmodel.indexer.parse.CharacterClasses.LETTER;
import static io.kmodel.indexer.parse.CharacterClasses.MID_BOTH;
import static io.kmodel.indexer.parse.CharacterClasses.MID_LETTER;
import static io.kmodel.indexer.parse.CharacterClasses.MID_NUMBER;
import static io.kmodel.indexer.parse.CharacterClasses.UNSURE;

/** What {@link WordScanner} knows of bytes: tables of 256. */
final class WordBytes {
  /** The class of a byte from 0x80 on, which tells nothing yet. */
  static final byte NOT_ASCII = UNSURE + 1;

  /** Classes by byte. */
  static final byte[] CLASSES = new byte[256];

  /** By byte: its lower case if it is an ASCII letter, digit or underscore, else 0. */
  static final byte[] LOWER = new byte[256];

  /** By byte, a bit for each class: whether it joins two characters of that class to a word. */
  static final short[] JOINS = new short[256];

  /**
   * Bits 0 and 1: whether a byte ends a word before it, whatever follows; whether it does before a
   * break.
   */
  static final byte[] ENDS_BEFORE = new byte[256];

  /** The same bits: always; whether the byte is a break. */
  static final byte[] ENDS_BEFORE_NEXT = new byte[256];

  /** Both bits where a byte can be the first of a word. */
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
