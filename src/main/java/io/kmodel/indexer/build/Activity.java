package io.kmodel.indexer.build;

import java.util.Locale;

/** What a thread, or a device, is doing at a time. */
enum Activity {
  READ,
  PARSE,
  ANALYZE,
  STORE,
  SORT,
  CHECK,
  KEEP_RUN,
  WRITE_RUN,
  MERGE,
  ASSEMBLE,
  EXPORT,
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
