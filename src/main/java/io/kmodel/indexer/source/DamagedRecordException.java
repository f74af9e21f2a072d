package io.kmodel.indexer.source;

import java.io.IOException;

/** A record is malformed or incomplete; other records may follow it. */
final class DamagedRecordException extends IOException {
  private static final long serialVersionUID = 1;

  DamagedRecordException(String problem) {
    super(problem);
  }
}
