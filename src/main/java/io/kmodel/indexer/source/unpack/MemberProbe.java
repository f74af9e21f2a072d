package io.kmodel.indexer.source.unpack;

/**
 * Probes for a gzip member or zstd frame at an offset by decompressing its first bytes, within the
 * window that holds them and without reading the input.
 *
 * <p>Time: at most that of {@link #packedBytes} per probe. Failure: data that is not a member
 * unpacks to nothing, as an empty member does, and damaged data unpacks to the part before the
 * damage; checksums are not verified. Memory: {@value #PROBE_BYTES} bytes, and the decoder's. Not
 * thread-safe.
 */
public abstract class MemberProbe implements AutoCloseable {
  /** The longest start of a record that is examined: an ARC header's URI may be long. */
  public static final int PROBE_BYTES = 4096;

  /** Holds the output of {@link #unpack}. */
  public final byte[] unpacked = new byte[PROBE_BYTES];

  /** Bytes of output. */
  int length;

  /** Bytes that {@link #isHeader} examines. */
  public abstract int headerBytes();

  /** Bytes that a probe needs at most, if there are as many. */
  public abstract int packedBytes();

  /** Whether the {@link #headerBytes} bytes at an offset look like the start of a member. */
  public abstract boolean isHeader(byte[] bytes, int at);

  /**
   * Decompresses the first bytes of the member that seems to start at {@code from}.
   *
   * @param to where the file, or the probe, ends
   * @param wanted at most {@value #PROBE_BYTES}
   * @param on whether to continue with the next members if the member is shorter
   * @return the number of bytes
   */
  public final int unpack(byte[] packed, int from, int to, int wanted, boolean on) {
    length = 0;
    int next = unpackMember(packed, from, to, wanted);
    while (on && next >= 0) {
      next = unpackMember(packed, next, to, wanted);
    }
    return length;
  }

  /**
   * Decompresses more, up to {@code wanted} bytes in total.
   *
   * @return where the next member starts; -1 if no more can be read
   */
  abstract int unpackMember(byte[] packed, int from, int to, int wanted);

  @Override
  public abstract void close();
}
