package io.kmodel.indexer.source;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Reads what a file unpacks to from one offset on; who reads it knows where to stop. Closing it
 * says that nothing before is needed any more. For one thread, but for what {@link UnpackedFile}
 * asks with its own lock.
 */
final class UnpackedPiece extends BlockInput implements MemberPlaces {
  private final UnpackedFile file;
  private final long from;
  private final long to;
  private HeapGuard heap = HeapGuard.UNLIMITED;
  private boolean begun;
  private boolean waiting;

  /**
   * Where the chunk at hand begins, as the file knows it; where the piece does, before the first.
   */
  private long position;

  private long offset;
  private @Nullable UnpackedChunk chunk;
  private long chunkEnd;

  /** How much of the file was unpacked when the chunk at hand was. */
  private long filePosition;

  private long firstMember;

  /** Members of the chunk at hand, and of the one before: who asks is less than a chunk behind. */
  private long[] members = {};

  private long[] membersBefore = {};

  UnpackedPiece(UnpackedFile file, long from, long to) {
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

  /** Of the next byte that is read. */
  long offset() {
    return offset;
  }

  /** Reads again what is kept for the next piece, from its first byte on. */
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

  /** It is read from now on. */
  void begin(HeapGuard guard) {
    heap = guard;
    begun = true;
  }

  AheadMemory memory() {
    return heap.ahead();
  }

  /** Heap that its thread may take for this and that. */
  long freeBytes() {
    return heap.freeBytes();
  }

  /** Whether its thread holds what others may wait for. */
  boolean holdsTurn() {
    return heap.holdsTurn();
  }

  /** Offset of the first byte of the chunk at hand that the piece wants. */
  long position() {
    return position;
  }

  /** Of the first that is needed, by the next piece, too. */
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

  /** Bytes of the file, as it is stored, that it took to come here. */
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

  /** The last member that starts at an offset or before; -1 for none. */
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
