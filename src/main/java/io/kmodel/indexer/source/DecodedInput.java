package io.kmodel.indexer.source;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.ClosedByInterruptException;
import org.jspecify.annotations.Nullable;

/**
 * What a decoder of a library makes of its input, to the last byte before damage: decoders throw
 * away what the call that fails has decoded. So after a failure another decoder goes to the same
 * place and on from there byte by byte. (What brotli's has decoded and not given out, up to its
 * window, stays lost.)
 *
 * <p>Failure: the decoder's, after all bytes that it gives, however small or large the reads were.
 * Time: damaged input is decoded twice. Memory: the decoder's. Not thread-safe. Closing closes the
 * decoder.
 */
final class DecodedInput extends BlockInput {
  /** Opens a decoder at the start of the input. */
  @FunctionalInterface
  interface Decoder {
    InputStream open() throws IOException;
  }

  private final Decoder again;
  private InputStream in;
  private long output;
  private boolean byteByByte;

  /** Thrown when all before it was returned. */
  private @Nullable IOException failure;

  /**
   * Decodes.
   *
   * @param first at the start of the input
   * @param again opens another one there
   */
  DecodedInput(InputStream first, Decoder again) {
    this.in = first;
    this.again = again;
  }

  /** Reads from a decoder; whatever it throws of bad data is an {@link IOException}. */
  static int read(InputStream decoder, byte[] to, int offset, int length) throws IOException {
    try {
      return decoder.read(to, offset, length);
    } catch (RuntimeException e) {
      throw new IOException(e.toString(), e);
    }
  }

  /**
   * What a decoder threw, if its input is damaged.
   *
   * @throws IOException the same, if the file system failed or the thread is to stop
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
    } catch (InputBytes.ReadFailure | ClosedByInterruptException other) {
      throw other;
    } catch (IOException | RuntimeException other) {
      // It comes in the place of what would come again.
    }
  }

  private InputStream reopened() throws IOException {
    try {
      return again.open();
    } catch (IOException e) {
      // The first may have been a decoder that knows less of what is wrong.
      failure = damage(e);
      throw e;
    }
  }

  private int readBytes(byte[] to, int offset, int length) throws IOException {
    int done = 0;
    while (done < length && failure == null) {
      try {
        // Into an array: some decoders' single bytes come out of a buffer, which they lose.
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
