package io.kmodel.indexer.export.lucene.segment;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.BinaryDocValues;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.ArrayUtil;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.IOUtils;

/**
 * Collects ids while stored fields are written, for the doc values written afterwards, so that
 * documents are decompressed only once. Call order: {@code add* seal values* close}; {@code close}
 * deletes the file. Memory: two of Lucene's buffers and an id. Not thread-safe.
 */
final class IdSpool implements Closeable {
  private final Directory directory;
  private final IndexOutput out;
  private final IOContext context;
  private int count;
  private boolean sealed;
  private final List<IndexInput> opened = new ArrayList<>();

  IdSpool(Directory directory, String segment, IOContext context) throws IOException {
    this.directory = directory;
    this.context = context;
    this.out = directory.createTempOutput(segment, "ids", context);
  }

  /** Adds the next document's id. */
  void add(byte[] utf8, int offset, int length) throws IOException {
    out.writeVInt(length);
    out.writeBytes(utf8, offset, length);
    count++;
  }

  /** Ends the ids; has no effect if called again. */
  void seal() throws IOException {
    if (!sealed) {
      sealed = true;
      out.close();
    }
  }

  /** All ids in order. */
  BinaryDocValues values() throws IOException {
    IndexInput in = directory.openInput(out.getName(), context);
    opened.add(in);
    return new Values(in, count);
  }

  @Override
  public void close() throws IOException {
    IOUtils.close(opened);
    seal();
    directory.deleteFile(out.getName());
  }

  /** Values that can only be read forward. */
  private static final class Values extends BinaryDocValues {
    private final IndexInput in;
    private final int count;
    private int docId = -1;
    private final BytesRef value = new BytesRef();

    Values(IndexInput in, int count) {
      this.in = in;
      this.count = count;
    }

    @Override
    public int nextDoc() throws IOException {
      docId++;
      if (docId >= count) {
        docId = NO_MORE_DOCS;
      } else {
        value.length = in.readVInt();
        value.bytes = ArrayUtil.growNoCopy(value.bytes, value.length);
        in.readBytes(value.bytes, 0, value.length);
      }
      return docId;
    }

    @Override
    public BytesRef binaryValue() {
      return value;
    }

    @Override
    public int docID() {
      return docId;
    }

    @Override
    public int advance(int target) throws IOException {
      return slowAdvance(target);
    }

    @Override
    public boolean advanceExact(int target) throws IOException {
      return slowAdvance(target) == target;
    }

    @Override
    public long cost() {
      return count;
    }
  }
}
