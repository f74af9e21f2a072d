package io.kmodel.indexer.inversion;

import io.kmodel.indexer.export.lucene.postings.PackedLists;
import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.run.MemoryRun;
import io.kmodel.indexer.run.OrderedRun;
import io.kmodel.indexer.run.RunBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A run of a block of text: the lists of its inverted fields, and those of the other fields, whose
 * keys the CPU has made. Not thread-safe.
 */
public final class InvertedRun implements OrderedRun {
  private final Schema schema;
  private final RunBuilder others;
  private final InvertedText text;

  /**
   * A run, for as long as its parts are unchanged. Sets the lengths of the inverted fields in the
   * builder.
   *
   * @param others the other fields of the same documents, sorted
   */
  public InvertedRun(Schema schema, RunBuilder others, InvertedText text, InvertedFields fields) {
    this.schema = schema;
    this.others = others;
    this.text = text;
    for (int field = 0; field < fields.size(); field++) {
      for (int doc = 0; doc < others.documentCount(); doc++) {
        others.setLength(fields.ordinal(field), doc, text.length(field, doc));
      }
    }
  }

  @Override
  public int documentCount() {
    return others.documentCount();
  }

  @Override
  public long tokenCount() {
    return others.tokenCount() + text.tokens();
  }

  @Override
  public int length(int field, int docId) {
    return others.length(field, docId);
  }

  @Override
  public PostingsCursor cursor() {
    return new FieldsCursor(others.cursor(), text.cursor(schema));
  }

  /** The postings of the inverted fields, if the device has encoded them for Lucene. */
  public @Nullable PackedLists packed() {
    return text.packed();
  }

  /** The postings of the other fields. */
  public PostingsCursor others() {
    return others.cursor();
  }

  @Override
  public void writeRun(Path path) throws IOException {
    others.writeRun(path, cursor());
  }

  /** Always null: the lists are encoded in a file at once. */
  @Override
  public @Nullable MemoryRun copy(LongPredicate room) {
    return null;
  }
}
