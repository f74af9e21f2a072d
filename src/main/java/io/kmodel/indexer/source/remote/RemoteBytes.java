package io.kmodel.indexer.source.remote;

import io.kmodel.indexer.source.FileBytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a file of a server. A reader that continues where another reading ended gets that
 * one's connection; any other offset starts a request. Memory: the first {@value #HEAD_BYTES}
 * bytes, which most files are read from twice, and some 100 KiB for each of up to {@value
 * #MOST_IDLE} idle connections.
 */
final class RemoteBytes implements FileBytes {
  private static final int HEAD_BYTES = 1 << 17;
  private static final int MOST_IDLE = 3;

  /** Reading over so many bytes is faster than another request. */
  private static final long MOST_SKIPPED = 1 << 18;

  private final RemoteObject object;
  private final Web web;

  /** Streams that no thread reads, the last used one last; guarded by this, as are all fields. */
  private final Deque<RangeStream> idle = new ArrayDeque<>();

  private byte @Nullable [] head;
  private boolean closed;

  RemoteBytes(RemoteObject object, Web web) {
    this.object = object;
    this.web = web;
  }

  @Override
  public long size() {
    return object.size();
  }

  @Override
  public boolean startsAnywhere() {
    return object.ranges() || object.size() <= HEAD_BYTES;
  }

  @Override
  public int read(ByteBuffer to, long offset) throws IOException {
    if (offset >= object.size()) {
      return -1;
    }
    if (offset < HEAD_BYTES) {
      byte[] first = head();
      int n = Math.min(to.remaining(), first.length - (int) offset);
      to.put(first, (int) offset, n);
      return n;
    }
    RangeStream stream = take(offset);
    boolean isUsable = false;
    try {
      stream.skipTo(offset);
      int n = stream.read(to);
      isUsable = true;
      return n;
    } finally {
      giveBack(stream, isUsable);
    }
  }

  private synchronized byte[] head() throws IOException {
    requireOpen();
    byte[] known = head;
    if (known == null) {
      known = new byte[(int) Math.min(HEAD_BYTES, object.size())];
      RangeStream stream = new RangeStream(object, web, 0);
      boolean isUsable = false;
      try {
        ByteBuffer bytes = ByteBuffer.wrap(known);
        while (bytes.hasRemaining()) {
          stream.read(bytes);
        }
        isUsable = true;
      } finally {
        giveBack(stream, isUsable);
      }
      head = known;
    }
    return known;
  }

  /** The stream that is nearest before an offset, or a new one. */
  private synchronized RangeStream take(long offset) throws IOException {
    requireOpen();
    RangeStream nearest = null;
    for (RangeStream stream : idle) {
      long distance = offset - stream.position();
      if (distance >= 0
          && (distance <= MOST_SKIPPED || !object.ranges())
          && (nearest == null || stream.position() > nearest.position())) {
        nearest = stream;
      }
    }
    if (nearest == null) {
      return new RangeStream(object, web, offset);
    }
    idle.remove(nearest);
    return nearest;
  }

  private synchronized void giveBack(RangeStream stream, boolean isUsable) {
    if (!isUsable || closed) {
      stream.close();
      return;
    }
    idle.addLast(stream);
    if (idle.size() > MOST_IDLE) {
      idle.removeFirst().close();
    }
  }

  private void requireOpen() throws IOException {
    if (closed) {
      throw new ClosedChannelException();
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    idle.forEach(RangeStream::close);
    idle.clear();
    head = null;
  }
}
