package io.kmodel.indexer.source.unpack;

import java.io.IOException;
import java.io.InputStream;

/**
 * An input stream whose subclasses read blocks; a single byte is read as a block of one. Not
 * thread-safe.
 */
public abstract class BlockInput extends InputStream {
  private final byte[] one = new byte[1];

  @Override
  public final int read() throws IOException {
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public abstract int read(byte[] to, int offset, int length) throws IOException;
}
