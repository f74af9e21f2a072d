package io.kmodel.indexer.index.documents;

import io.kmodel.indexer.index.model.Field;
import io.kmodel.indexer.index.model.IndexFiles;
import io.kmodel.indexer.store.ByteReader;
import io.kmodel.indexer.store.InputFile;
import io.kmodel.indexer.store.OutputFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Writes {@code lengths.<field>}: the number of tokens of each document, not counting overlaps, at
 * the narrowest width that holds the largest.
 *
 * <pre>
 * body := length*        one per document, at most 2^31 - 1; u8, u16 or u32 as the body's
 *                        size tells
 * </pre>
 *
 * Example: lengths 3 and 300 are {@code 03 00 2C 01}.
 *
 * <p>Memory: the buffers of two files. Lengths are spooled at four bytes each until the width is
 * known. Not thread-safe.
 */
public final class LengthsWriter implements AutoCloseable {
  private static final int BUFFER_BYTES = 1 << 16;

  private final Field field;
  private final Path spoolPath;
  private final OutputFile spool;
  private int max;
  private int count;
  private int nonEmpty;

  public LengthsWriter(Path temporary, Field field) throws IOException {
    this.field = field;
    this.spoolPath = temporary.resolve(IndexFiles.lengths(field));
    this.spool = OutputFile.create(spoolPath, "spool", IndexFiles.VERSION);
  }

  public void add(int[] lengths, int n) throws IOException {
    for (int i = 0; i < n; i++) {
      int length = lengths[i];
      if (length < 0) {
        throw new IllegalArgumentException(
            "document %d in field %s has negative length %d"
                .formatted(count + i, field.name(), length));
      }
      max = Math.max(max, length);
      nonEmpty += length > 0 ? 1 : 0;
      spool.writeInt(length);
    }
    count = Math.addExact(count, n);
  }

  /** Documents added so far. */
  public int count() {
    return count;
  }

  /** Documents with at least one token. */
  public int nonEmpty() {
    return nonEmpty;
  }

  public void commit(Path directory) throws IOException {
    spool.commitUnforced();
    int width = max <= 0xFF ? 1 : max <= 0xFFFF ? 2 : 4;
    Path target = directory.resolve(IndexFiles.lengths(field));
    try (InputFile in = InputFile.open(spoolPath, "spool", IndexFiles.VERSION);
        OutputFile out = OutputFile.create(target, IndexFiles.LENGTHS, IndexFiles.VERSION)) {
      in.verify();
      ByteReader reader = in.reader(BUFFER_BYTES);
      for (int i = 0; i < count; i++) {
        int length = reader.readInt();
        for (int b = 0; b < width; b++) {
          out.writeByte(length >>> (8 * b));
        }
      }
      out.commit();
    }
    Files.delete(spoolPath);
  }

  @Override
  public void close() throws IOException {
    spool.close();
    Files.deleteIfExists(spoolPath);
  }
}
