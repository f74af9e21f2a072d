package io.kmodel.indexer.run;

/** Why a document is taken back out of a run. */
enum Overflow {
  /**
   * It is not taken back. A value of its own, and not null: methods that Java knows from its AOT
   * cache are compiled by C2 only when all classes that they name are initialized, and this one was
   * not before the first run was full: {@link RunBuilder#add} was slow code for ten of a build's 95
   * million tokens (docs/performance.md).
   */
  NONE,
  MEMORY,
  TERM_WIDTH,
  POSITION_WIDTH,
  DOCUMENTS
}
