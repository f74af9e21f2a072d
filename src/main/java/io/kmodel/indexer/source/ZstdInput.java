package io.kmodel.indexer.source;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdIOException;
import com.github.luben.zstd.ZstdInputStream;
import io.kmodel.indexer.source.DecoderGuard.Memory;
import io.kmodel.indexer.store.ZstdLibrary;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Decompresses zstd (RFC 8878) of any number of frames as a stream, with the dictionary that the
 * file starts with, if it does. Crawlers give each record a frame of its own, so that their
 * archives can be read from anywhere. Frames to pass over are passed over.
 *
 * <p>Failure: the decoder's, or {@link DecoderMemoryException}, after all bytes before the block
 * that is damaged, or before a wrong checksum, since the decoder sees no more than that in the call
 * that fails ({@link ZstdFrames}). Memory: the dictionary, and the largest window so far.
 */
final class ZstdInput extends MemberInput {
  /** The library's own words. */
  private static final String CORRUPT = "Data corruption detected";

  private final InputBytes in;
  private final DecoderMemory memory;
  private final @Nullable ZstdDictionary dictionary;
  private final long firstMember;
  private ZstdInputStream decoder;

  /** Thrown when all before it was returned; a decoder that has failed is not asked again. */
  private @Nullable IOException damage;

  /**
   * Decompresses a file.
   *
   * @param in at the file's start
   * @param guard is asked for the memory
   * @throws IOException if it starts with a dictionary that cannot be read
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
   * What is wrong with a block, whatever was decoded before: one that unpacks to more than it may
   * does not fit in the decoder's buffer, which is as large as the frames before have asked for.
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

  /** What the decoder says is without a place, so the frame's would say little of a large one. */
  @Override
  public long failurePlace(long outputOffset) {
    return memberPosition() > firstMember ? memberPosition() : outputOffset;
  }

  @Override
  MemberLook newLook() {
    return new ZstdLook(dictionary);
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

  /** A decoder sees the next frame when all of the one before was returned. */
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
