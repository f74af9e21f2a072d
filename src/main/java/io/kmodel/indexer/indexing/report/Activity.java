package io.kmodel.indexer.indexing.report;

import java.util.Locale;

/** What a thread, or a device, is doing at a time: a build's work, in the order of the pipeline. */
public enum Activity {
  /** Reading and decompressing the source. */
  READ,
  /** Source bytes to text. */
  PARSE,
  /** Text to tokens, interned, with their keys. */
  ANALYZE,
  /** Compressing the stored documents. */
  STORE,
  /** Sorting the keys of runs, or waiting for that; or counting them, and moving a segment's. */
  SORT,
  /** Looking whether sorted keys are in order, and where those of each term end. */
  CHECK,
  /** Copying sorted keys, or moving counted ones, to where they wait for the merge in memory. */
  KEEP_RUN,
  /** Writing runs, counted keys of which are moved first. */
  WRITE_RUN,
  /** Merging runs into postings. */
  MERGE,
  /** Putting the files of the index together. */
  ASSEMBLE,
  /** Writing segments of a Lucene index. */
  EXPORT,
  /** Reading a Lucene index again. */
  VERIFY,
  /** For a device to sort. */
  WAIT,
  /** Keys on their way to a device. */
  UPLOAD,
  /** A device sorts. */
  DEVICE_SORT,
  /** Keys on their way back. */
  DOWNLOAD;

  /** Whether it takes no core. */
  boolean isIdle() {
    return compareTo(WAIT) >= 0;
  }

  /** How reports call it. */
  String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
