package io.kmodel.indexer.export.lucene;

import io.kmodel.indexer.store.NamingOutput;
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
 * A directory of Lucene's whose failures to write name the file; Lucene's own outputs hand on what
 * the system says of a full disk, which names none. A thread that is interrupted fails at its next
 * write, so that who is told to stop does not write an index to its end; Lucene's own go on. They
 * are otherwise as these: as many bytes are written at once, and memory is a buffer of as many for
 * each. Nobody else makes files there. Safe for many threads, each with files of its own.
 */
final class NamingDirectory extends FilterDirectory {
  private final Path path;
  private final AtomicLong temporary = new AtomicLong();

  NamingDirectory(FSDirectory directory) {
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
