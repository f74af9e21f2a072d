package io.kmodel.indexer.export.lucene;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;

/**
 * A directory of mapped files that can be closed while they are being read. This stops CheckIndex,
 * which nothing else does: its next read, also from a clone, throws an {@link
 * AlreadyClosedException}. Until then, reading costs the same as without this class. Files that
 * Lucene opens for a single read by one thread, which are small or read soon, are read to their
 * end. Memory: a small object per file that was opened. Thread-safe.
 */
final class StoppableDirectory extends FilterDirectory {
  /** All inputs that were opened, even if closed by now; guarded by this. */
  private final List<IndexInput> inputs = new ArrayList<>();

  private boolean stopped;

  StoppableDirectory(Directory mapped) {
    super(mapped);
  }

  @Override
  public IndexInput openInput(String name, IOContext context) throws IOException {
    IndexInput input = super.openInput(name, context);
    synchronized (this) {
      if (!stopped) {
        inputs.add(input);
        return input;
      }
    }
    input.close();
    throw new AlreadyClosedException("reading was stopped before " + name);
  }

  /** Stops all reading. */
  synchronized void stop() {
    stopped = true;
    for (IndexInput input : inputs) {
      try {
        input.close();
      } catch (IOException | RuntimeException e) {
        // Only the thread that reads this input may close it, and it will.
      }
    }
  }
}
