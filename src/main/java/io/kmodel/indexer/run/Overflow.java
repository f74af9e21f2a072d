package io.kmodel.indexer.run;

/** Why the run builder takes a document back out of a run. */
enum Overflow {
  MEMORY,
  TERM_WIDTH,
  POSITION_WIDTH,
  DOCUMENTS
}
