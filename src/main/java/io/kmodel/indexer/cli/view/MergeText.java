package io.kmodel.indexer.cli.view;

import io.kmodel.indexer.indexing.IndexMerge;
import java.util.Locale;

/** What a merge of indexes did, as text. */
public final class MergeText {
  private MergeText() {}

  /** Lines about documents with the same id; empty if there are no such documents. */
  public static String ofIds(IndexMerge.Result result) {
    return ofKeptIds(result) + line(result.skipped(), "skipped", "with the id of an earlier one");
  }

  /** The same without those that were skipped, which the report of an append counts. */
  public static String ofKeptIds(IndexMerge.Result result) {
    return line(result.sharedIds(), "duplicates", "with the id of an earlier one")
        + line(result.replaced(), "replaced", "with the id of a later one");
  }

  private static String line(long documents, String what, String why) {
    return documents == 0
        ? ""
        : String.format(
            Locale.ROOT, "  %-14s %s %s%n", what, Counted.of(documents, "document"), why);
  }
}
