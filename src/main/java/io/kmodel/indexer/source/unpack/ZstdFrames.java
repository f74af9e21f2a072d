package io.kmodel.indexer.source.unpack;

import io.kmodel.indexer.source.DecoderMemoryException;
import io.kmodel.indexer.store.LittleEndian;
import java.io.IOException;

/**
 * The bytes of zstd (RFC 8878) on their way to a decoder. The decoder gets a frame's header only
 * once the memory for its window is granted, and then no more than a block or a checksum per read.
 * Truncated data is passed on, for the decoder to detect.
 *
 * <p>Failure: {@link DecoderMemoryException}; an {@link IOException} with the offset if no frame
 * starts where one should. Memory: only the input's. Not thread-safe. Closing releases the
 * reservation, and does not close the input.
 */
public final class ZstdFrames extends BlockInput {
  /** Magic numbers of frames, and of skippable frames, whose lowest four bits may differ. */
  public static final int MAGIC = 0xFD2FB528;

  private static final int SKIPPABLE_MAGIC = 0x184D2A50;

  /** Header of a skippable frame: magic number and size of the rest. */
  static final int SKIPPABLE_HEADER_BYTES = 8;

  private static final int SINGLE_SEGMENT = 0x20;
  private static final int CHECKSUM = 4;
  private static final int RLE_BLOCK = 1;

  /** With a dictionary id of four bytes and a content size of eight. */
  static final int MOST_HEADER_BYTES = 18;

  static final int BLOCK_HEADER_BYTES = 3;

  /** Of a block, compressed or not. */
  static final int MOST_BLOCK_BYTES = 1 << 17;

  /** Stands for a content larger than any window. */
  private static final long MUCH = 1L << 62;

  /** Receives frames before the decoder sees them. */
  interface Listener {
    Listener NONE =
        new Listener() {
          @Override
          public void expected(long position) {}

          @Override
          public void started() {}
        };

    /** A frame, possibly a skippable one, should start at an offset of the file. */
    void expected(long position);

    /** A frame starts there. */
    void started();
  }

  private final InputBytes in;
  private final DecoderMemory memory;
  private final Listener listener;

  /** The part of the reservation that belongs to others. */
  private final long before;

  /** Bytes to pass on before the next header has to be examined. */
  private long left;

  private boolean inFrame;

  /** Bytes of the checksum at the end of the current frame; 0 between frames. */
  private int checksum;

  ZstdFrames(InputBytes in, DecoderMemory memory, Listener listener) {
    this.in = in;
    this.memory = memory;
    this.listener = listener;
    this.before = memory.bytes();
  }

  /**
   * Skips complete skippable frames.
   *
   * @return the offset after them
   */
  static long passSkippable(InputBytes in) throws IOException {
    while (in.fill(SKIPPABLE_HEADER_BYTES)) {
      long bytes = skippableBytes(in.array(), in.at());
      if (bytes == 0 || bytes > in.size() - in.position()) {
        break;
      }
      in.skip(bytes);
    }
    return in.position();
  }

  /** Bytes of the skippable frame whose header is here; 0 if no such frame starts here. */
  static long skippableBytes(byte[] bytes, int at) {
    if ((LittleEndian.getInt(bytes, at) & ~0xF) != SKIPPABLE_MAGIC) {
      return 0;
    }
    return SKIPPABLE_HEADER_BYTES + Integer.toUnsignedLong(LittleEndian.getInt(bytes, at + 4));
  }

  @Override
  public int read(byte[] to, int offset, int length) throws IOException {
    if (left == 0) {
      left = inFrame ? block() : checksum > 0 ? checksum() : frame();
    }
    int n = in.read(to, offset, (int) Math.min(length, left));
    left -= Math.max(0, n);
    return n;
  }

  /** Bytes that are available without examining another frame. */
  @Override
  public int available() {
    return (int) Math.min(left, in.available());
  }

  @Override
  public void close() {
    memory.keep(before);
  }

  /** Bytes up to a frame's first block, or all bytes of a skippable frame. */
  private long frame() throws IOException {
    listener.expected(in.position());
    if (!in.fill(SKIPPABLE_HEADER_BYTES)) {
      return Long.MAX_VALUE;
    }
    long skippable = skippableBytes(in.array(), in.at());
    if (skippable > 0) {
      return skippable;
    }
    if (LittleEndian.getInt(in.array(), in.at()) != MAGIC) {
      throw new IOException("zstd: no frame at byte " + in.position());
    }
    int descriptor = in.array()[in.at() + 4];
    int headerBytes = headerBytes(descriptor);
    if (!in.fill(headerBytes)) {
      return Long.MAX_VALUE;
    }
    memory.reserve(before + neededBytes(descriptor, headerBytes));
    listener.started();
    inFrame = true;
    checksum = checksumBytes(descriptor);
    return headerBytes;
  }

  /**
   * Memory that decoders take: the window and two blocks, or all of the content, and a block of
   * input.
   */
  private long neededBytes(int descriptor, int headerBytes) {
    long content = contentBytes(descriptor, in.at() + headerBytes);
    long window = content;
    if ((descriptor & SINGLE_SEGMENT) == 0) {
      int b = in.array()[in.at() + 5];
      long base = 1L << (10 + ((b >> 3) & 0x1F));
      window = base + base / 8 * (b & 7);
    }
    long block = Math.min(window, MOST_BLOCK_BYTES);
    return Math.min(content, window + 2 * block) + block;
  }

  /** Content size of the frame whose header ends at {@code end}; {@link #MUCH} if not declared. */
  private long contentBytes(int descriptor, int end) {
    byte[] bytes = in.array();
    return switch (contentSizeBytes(descriptor)) {
      case 0 -> MUCH;
      case 1 -> bytes[end - 1] & 0xFF;
      case 2 -> 256 + ((bytes[end - 2] & 0xFF) | ((bytes[end - 1] & 0xFF) << 8));
      case 4 -> LittleEndian.getInt(bytes, end - 4) & 0xFFFFFFFFL;
      default -> {
        long size = LittleEndian.getLong(bytes, end - 8);
        yield size < 0 ? MUCH : Math.min(size, MUCH);
      }
    };
  }

  private static int contentSizeBytes(int descriptor) {
    return switch ((descriptor >> 6) & 3) {
      case 0 -> (descriptor & SINGLE_SEGMENT) == 0 ? 0 : 1;
      case 1 -> 2;
      case 2 -> 4;
      default -> 8;
    };
  }

  /** Bytes of a frame's header: magic number, descriptor, window, dictionary id, content size. */
  static int headerBytes(int descriptor) {
    return Integer.BYTES
        + 1
        + windowBytes(descriptor)
        + dictionaryBytes(descriptor)
        + contentSizeBytes(descriptor);
  }

  static int windowBytes(int descriptor) {
    return (descriptor & SINGLE_SEGMENT) == 0 ? 1 : 0;
  }

  static int dictionaryBytes(int descriptor) {
    return (1 << (descriptor & 3)) >> 1;
  }

  /** Bytes of the checksum after a frame's last block. */
  static int checksumBytes(int descriptor) {
    return (descriptor & CHECKSUM) == 0 ? 0 : 4;
  }

  /** The {@value #BLOCK_HEADER_BYTES} bytes that a block starts with. */
  static int blockHeader(byte[] bytes, int at) {
    return (bytes[at] & 0xFF) | ((bytes[at + 1] & 0xFF) << 8) | ((bytes[at + 2] & 0xFF) << 16);
  }

  static boolean isLast(int blockHeader) {
    return (blockHeader & 1) != 0;
  }

  /** Bytes of a block's content, as stored. */
  static int blockBytes(int blockHeader) {
    return ((blockHeader >> 1) & 3) == RLE_BLOCK ? 1 : blockHeader >> 3;
  }

  /** In a separate read: a decoder that finds it wrong discards what the same call has decoded. */
  private long checksum() {
    int bytes = checksum;
    checksum = 0;
    return bytes;
  }

  /** Bytes of a block. */
  private long block() throws IOException {
    if (!in.fill(BLOCK_HEADER_BYTES)) {
      return Long.MAX_VALUE;
    }
    int header = blockHeader(in.array(), in.at());
    inFrame = !isLast(header);
    return (long) BLOCK_HEADER_BYTES + blockBytes(header);
  }
}
