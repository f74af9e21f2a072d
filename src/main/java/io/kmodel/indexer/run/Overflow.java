package io.kmodel.indexer.run;

/** Why a document does not fit a run. */
enum Overflow {
  /**
   * The document fits. A value rather than null, so that this class is initialized early: C2
   * compiles a method from the AOT cache only when all classes it names are initialized. Otherwise
   * {@link RunBuilder#add} stays slow until the first run is full (docs/performance.md).
   */
  NONE,
  MEMORY,
  TERM_WIDTH,
  POSITION_WIDTH,
  DOCUMENTS
}
