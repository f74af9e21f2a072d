package io.kmodel.indexer.faults;

import io.kmodel.indexer.faults.Faults.Kind;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A channel that fails when it is told to. */
final class FaultyChannel extends FileChannel {
  private final FileChannel channel;
  private final Path path;
  private final boolean writes;
  private final Faults faults;

  FaultyChannel(FileChannel channel, Path path, boolean writes, Faults faults) {
    this.channel = channel;
    this.path = path;
    this.writes = writes;
    this.faults = faults;
  }

  @Override
  public int write(ByteBuffer source) throws IOException {
    if (faults.fails(Kind.WRITE)) {
      ByteBuffer half = source.duplicate();
      half.limit(half.position() + half.remaining() / 2);
      channel.write(half);
      throw Faults.injected(Kind.WRITE, path);
    }
    return channel.write(source);
  }

  @Override
  public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
    faults.check(Kind.WRITE, path);
    return channel.write(sources, offset, length);
  }

  @Override
  public int write(ByteBuffer source, long position) throws IOException {
    faults.check(Kind.WRITE, path);
    return channel.write(source, position);
  }

  @Override
  public long transferFrom(ReadableByteChannel source, long position, long count)
      throws IOException {
    faults.check(Kind.WRITE, path);
    return channel.transferFrom(source, position, count);
  }

  @Override
  public void force(boolean metaData) throws IOException {
    // The machine does not crash here; waiting for the disk would only take time.
    if (writes || faults.failsDirectories()) {
      faults.check(Kind.FORCE, path);
    }
    faults.forced(path);
  }

  @Override
  protected void implCloseChannel() throws IOException {
    channel.close();
    if (writes) {
      faults.check(Kind.CLOSE, path);
    }
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    return channel.read(target);
  }

  @Override
  public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
    return channel.read(targets, offset, length);
  }

  @Override
  public int read(ByteBuffer target, long position) throws IOException {
    return channel.read(target, position);
  }

  @Override
  public long position() throws IOException {
    return channel.position();
  }

  @Override
  public FileChannel position(long newPosition) throws IOException {
    channel.position(newPosition);
    return this;
  }

  @Override
  public long size() throws IOException {
    return channel.size();
  }

  @Override
  public FileChannel truncate(long size) throws IOException {
    channel.truncate(size);
    return this;
  }

  @Override
  public long transferTo(long position, long count, WritableByteChannel target) throws IOException {
    return channel.transferTo(position, count, target);
  }

  @Override
  public MappedByteBuffer map(MapMode mode, long position, long size) throws IOException {
    return channel.map(mode, position, size);
  }

  @Override
  public MemorySegment map(MapMode mode, long offset, long size, Arena arena) throws IOException {
    return channel.map(mode, offset, size, arena);
  }

  @Override
  public FileLock lock(long position, long size, boolean shared) throws IOException {
    return channel.lock(position, size, shared);
  }

  @Override
  public @Nullable FileLock tryLock(long position, long size, boolean shared) throws IOException {
    return channel.tryLock(position, size, shared);
  }
}
