package io.kmodel.indexer.source.unpack;

import io.kmodel.indexer.source.remote.UnavailableException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.ClosedByInterruptException;
import org.jspecify.annotations.Nullable;

/**
 * All that a library's decoder makes of its input, to the last byte before damage. Decoders discard
 * what the failing call has decoded, so after a failure a second decoder goes to the same offset
 * and continues byte by byte. (Bytes that brotli's decoder has decoded but not returned, up to its
 * window, stay lost.)
 *
 * <p>Failure: the decoder's, after all bytes that it can decode, regardless of the size of the
 * reads. Time: damaged input is decoded twice. Memory: the decoder's. Not thread-safe. Closing this
 * closes the decoder.
 */
public final class DecodedInput extends BlockInput {
  /** Opens a decoder at the start of the input. */
  @FunctionalInterface
  public interface Decoder {
    InputStream open() throws IOException;
  }

  private final Decoder again;
  private InputStream in;
  private long output;
  private boolean byteByByte;

  /** Thrown once all bytes before it were returned. */
  private @Nullable IOException failure;

  /**
   * Decodes an input.
   *
   * @param first decoder at the start of the input
   * @param again opens another decoder there
   */
  public DecodedInput(InputStream first, Decoder again) {
    this.in = first;
    this.again = again;
  }

  /**
   * Reads from a decoder; turns any exception about bad data into an {@link IOException}.
   *
   * @throws UnavailableException if the file's server failed, which is no damage
   */
  public static int read(InputStream decoder, byte[] to, int offset, int length)
      throws IOException {
    try {
      return decoder.read(to, offset, length);
    } catch (UnavailableException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new IOException(e.toString(), e);
    }
  }

  /**
   * Returns a decoder's exception if its input is damaged.
   *
   * @throws IOException the same exception, if the file system failed or the thread is interrupted
   */
  static IOException damage(IOException e) throws IOException {
    if (e instanceof InputBytes.ReadFailure || e instanceof ClosedByInterruptException) {
      throw e;
    }
    return e;
  }

  @Override
  public int read(byte[] to, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    int n = byteByByte ? readBytes(to, offset, length) : readBlock(to, offset, length);
    output += Math.max(0, n);
    return n;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }

  private int readBlock(byte[] to, int offset, int length) throws IOException {
    try {
      return read(in, to, offset, length);
    } catch (IOException e) {
      startAgain(damage(e));
    }
    return readBytes(to, offset, length);
  }

  private void startAgain(IOException e) throws IOException {
    byteByByte = true;
    failure = e;
    try {
      in.close();
      in = reopened();
      in.skipNBytes(output);
      failure = null;
    } catch (InputBytes.ReadFailure | ClosedByInterruptException | UnavailableException other) {
      throw other;
    } catch (IOException | RuntimeException other) {
      // The first failure stands for this one.
    }
  }

  private InputStream reopened() throws IOException {
    try {
      return again.open();
    } catch (IOException e) {
      // The first decoder may have known less about the problem.
      failure = damage(e);
      throw e;
    }
  }

  private int readBytes(byte[] to, int offset, int length) throws IOException {
    int done = 0;
    while (done < length && failure == null) {
      try {
        // Into an array: some decoders return single bytes from a buffer, which they lose on
        // failure.
        if (read(in, to, offset + done, 1) < 0) {
          return done == 0 ? -1 : done;
        }
        done++;
      } catch (IOException e) {
        failure = damage(e);
      }
    }
    if (done == 0 && failure != null) {
      throw failure;
    }
    return done;
  }
}
