package io.kmodel.indexer.index.documents;

import io.kmodel.indexer.store.CorruptIndexException;
import io.kmodel.indexer.store.InputFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Objects;

/**
 * The mapped lengths of one field's documents; see {@link LengthsWriter} for the grammar.
 * Thread-safe.
 */
public final class LengthsReader {
  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final InputFile file;
  private final long start;
  private final int documentCount;
  private final int width;

  public LengthsReader(InputFile file, int documentCount) throws CorruptIndexException {
    this.file = file;
    this.start = file.bodyStart();
    this.documentCount = documentCount;
    long bytes = file.bodyEnd() - file.bodyStart();
    this.width = documentCount == 0 ? 0 : (int) Math.min(bytes / documentCount, Long.BYTES);
    boolean known = width == 1 || width == 2 || width == 4 || documentCount == 0;
    if (!known || bytes != (long) width * documentCount) {
      throw file.corrupt(
          "%d bytes of lengths, expected 1, 2 or 4 for each of %d documents"
              .formatted(bytes, documentCount));
    }
  }

  public int length(int docId) throws IOException {
    Objects.checkIndex(docId, documentCount);
    long offset = start + (long) docId * width;
    MemorySegment segment = file.mapped(offset, width);
    if (width == 1) {
      return segment.get(ValueLayout.JAVA_BYTE, offset) & 0xFF;
    }
    if (width == 2) {
      return segment.get(SHORT, offset) & 0xFFFF;
    }
    int length = segment.get(INT, offset);
    if (length < 0) {
      throw file.corrupt(
          "length of document %d at offset %d is %d, expected at least 0"
              .formatted(docId, offset, length));
    }
    return length;
  }
}
