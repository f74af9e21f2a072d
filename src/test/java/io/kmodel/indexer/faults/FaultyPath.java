package io.kmodel.indexer.faults;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A path of a {@link FaultyFileSystem}. */
final class FaultyPath implements Path {
  private final FaultyFileSystem system;
  private final Path path;

  FaultyPath(FaultyFileSystem system, Path path) {
    this.system = system;
    this.path = path;
  }

  Path real() {
    return path;
  }

  /** The path of the file system beneath. */
  static Path real(Path path) {
    return path instanceof FaultyPath faulty ? faulty.path : path;
  }

  private Path wrap(Path other) {
    return new FaultyPath(system, other);
  }

  private @Nullable Path wrapNullable(@Nullable Path other) {
    return other == null ? null : wrap(other);
  }

  @Override
  public FileSystem getFileSystem() {
    return system;
  }

  @Override
  public boolean isAbsolute() {
    return path.isAbsolute();
  }

  @Override
  public @Nullable Path getRoot() {
    return wrapNullable(path.getRoot());
  }

  @Override
  public @Nullable Path getFileName() {
    return wrapNullable(path.getFileName());
  }

  @Override
  public @Nullable Path getParent() {
    return wrapNullable(path.getParent());
  }

  @Override
  public int getNameCount() {
    return path.getNameCount();
  }

  @Override
  public Path getName(int index) {
    return wrap(path.getName(index));
  }

  @Override
  public Path subpath(int from, int to) {
    return wrap(path.subpath(from, to));
  }

  @Override
  public boolean startsWith(Path other) {
    return path.startsWith(real(other));
  }

  @Override
  public boolean endsWith(Path other) {
    return path.endsWith(real(other));
  }

  @Override
  public Path normalize() {
    return wrap(path.normalize());
  }

  @Override
  public Path resolve(Path other) {
    return wrap(path.resolve(real(other)));
  }

  @Override
  public Path relativize(Path other) {
    return wrap(path.relativize(real(other)));
  }

  @Override
  public URI toUri() {
    return path.toUri();
  }

  @Override
  public Path toAbsolutePath() {
    return wrap(path.toAbsolutePath());
  }

  @Override
  public Path toRealPath(LinkOption... options) throws IOException {
    return wrap(path.toRealPath(options));
  }

  @Override
  public WatchKey register(
      WatchService watcher, WatchEvent.Kind<?>[] events, WatchEvent.Modifier... modifiers) {
    throw new UnsupportedOperationException();
  }

  @Override
  public int compareTo(Path other) {
    return path.compareTo(real(other));
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof FaultyPath faulty && path.equals(faulty.path);
  }

  @Override
  public int hashCode() {
    return Objects.hash(path);
  }

  @Override
  public String toString() {
    return path.toString();
  }
}
