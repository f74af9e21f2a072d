package io.kmodel.indexer.indexing.similar;

import io.kmodel.indexer.source.Location;
import io.kmodel.indexer.store.LittleEndian;
import io.kmodel.indexer.store.disk.NamingOutput;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Writes a signature and the place of each document of a split's reader, in order.
 *
 * <pre>
 * file   := record* records:u32
 * record := signature:u8{128} offset:u64 fileLength:u32 rowLength:u32 idLength:u32 file row id
 * </pre>
 *
 * The signature is zeros if the document takes no part in comparisons. Integers are little-endian,
 * texts are UTF-8. Memory: 66 KiB. Not thread-safe.
 */
public final class SignatureWriter implements AutoCloseable {
  /** Where the lengths of the texts are. */
  static final int LENGTHS = TextSignature.BYTES + Long.BYTES;

  static final int HEAD_BYTES = LENGTHS + 3 * Integer.BYTES;

  /** A longer id or path is only shown in part. */
  private static final int MOST_CHARS = 1000;

  private final OutputStream out;
  private final TextSignature signature = new TextSignature();
  private final byte[] head = new byte[HEAD_BYTES];
  private int records;

  public SignatureWriter(Path file) throws IOException {
    this.out = new BufferedOutputStream(NamingOutput.create(file), 1 << 16);
  }

  /** Computes the signature of the next document from its texts. */
  public TextSignature signature() {
    return signature;
  }

  /** Adds the next document with its signature. */
  public void add(Location place) throws IOException {
    signature.finish(head);
    byte[][] texts = {bytes(place.file()), bytes(place.row()), bytes(place.document())};
    LittleEndian.putLong(head, TextSignature.BYTES, place.offset());
    for (int i = 0; i < texts.length; i++) {
      LittleEndian.putInt(head, LENGTHS + i * Integer.BYTES, texts[i].length);
    }
    out.write(head);
    for (byte[] text : texts) {
      out.write(text);
    }
    records++;
  }

  /** Adds a document that is not in the index. */
  public void addNone() throws IOException {
    out.write(new byte[HEAD_BYTES]);
    records++;
  }

  private static byte[] bytes(String text) {
    return text.substring(0, Math.min(text.length(), MOST_CHARS)).getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void close() throws IOException {
    try (out) {
      byte[] count = new byte[Integer.BYTES];
      LittleEndian.putInt(count, 0, records);
      out.write(count);
    }
  }
}
