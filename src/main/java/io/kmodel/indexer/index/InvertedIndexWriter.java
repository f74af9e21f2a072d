package io.kmodel.indexer.index;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** Writes the files of an index. */
@SuppressWarnings("DoNotCallSuggester")
public final class InvertedIndexWriter implements AutoCloseable {
  /** Starts an index in a directory that is empty or absent. */
  public InvertedIndexWriter(Path directory, Schema schema) throws IOException {
    throw new UnsupportedOperationException(directory + " " + schema);
  }

  /** Starts a range of terms; parts may be written by many threads at once. */
  public PostingsPart newPart() throws IOException {
    throw new UnsupportedOperationException();
  }

  /** Takes over the next range of terms in term order, and deletes the part's files. */
  public void append(PostingsPart part) throws IOException {
    throw new UnsupportedOperationException();
  }

  /** Adds lengths in tokens of the next {@code count} documents of a tokenized field. */
  public void appendLengths(int field, int[] lengths, int count) throws IOException {
    throw new UnsupportedOperationException();
  }

  /** Adds the stored documents of a file that {@link StoredDocumentsWriter} wrote. */
  public void appendDocuments(Path part) throws IOException {
    throw new UnsupportedOperationException();
  }

  /** Writes the rest and, last, the metadata. */
  public void finish(int documentCount, Map<String, String> options) throws IOException {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() throws IOException {}
}
