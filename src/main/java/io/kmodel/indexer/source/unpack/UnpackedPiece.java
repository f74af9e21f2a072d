package io.kmodel.indexer.source.unpack;

import io.kmodel.indexer.source.AheadMemory;
import io.kmodel.indexer.source.HeapGuard;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Reads a file's decompressed data from an offset on; the reader knows where to stop. Closing it
 * gives up the data. For one thread, except for what {@link SharedDecompression} queries under its
 * lock.
 */
public final class UnpackedPiece extends BlockInput implements MemberPlaces {
  private final SharedDecompression file;
  private final long from;
  private final long to;
  private HeapGuard heap = HeapGuard.UNLIMITED;
  private boolean begun;
  private boolean waiting;

  /**
   * Where this piece started to read the current chunk; at first, the start of the piece. Changed
   * under the file's lock.
   */
  private long position;

  private long offset;
  private @Nullable UnpackedChunk chunk;
  private long chunkEnd;

  /** How much of the file had been read when the current chunk was filled. */
  private long filePosition;

  private long firstMember;

  /** Members of the current chunk and of the one before; callers are less than a chunk behind. */
  private long[] members = {};

  private long[] membersBefore = {};

  UnpackedPiece(SharedDecompression file, long from, long to) {
    this.file = file;
    this.from = from;
    this.to = to;
    this.position = from;
    this.offset = from;
    this.chunkEnd = from;
  }

  long from() {
    return from;
  }

  /** Offset of the next byte to read. */
  long offset() {
    return offset;
  }

  /** Restarts with the data that is kept for the next piece, from its first byte on. */
  void goBack() {
    chunk = null;
    offset = to;
    chunkEnd = to;
  }

  boolean isLast() {
    return to == Long.MAX_VALUE;
  }

  boolean hasBegun() {
    return begun;
  }

  /** Starts to read the piece. */
  void begin(HeapGuard guard) {
    heap = guard;
    begun = true;
  }

  AheadMemory memory() {
    return heap.ahead();
  }

  /** Heap that its thread may take without asking. */
  long freeBytes() {
    return heap.freeBytes();
  }

  /** Whether its thread holds something that others may wait for. */
  boolean holdsTurn() {
    return heap.holdsTurn();
  }

  /** Offset of the first byte of the current chunk that the piece needs. */
  long position() {
    return position;
  }

  /** Offset of the first byte that this piece or the next one needs. */
  long needed() {
    return Math.min(position, to);
  }

  boolean isWaiting() {
    return waiting;
  }

  void waits(boolean now) {
    waiting = now;
  }

  @Override
  public int read(byte[] bytes, int at, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    UnpackedChunk here = chunk;
    if (here == null || offset == chunkEnd) {
      here = nextChunk();
      if (here == null) {
        return -1;
      }
    }
    int count = (int) Math.min(length, chunkEnd - offset);
    here.copy(offset, bytes, at, count);
    offset += count;
    return count;
  }

  private @Nullable UnpackedChunk nextChunk() throws IOException {
    synchronized (file) {
      position = offset;
    }
    UnpackedChunk next = file.next(this);
    if (next != null) {
      chunk = next;
      chunkEnd = next.end();
      filePosition = next.filePosition();
      firstMember = file.firstMember();
      membersBefore = members;
      members = next.members();
    }
    return next;
  }

  /** Bytes of the file, as stored, that were read to get here. */
  long filePosition() {
    return filePosition;
  }

  @Override
  public void close() throws IOException {
    file.end(this);
  }

  @Override
  public long memberOf(long offsetOfByte) {
    long[] all = membersOf(offsetOfByte);
    int slot = slot(all, offsetOfByte);
    return slot < 0 ? -1 : all[slot + 1];
  }

  @Override
  public long memberStart(long offsetOfByte) {
    long[] all = membersOf(offsetOfByte);
    int slot = slot(all, offsetOfByte);
    return slot < 0 ? -1 : all[slot];
  }

  @Override
  public long firstMember() {
    return firstMember;
  }

  @Override
  public long failurePlace(long outputOffset) {
    return file.failurePlace();
  }

  private long[] membersOf(long offsetOfByte) {
    return slot(members, offsetOfByte) >= 0 ? members : membersBefore;
  }

  /**
   * Index of the last member that starts at or before an offset; negative if there is no such
   * member.
   */
  private static int slot(long[] members, long offset) {
    int low = 0;
    int high = members.length / 2;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (members[2 * middle] <= offset) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return 2 * (low - 1);
  }
}
