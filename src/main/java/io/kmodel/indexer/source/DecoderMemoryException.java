package io.kmodel.indexer.source;

import java.io.IOException;

/** A decoder needs more memory than it may use. */
public final class DecoderMemoryException extends IOException {
  private static final long serialVersionUID = 1;
  private static final long MEBIBYTE = 1 << 20;

  public DecoderMemoryException(long wanted, long most) {
    super(
        ("needs %d MiB to decode, more than the %d MiB that --memory leaves for it;"
                + " raise --memory or lower --threads")
            .formatted((wanted + MEBIBYTE - 1) / MEBIBYTE, Math.max(0, most) / MEBIBYTE));
  }
}
