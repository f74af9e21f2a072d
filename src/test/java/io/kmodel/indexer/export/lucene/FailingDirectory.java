package io.kmodel.indexer.export.lucene;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.FilterIndexOutput;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;

/** Counts outputs that are open, and fails at one call or from that call on. */
public final class FailingDirectory extends FilterDirectory {
  private final boolean staysFull;
  private int callsLeft;
  private int open;

  private FailingDirectory(int callsLeft, boolean staysFull) {
    super(new ByteBuffersDirectory());
    this.callsLeft = callsLeft;
    this.staysFull = staysFull;
  }

  /** Writes to a directory. */
  @FunctionalInterface
  public interface Writer {
    void write(Directory directory) throws IOException;
  }

  /**
   * Fails at each call of a writer in turn, and checks that the writer closes all outputs.
   *
   * @param staysFull whether all calls after the first failure fail, too
   * @return the number of calls
   */
  public static int failAtEachCall(boolean staysFull, Writer writer) throws IOException {
    for (int calls = 0; ; calls++) {
      FailingDirectory directory = new FailingDirectory(calls, staysFull);
      boolean failed = false;
      try {
        writer.write(directory);
      } catch (IOException e) {
        assertThat(e).hasMessage("the disk is full");
        failed = true;
      }
      assertThat(directory.open).as("after call %d", calls).isZero();
      if (!failed) {
        return calls;
      }
    }
  }

  private void call() throws IOException {
    int left = callsLeft--;
    if (left == 0 || (staysFull && left < 0)) {
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
