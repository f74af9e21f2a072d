package io.kmodel.indexer.source.unpack;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdIOException;
import com.github.luben.zstd.ZstdInputStream;
import io.kmodel.indexer.source.DecoderGuard;
import io.kmodel.indexer.source.DecoderGuard.Memory;
import io.kmodel.indexer.source.DecoderMemoryException;
import io.kmodel.indexer.store.library.ZstdLibrary;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Decompresses zstd (RFC 8878) with any number of frames as a stream, with the dictionary at the
 * start of the file, if there is one. Crawlers put each record in a separate frame, so that their
 * archives can be read from any record. Skippable frames are skipped.
 *
 * <p>Failure: the decoder's, or {@link DecoderMemoryException}, after all bytes before the damaged
 * block or the wrong checksum, because {@link ZstdFrames} gives the decoder no more than that in a
 * call. Memory: the dictionary, and the largest window so far.
 */
final class ZstdInput extends MemberInput {
  /** The library's message. */
  private static final String CORRUPT = "Data corruption detected";

  private final InputBytes in;
  private final DecoderMemory memory;
  private final @Nullable ZstdDictionary dictionary;
  private final long firstMember;
  private ZstdInputStream decoder;

  /**
   * Thrown once all bytes before it were returned; a decoder that has failed is not called again.
   */
  private @Nullable IOException damage;

  /**
   * Decompresses a file.
   *
   * @param in at the file's start
   * @param guard grants the memory
   * @throws IOException if the file starts with a dictionary that cannot be read
   */
  ZstdInput(InputBytes in, DecoderGuard guard) throws IOException {
    ZstdLibrary.load();
    this.in = in;
    this.memory = new DecoderMemory(guard, Memory.OUTSIDE);
    try {
      this.dictionary = ZstdDictionary.read(in, memory);
    } catch (IOException | RuntimeException e) {
      memory.close();
      throw e;
    }
    try {
      this.firstMember = ZstdFrames.passSkippable(in);
      this.decoder = decode();
    } catch (IOException | RuntimeException e) {
      closeDictionary();
      throw e;
    }
  }

  @Override
  public int read(byte[] to, int offset, int length) throws IOException {
    if (damage != null) {
      throw damage;
    }
    int n;
    try {
      n = DecodedInput.read(decoder, to, offset, length);
    } catch (IOException e) {
      damage = wherever(DecodedInput.damage(e));
      throw damage;
    }
    if (n < 0) {
      endMember();
    } else {
      count(n);
    }
    return n;
  }

  /**
   * Makes the error of a damaged block independent of the frames before it. A block that unpacks to
   * more than it may does not fit in the decoder's buffer, which is as large as those frames
   * required.
   */
  private static IOException wherever(IOException e) {
    boolean tooMuch =
        e instanceof ZstdIOException zstd && zstd.getErrorCode() == Zstd.errDstSizeTooSmall();
    return tooMuch ? new ZstdIOException(Zstd.errCorruptionDetected(), CORRUPT) : e;
  }

  @Override
  void restart(long offset) throws IOException {
    decoder.close();
    in.seek(offset);
    endMember();
    damage = null;
    decoder = decode();
  }

  @Override
  public long firstMember() {
    return firstMember;
  }

  /**
   * The decoder's messages have no offset, and that of the first frame says little if it is large.
   */
  @Override
  public long failurePlace(long outputOffset) {
    return memberPosition() > firstMember ? memberPosition() : outputOffset;
  }

  @Override
  MemberProbe newProbe() {
    return new ZstdProbe(dictionary);
  }

  @Override
  void closeDecoder() throws IOException {
    try {
      decoder.close();
    } finally {
      closeDictionary();
    }
  }

  private void closeDictionary() {
    if (dictionary != null) {
      dictionary.close();
    }
    memory.close();
  }

  private ZstdInputStream decode() throws IOException {
    ZstdInputStream made = Compression.zstd(new ZstdFrames(in, memory, new Places()));
    if (dictionary != null) {
      dictionary.giveTo(made);
    }
    return made;
  }

  /** A decoder sees the next frame once all of the previous one was returned. */
  private final class Places implements ZstdFrames.Listener {
    @Override
    public void expected(long position) {
      expectMember(position);
    }

    @Override
    public void started() {
      startMember();
    }
  }
}
