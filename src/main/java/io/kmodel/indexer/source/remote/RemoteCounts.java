package io.kmodel.indexer.source.remote;

import java.util.concurrent.atomic.LongAdder;

/** Counts requests to servers. Safe for many threads. */
public final class RemoteCounts {
  private final LongAdder requests = new LongAdder();
  private final LongAdder retries = new LongAdder();
  private final LongAdder bytes = new LongAdder();

  public RemoteCounts() {}

  void request() {
    requests.increment();
  }

  void retry() {
    retries.increment();
  }

  void bytes(long received) {
    bytes.add(received);
  }

  /** Requests that were sent, redirections not counted. */
  public long requests() {
    return requests.sum();
  }

  /** How often a request was repeated, or continued after a broken connection. */
  public long retries() {
    return retries.sum();
  }

  /** Bytes of files that were received, as they are on the server. */
  public long bytes() {
    return bytes.sum();
  }
}
