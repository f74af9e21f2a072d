package io.kmodel.indexer.cli.view;

import io.kmodel.indexer.indexing.IndexMerge;
import java.util.Formatter;
import java.util.Locale;

/** What a merge of indexes did, as text. */
public final class MergeText {
  private MergeText() {}

  /** Lines about documents with the same id; empty if there are no such documents. */
  public static String ofIds(IndexMerge.Result result) {
    StringBuilder text = new StringBuilder();
    try (Formatter out = new Formatter(text, Locale.ROOT)) {
      line(result.sharedIds(), "duplicates", "with the id of an earlier one", out);
      line(result.skipped(), "skipped", "with the id of an earlier one", out);
      line(result.replaced(), "replaced", "with the id of a later one", out);
    }
    return text.toString();
  }

  private static void line(long documents, String what, String why, Formatter out) {
    if (documents > 0) {
      out.format("  %-14s %s %s%n", what, Counted.of(documents, "document"), why);
    }
  }
}
