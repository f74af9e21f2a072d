package io.kmodel.indexer.source;

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
 * <p>Failure: an {@link IOException}, of the decoder or {@link DecoderMemory.ShortageException}.
 * Time: a damaged frame is decoded twice. Memory: the dictionary, and the largest window so far.
 */
final class ZstdInput extends MemberInput {
  private final InputBytes in;
  private final DecoderMemory memory;
  private final @Nullable ZstdDictionary dictionary;
  private DecodedInput decoded;

  /** Where in the file the frame at hand starts; -1 for none. */
  private long frame = -1;

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
      this.decoded = decode();
    } catch (IOException | RuntimeException e) {
      closeDictionary();
      throw e;
    }
  }

  @Override
  public int read(byte[] to, int offset, int length) throws IOException {
    int n = decoded.read(to, offset, length);
    if (n < 0) {
      endMember();
    } else {
      count(n);
    }
    return n;
  }

  @Override
  void restart(long offset) throws IOException {
    decoded.close();
    in.seek(offset);
    endMember();
    frame = -1;
    decoded = decode();
  }

  @Override
  MemberLook newLook() {
    return new ZstdLook(dictionary);
  }

  @Override
  void closeDecoder() throws IOException {
    try {
      decoded.close();
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

  private DecodedInput decode() throws IOException {
    return new DecodedInput(decoder(in), () -> decoder(in.fork(memberPosition())));
  }

  private ZstdInputStream decoder(InputBytes from) throws IOException {
    ZstdInputStream decoder = Compression.zstd(new ZstdFrames(from, memory, new Places()));
    if (dictionary != null) {
      dictionary.giveTo(decoder);
    }
    return decoder;
  }

  /** A decoder sees the next frame when all of the one before was returned. */
  private final class Places implements ZstdFrames.Listener {
    @Override
    public void expected(long position) {
      expectMember(position);
      decoded.startsHere();
    }

    @Override
    public void started() {
      if (frame == memberPosition()) {
        // It is decoded again, since it is damaged.
        return;
      }
      frame = memberPosition();
      startMember();
    }
  }
}
