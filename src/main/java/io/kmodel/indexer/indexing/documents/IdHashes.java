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
 * Writes 16 bytes for each document of a split's reader, in order: the first half of the SHA-256 of
 * the id, or zeros for a document that is neither indexed nor left out as a duplicate. The hash is
 * cryptographic because two ids with the same hash would count as one document. Not thread-safe.
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

  /** Whether the document at this position of its split has this id. */
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
   * @param id null if the document is left out for another reason than its id
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
