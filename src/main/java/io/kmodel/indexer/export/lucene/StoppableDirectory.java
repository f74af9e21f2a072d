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
 * A directory of mapped files that can be taken away from those who read them, as CheckIndex does,
 * which nothing else stops: their next read, also from a clone, is an {@link
 * AlreadyClosedException}. Until then reading costs what it costs without this. Files that Lucene
 * opens to be read once by one thread, which are small or read soon, are read to their end. Memory:
 * a small object for every file that was opened. Safe for many threads.
 */
final class StoppableDirectory extends FilterDirectory {
  /** All that were opened, also those that are closed by now; guarded by this. */
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

  /** Ends all reading. */
  synchronized void stop() {
    stopped = true;
    for (IndexInput input : inputs) {
      try {
        input.close();
      } catch (IOException | RuntimeException e) {
        // One that only the thread may close that reads it, which will.
      }
    }
  }
}
