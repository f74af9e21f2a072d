package io.kmodel.indexer.index;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.store.FileSeal;
import io.kmodel.indexer.store.OutputFile.Checkpoint;
import java.util.List;

/**
 * The terms of an unfinished index that are safely on disk; see {@link
 * InvertedIndexWriter#checkpoint}.
 *
 * @param firstPart number of the part whose files became the index's
 * @param nextPart above the numbers of all parts started so far
 * @param terms the spools of terms, each named relative to the temporary directory
 * @param maxDoc the largest document
 */
public record WriterCheckpoint(
    int firstPart,
    int nextPart,
    Checkpoint docs,
    Checkpoint positions,
    List<FileSeal> terms,
    int maxDoc) {
  public WriterCheckpoint {
    terms = List.copyOf(terms);
  }

  /**
   * Combines an earlier checkpoint of the same writer with this one, which holds later terms only.
   */
  public WriterCheckpoint after(WriterCheckpoint before) {
    ImmutableList<FileSeal> all =
        ImmutableList.<FileSeal>builder().addAll(before.terms).addAll(terms).build();
    return new WriterCheckpoint(firstPart, nextPart, docs, positions, all, maxDoc);
  }
}
