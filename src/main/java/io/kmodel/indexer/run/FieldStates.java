package io.kmodel.indexer.run;

import io.kmodel.indexer.index.Schema;

/**
 * What is known of each field in the document that is being added to a run. Side by side in one
 * array, since each token wants all of it: {@link RunBuilder#add} looks at the ints itself, for a
 * call for each token is many. Not thread-safe.
 */
final class FieldStates {
  /** Where a field's ints begin is this times its ordinal: a shift. */
  static final int INTS = 4;

  /** The position of its last token; -1 where it has none. */
  static final int LAST_POSITION = 0;

  /** Its length in tokens, of which those at one position count once. */
  static final int LENGTH = 1;

  /** All ones where positions are recorded, else zero. */
  static final int MASK = 2;

  final int[] ints;

  FieldStates(Schema schema) {
    this.ints = new int[INTS * schema.size()];
    for (int field = 0; field < schema.size(); field++) {
      ints[INTS * field + MASK] = schema.field(field).detail().hasPositions() ? -1 : 0;
    }
  }

  void startDocument() {
    for (int at = 0; at < ints.length; at += INTS) {
      ints[at + LAST_POSITION] = -1;
      ints[at + LENGTH] = 0;
    }
  }

  int length(int field) {
    return ints[INTS * field + LENGTH];
  }

  /** The largest position that was recorded, -1 where there is none. */
  int largestPosition() {
    int largest = -1;
    for (int at = 0; at < ints.length; at += INTS) {
      largest = Math.max(largest, ints[at + LAST_POSITION] & ints[at + MASK]);
    }
    return largest;
  }
}
