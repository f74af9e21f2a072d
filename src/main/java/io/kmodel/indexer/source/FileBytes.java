package io.kmodel.indexer.source;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/**
 * The bytes of an open file, on disk or on a server, which any thread may read at any offset.
 * Closing it ends the reading.
 */
public interface FileBytes extends Closeable {
  /**
   * Reads at least one byte from an offset on; returns -1 at the end.
   *
   * @throws IOException if the file cannot be read
   */
  int read(ByteBuffer to, long offset) throws IOException;

  /** The number of bytes now. */
  long size() throws IOException;

  /** Whether reading may start at any offset without reading the bytes before it. */
  default boolean startsAnywhere() {
    return true;
  }

  /** The bytes of a file on disk. Closing them closes the channel. */
  static FileBytes of(FileChannel channel) {
    return new FileBytes() {
      @Override
      public int read(ByteBuffer to, long offset) throws IOException {
        return channel.read(to, offset);
      }

      @Override
      public long size() throws IOException {
        return channel.size();
      }

      @Override
      public void close() throws IOException {
        channel.close();
      }
    };
  }
}
