package io.kmodel.indexer.index.documents;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import io.kmodel.indexer.index.model.Field;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.store.ByteReader;
import io.kmodel.indexer.store.InputFile;
import io.kmodel.indexer.store.library.ZstdLibrary;
import io.kmodel.indexer.task.Interruption;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads stored documents; see {@link DocumentsWriter} for the grammar. The last block stays
 * decompressed, so sequential reading decompresses each block once. Memory: twice the largest block
 * read. Not thread-safe: use one per thread, and close it to free the decompressor.
 */
public final class StoredDocumentsReader implements StoredTexts {
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final int BUFFER_BYTES = 4096;

  /**
   * A zstd block of at least 4 bytes holds at most this much, which limits a frame's claimed size.
   */
  private static final long ZSTD_BLOCK_BYTES = 1 << 17;

  private static final int LEAST_ZSTD_BLOCK = 4;
  private static final int ENTRY = DocumentsWriter.ENTRY_BYTES;

  private final Schema schema;
  private final int documentCount;
  private final InputFile data;
  private final InputFile index;
  private final ByteReader in;
  private final long blocks;
  private final int valuesPerDocument;

  /** Created for the first block: most commands read no stored text and need no zstd. */
  private @Nullable ZstdDecompressCtx decompressor;

  private byte[] text = new byte[0];

  /** Start and end of each value of the block in the text. */
  private int[] bounds = new int[0];

  /** The range of documents in the block, empty at first. */
  private int firstDoc;

  private int endDoc;

  public StoredDocumentsReader(InputFile data, InputFile index, Schema schema, int documentCount)
      throws IOException {
    this.schema = schema;
    this.documentCount = documentCount;
    this.data = data;
    this.index = index;
    this.in = data.reader(BUFFER_BYTES);
    this.valuesPerDocument = (int) schema.fields().stream().filter(Field::stored).count();
    long bytes = index.bodyEnd() - index.bodyStart();
    this.blocks = bytes / ENTRY - 1;
    if (blocks < 0 || bytes % ENTRY != 0 || firstDoc(blocks) != documentCount) {
      throw index.corrupt(
          "%d bytes of entries do not end at document %d".formatted(bytes, documentCount));
    }
  }

  @Override
  public String text(int docId, int field) throws IOException {
    int value = find(docId, field);
    int start = bounds[2 * value];
    return new String(text, start, bounds[2 * value + 1] - start, StandardCharsets.UTF_8);
  }

  @Override
  public void utf8(int docId, int field, Utf8 to) throws IOException {
    int value = find(docId, field);
    int start = bounds[2 * value];
    to.accept(text, start, bounds[2 * value + 1] - start);
  }

  /** Loads the block of a value, and returns the value's number in it. */
  private int find(int docId, int field) throws IOException {
    Objects.checkIndex(docId, documentCount);
    if (!schema.field(field).stored()) {
      throw StoredTexts.notStored(schema, field);
    }
    if (docId < firstDoc || docId >= endDoc) {
      load(find(docId));
      if (docId < firstDoc || docId >= endDoc) {
        throw index.corrupt("no block contains document %d".formatted(docId));
      }
    }
    int value = (docId - firstDoc) * valuesPerDocument;
    for (int f = 0; f < field; f++) {
      value += schema.field(f).stored() ? 1 : 0;
    }
    return value;
  }

  /** The number of blocks. */
  public long blocks() {
    return blocks;
  }

  /** Decompresses every block and checks that together they fill the file. */
  public void verify() throws IOException {
    if (firstDoc(0) != 0 || offset(0) != 0) {
      throw index.corrupt(
          "starts with document %d at %d, expected 0 at 0".formatted(firstDoc(0), offset(0)));
    }
    for (long block = 0; block < blocks; block++) {
      Interruption.requireNone();
      if (firstDoc(block + 1) <= firstDoc(block)) {
        throw index.corrupt("block %d ends before it starts".formatted(block));
      }
      load(block);
    }
    if (data.bodyStart() + offset(blocks) != data.bodyEnd()) {
      throw data.corrupt(
          "content ends at %d, expected %d"
              .formatted(data.bodyStart() + offset(blocks), data.bodyEnd()));
    }
  }

  /** Decompresses a block and checks it. */
  private void load(long block) throws IOException {
    firstDoc = 0;
    endDoc = 0;
    long start = offset(block);
    long end = offset(block + 1);
    in.seek(data.bodyStart() + start);
    int documents = in.readVInt();
    int textBytes = in.readVInt();
    int packedBytes = in.readVInt();
    long expected = (long) firstDoc(block + 1) - firstDoc(block);
    if (documents != expected
        || packedBytes < 1
        || in.position() + packedBytes != data.bodyStart() + end
        || packedBytes > in.remaining()) {
      throw in.corrupt(
          "block %d holds %d documents in %d bytes before %d, expected %d before %d"
              .formatted(
                  block, documents, packedBytes, in.position() + packedBytes, expected, end));
    }
    byte[] packed = new byte[packedBytes];
    in.readBytes(packed, 0, packedBytes);
    unpack(packed, textBytes, block);
    findValues(documents, block);
    firstDoc = firstDoc(block);
    endDoc = firstDoc + documents;
  }

  private void unpack(byte[] packed, int textBytes, long block) throws IOException {
    ZstdDecompressCtx unpacking = decompressor();
    long size = Zstd.getFrameContentSize(packed, 0, packed.length);
    long most = (packed.length / LEAST_ZSTD_BLOCK + 1) * ZSTD_BLOCK_BYTES;
    if (size > most) {
      throw in.corrupt(
          "block %d decompresses to %d bytes, expected at most %d for %d bytes of input"
              .formatted(block, size, most, packed.length));
    }
    if (textBytes < 0 || size != textBytes) {
      throw in.corrupt(
          "block %d decompresses to %d bytes, expected %d".formatted(block, size, textBytes));
    }
    try {
      text = unpacking.decompress(packed, textBytes);
    } catch (ZstdException e) {
      throw in.corrupt("block %d cannot be decompressed: %s".formatted(block, e.getMessage()));
    }
    if (text.length != textBytes) {
      throw in.corrupt(
          "block %d decompresses to %d bytes, expected %d"
              .formatted(block, text.length, textBytes));
    }
  }

  private ZstdDecompressCtx decompressor() {
    ZstdDecompressCtx made = decompressor;
    if (made == null) {
      ZstdLibrary.load();
      made = new ZstdDecompressCtx();
      decompressor = made;
    }
    return made;
  }

  private void findValues(int documents, long block) throws IOException {
    long values = (long) documents * valuesPerDocument;
    if (values > text.length) {
      throw in.corrupt("block %d has %d values in %d bytes".formatted(block, values, text.length));
    }
    if (bounds.length < 2 * values) {
      bounds = new int[Math.toIntExact(2 * values)];
    }
    int at = 0;
    for (int i = 0; i < values; i++) {
      long length = 0;
      int shift = 0;
      byte b = -1;
      while (b < 0 && at < text.length && shift <= 28) {
        b = text[at++];
        length |= (b & 0x7FL) << shift;
        shift += 7;
      }
      if (b < 0 || length > text.length - at) {
        throw in.corrupt(
            "value %d of block %d has %d bytes, but only %d remain"
                .formatted(i, block, length, text.length - at));
      }
      bounds[2 * i] = at;
      at += (int) length;
      bounds[2 * i + 1] = at;
    }
    if (at != text.length) {
      throw in.corrupt("block %d has %d extra bytes".formatted(block, text.length - at));
    }
  }

  private long find(int docId) throws IOException {
    long low = 0;
    long high = blocks;
    while (low < high) {
      long middle = (low + high) >>> 1;
      if (firstDoc(middle) <= docId) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return Math.max(0, low - 1);
  }

  /** The first document of a block, or the number of documents for the block behind the last. */
  int firstDoc(long block) throws IOException {
    long at = index.bodyStart() + block * ENTRY;
    return index.mapped(at, Integer.BYTES).get(INT, at);
  }

  /** Where a block starts, counted from the start of the data's body. */
  long offset(long block) throws IOException {
    long at = index.bodyStart() + block * ENTRY + Integer.BYTES;
    return index.mapped(at, Long.BYTES).get(LONG, at);
  }

  @Override
  public void close() {
    ZstdDecompressCtx made = decompressor;
    if (made != null) {
      made.close();
    }
  }
}
