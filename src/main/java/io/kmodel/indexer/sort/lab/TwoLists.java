package io.kmodel.indexer.sort.lab;

/** The positions, in one array, of the keys of a merge step. */
final class TwoLists {
  /** The next key of the first list. */
  int a;

  /** After its last key. */
  int aEnd;

  /** The next key of the second list. */
  int b;

  /** After its last key. */
  int bEnd;

  /** Where the next merged key goes. */
  int out;

  /** The end of the room for merged keys. */
  int outEnd;

  /** The keys that were taken from a list but are not merged yet. */
  int held;
}
