package io.kmodel.indexer.source;

/**
 * What members unpack to at first, without reading them: whether there is one at all where bytes
 * look like the start of one is tried in the window where they are.
 *
 * <p>Time: that of {@link #packedBytes} at most for each try. Failure: what is no member unpacks to
 * nothing, as an empty one does, and what is damaged to what comes before that; checksums are not
 * looked at. Memory: {@value #LOOK_BYTES} bytes, and the decoder's. Not thread-safe.
 */
abstract class MemberLook implements AutoCloseable {
  /** The longest start of a record that is examined: an ARC header's URI may be long. */
  static final int LOOK_BYTES = 4096;

  /** Holds what {@link #unpack} has unpacked. */
  final byte[] unpacked = new byte[LOOK_BYTES];

  /** Bytes that were unpacked. */
  int length;

  /** That {@link #isHeader} looks at. */
  abstract int headerBytes();

  /** That one look needs at most, if there are so many. */
  abstract int packedBytes();

  /** Whether the bytes at an offset, {@link #headerBytes}, are those that members start with. */
  abstract boolean isHeader(byte[] bytes, int at);

  /**
   * Unpacks the first bytes of the member that seems to start at {@code from}.
   *
   * @param to where the file, or the look, ends
   * @param wanted at most {@value #LOOK_BYTES}
   * @param on whether those of the members behind it count, too, where it is shorter
   * @return how many there are
   */
  final int unpack(byte[] packed, int from, int to, int wanted, boolean on) {
    length = 0;
    int next = unpackMember(packed, from, to, wanted);
    while (on && next >= 0) {
      next = unpackMember(packed, next, to, wanted);
    }
    return length;
  }

  /**
   * Unpacks more, up to {@code wanted} bytes.
   *
   * @return where the next member starts; -1 if none is to be read
   */
  abstract int unpackMember(byte[] packed, int from, int to, int wanted);

  @Override
  public abstract void close();
}
