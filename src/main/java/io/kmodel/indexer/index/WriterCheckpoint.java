package io.kmodel.indexer.index;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.store.FileSeal;
import io.kmodel.indexer.store.OutputFile.Checkpoint;
import java.util.List;

/**
 * How much of an index's terms is safe on the disk while it is being written (see {@link
 * InvertedIndexWriter#checkpoint}).
 *
 * @param firstPart number of the part whose files are the index's
 * @param nextPart above the numbers of all parts that were started
 * @param terms the spools of terms, each by its name among the temporary files
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

  /** This one, of a writer that had the other before; each has the terms since the one before. */
  public WriterCheckpoint after(WriterCheckpoint before) {
    ImmutableList<FileSeal> all =
        ImmutableList.<FileSeal>builder().addAll(before.terms).addAll(terms).build();
    return new WriterCheckpoint(firstPart, nextPart, docs, positions, all, maxDoc);
  }
}
