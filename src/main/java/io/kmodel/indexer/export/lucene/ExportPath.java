package io.kmodel.indexer.export.lucene;

/** The way by which postings reach Lucene's files. The resulting index is the same. */
public enum ExportPath {
  /** Pushed into the writers of Lucene's codec: the faster one, tied to one version of Lucene. */
  DIRECT,
  /** Through Lucene's public interface alone: IndexWriter's addIndexes pulls them. */
  PLAIN
}
