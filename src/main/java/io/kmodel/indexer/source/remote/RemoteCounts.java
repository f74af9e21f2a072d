package io.kmodel.indexer.source.remote;

import java.util.concurrent.atomic.LongAdder;

/** Counts requests to servers, and knows their last failure. Safe for many threads. */
public final class RemoteCounts {
  private final LongAdder requests = new LongAdder();
  private final LongAdder retries = new LongAdder();
  private final LongAdder bytes = new LongAdder();

  /** Empty if a server has answered since the last one. */
  private volatile String failure = "";

  public RemoteCounts() {}

  void request() {
    requests.increment();
  }

  /**
   * Counts a request that is repeated.
   *
   * @param why the server, its failure and the number of the next try
   */
  public void retry(String why) {
    retries.increment();
    failure = why;
  }

  void bytes(long received) {
    bytes.add(received);
    answered();
  }

  void answered() {
    if (!failure.isEmpty()) {
      failure = "";
    }
  }

  /** Requests that were sent, redirections not counted. */
  public long requests() {
    return requests.sum();
  }

  /** How often a request was repeated, or continued after a broken connection. */
  public long retries() {
    return retries.sum();
  }

  /** The last failure, for messages; empty if a server has answered since. */
  public String failure() {
    return failure;
  }

  /** Bytes of files that were received, as they are on the server. */
  public long bytes() {
    return bytes.sum();
  }
}
