package io.kmodel.indexer.faults;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.FileStoreAttributeView;
import org.jspecify.annotations.Nullable;

/** A disk that has so many bytes left, whatever is written. */
final class FullStore extends FileStore {
  private final FileStore real;
  private final long free;

  FullStore(FileStore real, long free) {
    this.real = real;
    this.free = free;
  }

  @Override
  public long getUsableSpace() {
    return free;
  }

  @Override
  public long getUnallocatedSpace() {
    return free;
  }

  @Override
  public long getTotalSpace() throws IOException {
    return real.getTotalSpace();
  }

  @Override
  public String name() {
    return real.name();
  }

  @Override
  public String type() {
    return real.type();
  }

  @Override
  public boolean isReadOnly() {
    return real.isReadOnly();
  }

  @Override
  public boolean supportsFileAttributeView(Class<? extends FileAttributeView> type) {
    return real.supportsFileAttributeView(type);
  }

  @Override
  public boolean supportsFileAttributeView(String name) {
    return real.supportsFileAttributeView(name);
  }

  @Override
  public <V extends FileStoreAttributeView> @Nullable V getFileStoreAttributeView(Class<V> type) {
    return real.getFileStoreAttributeView(type);
  }

  @Override
  public Object getAttribute(String attribute) throws IOException {
    return real.getAttribute(attribute);
  }
}
