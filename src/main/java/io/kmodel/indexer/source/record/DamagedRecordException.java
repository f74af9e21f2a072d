package io.kmodel.indexer.source.record;

import java.io.IOException;

/** A record is malformed or incomplete; other records may follow it. */
public final class DamagedRecordException extends IOException {
  private static final long serialVersionUID = 1;

  public DamagedRecordException(String problem) {
    super(problem);
  }
}
