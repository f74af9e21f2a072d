package io.kmodel.indexer.run;

import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.Schema;

/**
 * The state of each field in the current document of a run. A field's values lie side by side in
 * one array, because every token needs all of them. {@link RunBuilder#add} accesses the array
 * directly, to save a call per token. Not thread-safe.
 */
final class FieldStates {
  /** Ints per field; a power of two, so that an index is a shift. */
  static final int INTS = 4;

  /** The position of the field's last token, or its largest weight; -1 if it has no tokens. */
  static final int LAST_POSITION = 0;

  /** The field's length in tokens; tokens at the same position count once. 1 with weights. */
  static final int LENGTH = 1;

  /** All ones if the field's positions or weights are recorded, else zero. */
  static final int MASK = 2;

  final int[] ints;

  FieldStates(Schema schema) {
    this.ints = new int[INTS * schema.size()];
    for (int field = 0; field < schema.size(); field++) {
      Detail detail = schema.field(field).detail();
      ints[INTS * field + MASK] = detail.hasPositions() || detail.hasImpacts() ? -1 : 0;
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

  /** The largest recorded position or weight of the document, -1 if there is none. */
  int largestPosition() {
    int largest = -1;
    for (int at = 0; at < ints.length; at += INTS) {
      largest = Math.max(largest, ints[at + LAST_POSITION] & ints[at + MASK]);
    }
    return largest;
  }
}
