package io.kmodel.indexer.source.remote;

import java.io.Closeable;
import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The body of an answer, read while it is received. Unlike the stream of the JDK, reading ends when
 * the server is silent for too long, and at once when the thread is interrupted. Memory: two lists
 * of buffers, some 64 KiB. One thread reads, another one receives.
 */
final class BodyQueue implements BodySubscriber<BodyQueue>, Closeable {
  /** Lists of buffers that may wait. */
  private static final int AHEAD = 2;

  /** The connection broke, or the server was silent. */
  static final class BrokenException extends IOException {
    private static final long serialVersionUID = 1;

    BrokenException(Throwable cause) {
      super(cause);
    }
  }

  /** What arrives: buffers, or the end with its cause. */
  private record Arrival(List<ByteBuffer> buffers, boolean isEnd, @Nullable Throwable failure) {}

  private final Duration silence;
  private final BlockingQueue<Arrival> arrivals = new LinkedBlockingQueue<>();
  private final Deque<ByteBuffer> buffers = new ArrayDeque<>();

  /** Guarded by this, as is the next field. */
  private Flow.@Nullable Subscription subscription;

  /** Whether no more is wanted, or the end was read. */
  private boolean closed;

  /** A body of a server that may be silent for so long. */
  BodyQueue(Duration silence) {
    this.silence = silence;
  }

  @Override
  public CompletionStage<BodyQueue> getBody() {
    return CompletableFuture.completedFuture(this);
  }

  @Override
  public synchronized void onSubscribe(Flow.Subscription made) {
    subscription = made;
    if (closed) {
      made.cancel();
    } else {
      made.request(AHEAD);
    }
  }

  @Override
  public void onNext(List<ByteBuffer> received) {
    arrivals.add(new Arrival(received, false, null));
  }

  @Override
  public void onError(Throwable failure) {
    arrivals.add(new Arrival(List.of(), true, failure));
  }

  @Override
  public void onComplete() {
    arrivals.add(new Arrival(List.of(), true, null));
  }

  /**
   * Reads at least one byte; returns -1 at the end of the body.
   *
   * @throws BrokenException if no more can be received
   */
  int read(ByteBuffer to) throws BrokenException, ClosedByInterruptException {
    while (true) {
      ByteBuffer next = buffers.peek();
      if (next == null) {
        if (!receive()) {
          return -1;
        }
      } else if (!next.hasRemaining()) {
        buffers.remove();
      } else {
        int n = Math.min(to.remaining(), next.remaining());
        to.put(to.position(), next, next.position(), n);
        to.position(to.position() + n);
        next.position(next.position() + n);
        return n;
      }
    }
  }

  /** Waits for buffers; returns false at the end. */
  private boolean receive() throws BrokenException, ClosedByInterruptException {
    Arrival arrival;
    try {
      arrival = arrivals.poll(silence.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      throw Patience.interrupted();
    }
    if (arrival == null) {
      throw new BrokenException(
          new HttpTimeoutException(
              "the server was silent for %d s".formatted(silence.toSeconds())));
    }
    if (arrival.failure() != null) {
      throw new BrokenException(arrival.failure());
    }
    if (arrival.isEnd()) {
      end();
      return false;
    }
    buffers.addAll(arrival.buffers());
    request(1);
    return true;
  }

  private synchronized void request(long lists) {
    if (subscription != null && !closed) {
      subscription.request(lists);
    }
  }

  /** Leaves the connection as it is: it may serve another request already. */
  private synchronized void end() {
    closed = true;
    // For another call.
    arrivals.add(new Arrival(List.of(), true, null));
  }

  /** Ends the reading. A body that was not read to its end takes its connection with it. */
  @Override
  public synchronized void close() {
    if (subscription != null && !closed) {
      subscription.cancel();
    }
    closed = true;
  }
}
