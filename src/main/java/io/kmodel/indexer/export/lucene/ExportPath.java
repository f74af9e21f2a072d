package io.kmodel.indexer.export.lucene;

/** How postings are written to Lucene's files. The resulting index is the same. */
public enum ExportPath {
  /** Pushed into the writers of Lucene's codec: faster, but tied to one version of Lucene. */
  DIRECT,
  /** Through Lucene's public API only: IndexWriter's addIndexes pulls them. */
  PLAIN
}
