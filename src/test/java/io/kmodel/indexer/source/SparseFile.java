package io.kmodel.indexer.source;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Files that are large and take no room: all zeros, most of them a hole. */
public final class SparseFile {
  private SparseFile() {}

  /** Creates one of at least one byte. */
  public static void create(Path file, long bytes) throws IOException {
    try (SeekableByteChannel channel =
        Files.newByteChannel(
            file,
            StandardOpenOption.WRITE,
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.SPARSE)) {
      channel.position(bytes - 1).write(ByteBuffer.allocate(1));
    }
  }
}
