package io.kmodel.indexer.run;

/** Why a document is taken back out of a run. */
enum Overflow {
  MEMORY,
  TERM_WIDTH,
  POSITION_WIDTH,
  DOCUMENTS
}
