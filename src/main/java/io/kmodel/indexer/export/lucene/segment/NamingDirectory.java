package io.kmodel.indexer.export.lucene.segment;

import io.kmodel.indexer.store.disk.NamingOutput;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.OutputStreamIndexOutput;

/**
 * A directory of Lucene whose write failures name the file. Lucene's own outputs pass on the
 * system's message about a full disk, which does not. Writing fails if the thread is interrupted,
 * so that a build can be stopped before its index is complete; Lucene's own outputs continue.
 * Otherwise they behave the same, with the same write size and one buffer of that size each. Only
 * this instance may create files in the directory. Thread-safe; a file is written by one thread.
 */
public final class NamingDirectory extends FilterDirectory {
  private final Path path;
  private final AtomicLong temporary = new AtomicLong();

  public NamingDirectory(FSDirectory directory) {
    super(directory);
    this.path = directory.getDirectory();
  }

  @Override
  public IndexOutput createOutput(String name, IOContext context) throws IOException {
    ensureOpen();
    Path file = path.resolve(name);
    return new OutputStreamIndexOutput(
        file.toString(),
        name,
        new NamingOutput(file, Channels.newOutputStream(create(file))),
        NamingOutput.MOST_AT_ONCE);
  }

  private static FileChannel create(Path file) throws IOException {
    return FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
  }

  @Override
  public IndexOutput createTempOutput(String prefix, String suffix, IOContext context)
      throws IOException {
    return createOutput(getTempFileName(prefix, suffix, temporary.getAndIncrement()), context);
  }

  @Override
  public void sync(Collection<String> names) throws IOException {
    for (String name : names) {
      try {
        super.sync(List.of(name));
      } catch (ClosedByInterruptException e) {
        throw e;
      } catch (IOException e) {
        throw new IOException("%s: %s".formatted(path.resolve(name), e.getMessage()), e);
      }
    }
  }
}
