package io.kmodel.indexer.source;

import java.io.IOException;

/** Reads lines of any length as bytes; a line ends after its LF or at the end. Not thread-safe. */
final class Lines {
  private final RecordInput in;

  Lines(RecordInput in) {
    this.in = in;
  }

  /** What became of a line. */
  enum Line {
    READ,
    /** It was passed over; the buffer says why. */
    TOO_LARGE,
    END
  }

  /** Appends the next line, with its end, to a buffer. */
  Line append(DocumentBuffer buffer) throws IOException, InterruptedException {
    if (!in.fill(1)) {
      return Line.END;
    }
    boolean fits = true;
    boolean ended = false;
    while (!ended && in.fill(1)) {
      byte[] window = in.array();
      int from = in.at();
      int end = from + in.available();
      int to = from;
      while (to < end && window[to] != '\n') {
        to++;
      }
      ended = to < end;
      int count = to - from + (ended ? 1 : 0);
      fits = fits && buffer.grow((long) buffer.length + count);
      if (fits) {
        System.arraycopy(window, from, buffer.bytes, buffer.length, count);
        buffer.length += count;
      }
      in.advance(count);
    }
    return fits ? Line.READ : Line.TOO_LARGE;
  }
}
