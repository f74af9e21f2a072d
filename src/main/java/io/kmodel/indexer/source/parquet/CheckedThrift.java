package io.kmodel.indexer.source.parquet;

import dev.hardwood.internal.thrift.ThriftCompactReader;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Reads Thrift's compact encoding from bytes that may be damaged: no length in them takes more
 * memory than there are bytes, and nothing nests deeply. Memory: none. Not thread-safe.
 */
final class CheckedThrift extends ThriftCompactReader {
  /** Types of a Parquet schema nest in separate elements, so headers and footers are flat. */
  private static final int MOST_NESTED = 32;

  private final int length;
  private int nested;

  /** Reads {@code length} bytes of an array. */
  CheckedThrift(byte[] bytes, int from, int length) {
    super(ByteBuffer.wrap(bytes, from, length));
    this.length = length;
  }

  @Override
  public byte[] readBinary() throws IOException {
    byte[] binary = new byte[available(readVarint())];
    readBytes(binary);
    return binary;
  }

  @Override
  public CollectionHeader readListHeader() throws IOException {
    CollectionHeader header = super.readListHeader();
    // Every element takes a byte or more.
    available(header.size());
    return header;
  }

  @Override
  public void skipField(byte type) throws IOException {
    if (nested == MOST_NESTED) {
      throw new IOException("nested too deeply");
    }
    nested++;
    super.skipField(type);
    nested--;
  }

  private int available(long wanted) throws EOFException {
    if (wanted < 0 || wanted > length - getBytesRead()) {
      throw new EOFException("ends early");
    }
    return (int) wanted;
  }
}
