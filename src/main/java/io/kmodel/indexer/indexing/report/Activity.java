package io.kmodel.indexer.indexing.report;

import java.util.Locale;

/** Work of a thread or a device, in the order of the pipeline. */
public enum Activity {
  /** Reading and decompressing the source. */
  READ,
  /** Source bytes to text. */
  PARSE,
  /** Text to tokens, interned, with their keys. */
  ANALYZE,
  /** Compressing the stored documents. */
  STORE,
  /**
   * Sorting the keys of runs, or waiting for that; or counting them, and moving those of a segment.
   */
  SORT,
  /** Checking the order of sorted keys, and finding where those of each term end. */
  CHECK,
  /** Copying sorted keys, or moving counted ones, to memory where they wait for the merge. */
  KEEP_RUN,
  /** Writing runs, whose counted keys are moved first. */
  WRITE_RUN,
  /** Merging runs into postings. */
  MERGE,
  /** Putting the files of the index together. */
  ASSEMBLE,
  /** Writing segments of a Lucene index. */
  EXPORT,
  /** Checking a Lucene index. */
  VERIFY,
  /** Waiting for a device to sort. */
  WAIT,
  /** Copying keys to a device. */
  UPLOAD,
  /** Sorting on a device. */
  DEVICE_SORT,
  /** Copying keys from a device. */
  DOWNLOAD;

  /** Whether it uses no core. */
  boolean isIdle() {
    return compareTo(WAIT) >= 0;
  }

  /** Name in reports. */
  String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
