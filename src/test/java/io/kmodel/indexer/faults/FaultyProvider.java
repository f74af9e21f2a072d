package io.kmodel.indexer.faults;

import io.kmodel.indexer.faults.Faults.Kind;
import java.io.IOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.spi.FileSystemProvider;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Hands everything on to the platform's provider, but what is to fail. */
final class FaultyProvider extends FileSystemProvider {
  private final FaultyFileSystem system;
  private final Faults faults;

  FaultyProvider(FaultyFileSystem system, Faults faults) {
    this.system = system;
    this.faults = faults;
  }

  private static FileSystemProvider of(Path path) {
    return FaultyPath.real(path).getFileSystem().provider();
  }

  @Override
  public FileChannel newFileChannel(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    boolean writes =
        options.contains(StandardOpenOption.WRITE) || options.contains(StandardOpenOption.APPEND);
    try {
      FileChannel channel = of(path).newFileChannel(FaultyPath.real(path), options, attributes);
      return new FaultyChannel(channel, path, writes, faults);
    } finally {
      faults.opened();
    }
  }

  @Override
  public SeekableByteChannel newByteChannel(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    return newFileChannel(path, options, attributes);
  }

  @Override
  public DirectoryStream<Path> newDirectoryStream(
      Path directory, DirectoryStream.Filter<? super Path> filter) throws IOException {
    DirectoryStream<Path> real =
        of(directory)
            .newDirectoryStream(
                FaultyPath.real(directory), path -> filter.accept(system.through(path)));
    return new DirectoryStream<>() {
      @Override
      public Iterator<Path> iterator() {
        Iterator<Path> paths = real.iterator();
        return new Iterator<>() {
          @Override
          public boolean hasNext() {
            return paths.hasNext();
          }

          @Override
          public Path next() {
            return system.through(paths.next());
          }
        };
      }

      @Override
      public void close() throws IOException {
        real.close();
      }
    };
  }

  @Override
  public void delete(Path path) throws IOException {
    faults.check(Kind.DELETE, path);
    of(path).delete(FaultyPath.real(path));
  }

  @Override
  public void move(Path source, Path target, CopyOption... options) throws IOException {
    faults.check(Kind.RENAME, source);
    of(source).move(FaultyPath.real(source), FaultyPath.real(target), options);
  }

  @Override
  public void copy(Path source, Path target, CopyOption... options) throws IOException {
    faults.check(Kind.WRITE, target);
    of(source).copy(FaultyPath.real(source), FaultyPath.real(target), options);
  }

  @Override
  public void createDirectory(Path directory, FileAttribute<?>... attributes) throws IOException {
    of(directory).createDirectory(FaultyPath.real(directory), attributes);
  }

  @Override
  public boolean isSameFile(Path path, Path other) throws IOException {
    return of(path).isSameFile(FaultyPath.real(path), FaultyPath.real(other));
  }

  @Override
  public boolean isHidden(Path path) throws IOException {
    return of(path).isHidden(FaultyPath.real(path));
  }

  @Override
  public FileStore getFileStore(Path path) throws IOException {
    FileStore real = of(path).getFileStore(FaultyPath.real(path));
    long free = faults.freeBytes();
    return free < 0 ? real : new FullStore(real, free);
  }

  @Override
  public void checkAccess(Path path, AccessMode... modes) throws IOException {
    of(path).checkAccess(FaultyPath.real(path), modes);
  }

  @Override
  public <V extends FileAttributeView> @Nullable V getFileAttributeView(
      Path path, Class<V> type, LinkOption... options) {
    return of(path).getFileAttributeView(FaultyPath.real(path), type, options);
  }

  @Override
  public <A extends BasicFileAttributes> A readAttributes(
      Path path, Class<A> type, LinkOption... options) throws IOException {
    return of(path).readAttributes(FaultyPath.real(path), type, options);
  }

  @Override
  public Map<String, Object> readAttributes(Path path, String attributes, LinkOption... options)
      throws IOException {
    return of(path).readAttributes(FaultyPath.real(path), attributes, options);
  }

  @Override
  public void setAttribute(Path path, String attribute, Object value, LinkOption... options)
      throws IOException {
    of(path).setAttribute(FaultyPath.real(path), attribute, value, options);
  }

  @Override
  public String getScheme() {
    return "faulty";
  }

  @Override
  public FileSystem newFileSystem(URI uri, Map<String, ?> environment) {
    throw new UnsupportedOperationException();
  }

  @Override
  public FileSystem getFileSystem(URI uri) {
    return system;
  }

  @Override
  public Path getPath(URI uri) {
    return system.through(Path.of(uri));
  }
}
