package io.kmodel.indexer.export.lucene;

import java.io.IOException;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.FilterIndexOutput;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;

/** Counts outputs that are open, and fails at one call. */
public final class FailingDirectory extends FilterDirectory {
  private int callsLeft;
  private int open;

  public FailingDirectory(int callsLeft) {
    super(new ByteBuffersDirectory());
    this.callsLeft = callsLeft;
  }

  /** Outputs that are open. */
  public int open() {
    return open;
  }

  private void call() throws IOException {
    if (callsLeft-- == 0) {
      throw new IOException("the disk is full");
    }
  }

  @Override
  public IndexOutput createOutput(String name, IOContext context) throws IOException {
    call();
    open++;
    return new FilterIndexOutput("counted " + name, name, super.createOutput(name, context)) {
      private boolean closed;

      @Override
      public void writeByte(byte value) throws IOException {
        call();
        super.writeByte(value);
      }

      @Override
      public void writeBytes(byte[] bytes, int offset, int length) throws IOException {
        call();
        super.writeBytes(bytes, offset, length);
      }

      @Override
      public void close() throws IOException {
        open -= closed ? 0 : 1;
        closed = true;
        super.close();
      }
    };
  }
}
