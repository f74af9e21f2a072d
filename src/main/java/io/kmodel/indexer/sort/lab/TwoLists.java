package io.kmodel.indexer.sort.lab;

/** Where a step of a merge finds its keys, as places in one array. */
final class TwoLists {
  /** The next key of the first list. */
  int a;

  /** Behind its last. */
  int aEnd;

  /** The next key of the second list. */
  int b;

  /** Behind its last. */
  int bEnd;

  /** Where the next merged key goes. */
  int out;

  /** Behind the last that there is room for. */
  int outEnd;

  /** The keys that were taken from a list and are not merged yet. */
  int held;
}
