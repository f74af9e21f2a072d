package io.kmodel.indexer.source;

import java.io.IOException;

/** A decoder needs more memory than it may use. */
public final class DecoderMemoryException extends IOException {
  private static final long serialVersionUID = 1;
  private static final long MEBIBYTE = 1 << 20;

  private DecoderMemoryException(String message) {
    super(message);
  }

  /**
   * A decoder that may not take its memory.
   *
   * @param wanted bytes it needs
   * @param inUse bytes that other decoders of the thread hold
   * @param most bytes that all of them may hold
   */
  public DecoderMemoryException(long wanted, long inUse, long most) {
    this(
        "needs %d MiB to decode%s, more than the %d MiB that --memory leaves for it; raise --memory or lower --threads"
            .formatted(
                (wanted + MEBIBYTE - 1) / MEBIBYTE,
                inUse < MEBIBYTE ? "" : " besides %d MiB in use".formatted(inUse / MEBIBYTE),
                Math.max(0, most) / MEBIBYTE));
  }

  /** The same with what needs the memory. */
  public DecoderMemoryException of(String what) {
    return new DecoderMemoryException(what + " " + getMessage());
  }
}
