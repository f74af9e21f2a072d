package io.kmodel.indexer.source.remote;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A file of a server, read forwards from any offset. Each request asks for eight times as many
 * bytes as the one before, so a probe costs little and a long reading few requests. A connection
 * that breaks is replaced by one that continues at the next byte. Not thread-safe.
 */
final class RangeStream implements Closeable {
  private static final long FIRST_BYTES = 1 << 19;
  private static final long MOST_BYTES = 1 << 28;
  private static final int GROWTH = 8;
  private static final int SKIP_BYTES = 1 << 14;

  private final RemoteObject object;
  private final Web web;
  private final Retry retry;
  private long position;

  /** Bytes that the next request asks for. */
  private long wanted = FIRST_BYTES;

  private @Nullable Answer answer;

  /** The byte after the last one of the answer. */
  private long end;

  /** Starts at an offset, without a request. */
  RangeStream(RemoteObject object, Web web, long position) {
    this.object = object;
    this.web = web;
    this.retry = new Retry(web, object.address());
    this.position = position;
  }

  /** Offset of the next byte. */
  long position() {
    return position;
  }

  /** Skips bytes by reading them. */
  void skipTo(long offset) throws IOException {
    ByteBuffer dropped = ByteBuffer.allocate(SKIP_BYTES);
    while (position < offset) {
      read(dropped.clear().limit((int) Math.min(SKIP_BYTES, offset - position)));
    }
  }

  /** Reads at least one byte, which must exist. */
  int read(ByteBuffer to) throws IOException {
    while (true) {
      int limit = to.limit();
      try {
        Answer from = answer == null ? open() : answer;
        to.limit((int) Math.min(limit, to.position() + end - position));
        int n = from.response().body().read(to);
        if (n < 0) {
          throw new BodyQueue.BrokenException(
              new IOException("the answer ended %,d bytes early".formatted(end - position)));
        }
        position += n;
        retry.progress(n);
        web.counts().bytes(n);
        if (position == end) {
          finish(from);
        }
        return n;
      } catch (BodyQueue.BrokenException e) {
        close();
        retry.again(e, Duration.ZERO);
      } finally {
        to.limit(limit);
      }
    }
  }

  /** Asks for the next bytes. */
  private Answer open() throws IOException {
    long to = Math.min(object.size(), position + wanted);
    Answer made = object.get(web, retry, position, to);
    Answer.Range range = made.status() == 206 ? made.range() : null;
    if (made.status() == 206
        && (range == null
            || range.from() != position
            || range.to() <= position
            || range.to() > to)) {
      made.close();
      throw new UnavailableException(
          object.address(),
          "the server sends other bytes than it was asked for: '%s' for %d-%d"
              .formatted(made.header("content-range"), position, to - 1));
    }
    answer = made;
    end = range == null ? object.size() : range.to();
    wanted = Math.min(MOST_BYTES, wanted * GROWTH);
    if (range == null && position > 0) {
      // The whole file: skip the bytes that were read before.
      skipFromStart(made);
    }
    return made;
  }

  private void skipFromStart(Answer made) throws IOException {
    ByteBuffer dropped = ByteBuffer.allocate(SKIP_BYTES);
    for (long passed = 0; passed < position; ) {
      int n =
          made.response()
              .body()
              .read(dropped.clear().limit((int) Math.min(SKIP_BYTES, position - passed)));
      if (n < 0) {
        throw new BodyQueue.BrokenException(
            new IOException("the answer ended %,d bytes early".formatted(end - passed)));
      }
      passed += n;
      web.counts().bytes(n);
    }
  }

  /** Reads the end of an answer, so that its connection can be used again. */
  private void finish(Answer done) throws IOException {
    answer = null;
    try (done) {
      done.response().body().read(ByteBuffer.allocate(1));
    } catch (BodyQueue.BrokenException e) {
      // All bytes are here.
    }
  }

  @Override
  public void close() {
    if (answer != null) {
      answer.close();
      answer = null;
    }
  }
}
