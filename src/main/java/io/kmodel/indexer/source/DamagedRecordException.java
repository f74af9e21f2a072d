package io.kmodel.indexer.source;

import java.io.IOException;

/** A record that makes no sense or is not all there; others may follow it. */
final class DamagedRecordException extends IOException {
  private static final long serialVersionUID = 1;

  DamagedRecordException(String problem) {
    super(problem);
  }
}
