package io.kmodel.indexer.indexing.options;

/** Whether a thread parses while a device sorts its last run (Index_gpu+ of the paper's Fig. 7). */
public enum Pipeline {
  /** It waits (Index_gpu). */
  SERIAL,
  /** It continues, with a second buffer of half the size. */
  OVERLAPPED
}
