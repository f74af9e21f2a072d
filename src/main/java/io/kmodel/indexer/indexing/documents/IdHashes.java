package io.kmodel.indexer.indexing.documents;

import io.kmodel.indexer.store.disk.NamingOutput;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.jspecify.annotations.Nullable;

/**
 * Writes 16 bytes for every document that a split's reader gives, in order: of those that came into
 * the index or are left out of it as duplicates, the first half of the SHA-256 of the id; zeros for
 * the others. A hash that nobody can steer, for two ids with the same one would be one document.
 * Not thread-safe.
 */
final class IdHashes implements AutoCloseable {
  static final int HASH_BYTES = 16;

  private static final byte[] NONE = new byte[HASH_BYTES];

  private final OutputStream out;
  private final MessageDigest digest;

  IdHashes(Path file) throws IOException {
    this.digest = sha256();
    this.out = new BufferedOutputStream(NamingOutput.create(file), 1 << 16);
  }

  /** Whether the document of this number in its split has this id. */
  static boolean has(Path file, long number, String id) throws IOException {
    try (FileChannel channel = FileChannel.open(file)) {
      ByteBuffer there = ByteBuffer.allocate(HASH_BYTES);
      channel.read(there, number * HASH_BYTES);
      byte[] hash = sha256().digest(id.getBytes(StandardCharsets.UTF_8));
      return there.flip().equals(ByteBuffer.wrap(hash, 0, HASH_BYTES));
    }
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /**
   * Adds the next document.
   *
   * @param id null for one that is not in the index, and not for its id
   */
  void add(@Nullable String id) throws IOException {
    byte[] hash = id == null ? NONE : digest.digest(id.getBytes(StandardCharsets.UTF_8));
    out.write(hash, 0, HASH_BYTES);
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
