package io.kmodel.indexer.run;

/** Why a document does not fit a run. */
enum Overflow {
  MEMORY,
  TERM_WIDTH,
  POSITION_WIDTH,
  DOCUMENTS
}
