package io.kmodel.indexer.build;

import org.jspecify.annotations.Nullable;

/**
 * A reading of a split. A split is read again, in another pass, where its end does not fit the next
 * split, or to leave out duplicates.
 */
record Reading(int split, int pass) {
  // A key of maps in every build: for records, Java generates a dozen classes at run time.
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Reading reading && split == reading.split && pass == reading.pass;
  }

  @Override
  public int hashCode() {
    return 31 * split + pass;
  }
}
