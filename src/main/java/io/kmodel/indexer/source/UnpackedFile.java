package io.kmodel.indexer.source;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a compressed file unpacks to, unpacked once from front to back for several threads, each of
 * which reads a piece of it. There is no thread that unpacks: who needs what is not there yet
 * unpacks up to there, and so for those whose pieces come before, who parse meanwhile.
 *
 * <p>What is unpacked is kept from where the first of the claimed pieces is read. Memory: outside
 * of the heap, as much as {@link AheadMemory} grants; where that is used up, pieces that lie
 * further on wait for the first, which always has some chunks. Should that not do, since a line is
 * longer than all there is, or a decoder wants more than is usual, the file is given up: readers
 * that come there fail by {@link GivenUpException}, and one thread has to read the rest alone. So
 * is an archive at damage and where a second member begins, at which reading the file itself can go
 * on, and see records end.
 *
 * <p>Any other failure comes to each reader that wants what lies behind it. Safe for many threads.
 */
final class UnpackedFile {
  /** The rest of the file is to be read by one thread alone. */
  static final class GivenUpException extends InputBytes.ReadFailure {
    private static final long serialVersionUID = 1;

    GivenUpException(String why) {
      super(why);
    }
  }

  /** Chunks that a file has whatever is granted: a line may lie in two of them. */
  private static final int LEAST_CHUNKS = 4;

  /** How long to wait for memory that another file may give back, which tells nobody. */
  private static final long LOOK_MILLIS = 20;

  private final FileUnpacker.Source source;
  private final boolean shared;

  /** Pieces that are claimed or read, in their order; guarded by this, as all that follows. */
  private final List<UnpackedPiece> pieces = new ArrayList<>();

  /** By their number in the file. */
  private final Map<Long, UnpackedChunk> chunks = new HashMap<>();

  private final Deque<UnpackedChunk> free = new ArrayDeque<>();

  /** The first chunk that is there, or will be. */
  private long firstChunk;

  private long unpacked;

  /** Whether a thread unpacks, without the lock. */
  private boolean unpacking;

  private @Nullable GivenUpException givenUp;

  /** Whether nobody will come after those that are claimed. */
  private boolean lastEnded;

  /** Null while no piece is read. */
  private @Nullable FileUnpacker unpacker;

  /** A file for several threads. */
  UnpackedFile(FileUnpacker.Source source) {
    this(source, true);
  }

  private UnpackedFile(FileUnpacker.Source source, boolean shared) {
    this.source = source;
    this.shared = shared;
  }

  /** A piece that the calling thread reads, from what is unpacked for nobody else. */
  static UnpackedPiece alone(FileUnpacker.Source source, long from) {
    UnpackedPiece piece = new UnpackedFile(source, false).add(from, Long.MAX_VALUE);
    piece.begin(HeapGuard.UNLIMITED);
    return piece;
  }

  /** The same file where pieces are read alone. */
  UnpackedFile unshared() {
    return new UnpackedFile(source, false);
  }

  /**
   * Says that a piece will be read. Pieces are claimed in their order.
   *
   * @param from offset of the first byte that is wanted
   * @param to of the first that the next piece wants; {@link Long#MAX_VALUE} if there is none
   */
  void claim(long from, long to) {
    if (shared) {
      add(from, to);
    }
  }

  private synchronized UnpackedPiece add(long from, long to) {
    UnpackedPiece piece = new UnpackedPiece(this, from, to);
    pieces.add(piece);
    lastEnded = false;
    return piece;
  }

  /** Begins to read a piece; null if it is not claimed. */
  synchronized @Nullable UnpackedPiece open(long from, HeapGuard heap) {
    UnpackedPiece piece = claimed(from);
    if (piece != null) {
      piece.begin(heap);
    }
    return piece;
  }

  /** A piece that is claimed will not be read, if it was not begun. */
  synchronized void abandon(long from) throws IOException {
    UnpackedPiece piece = claimed(from);
    if (piece != null) {
      end(piece);
    }
  }

  private @Nullable UnpackedPiece claimed(long from) {
    for (UnpackedPiece piece : pieces) {
      if (piece.from() == from && !piece.hasBegun()) {
        return piece;
      }
    }
    return null;
  }

  /** No piece will be read any more. */
  synchronized void release() throws IOException {
    pieces.removeIf(piece -> !piece.hasBegun());
    closeUnused();
  }

  synchronized void end(UnpackedPiece piece) throws IOException {
    if (pieces.remove(piece)) {
      trim();
      notifyAll();
      lastEnded |= piece.isLast();
      if (lastEnded) {
        closeUnused();
      }
    }
  }

  private void closeUnused() throws IOException {
    FileUnpacker used = unpacker;
    if (used != null && pieces.isEmpty()) {
      unpacker = null;
      givenUp = null;
      lastEnded = false;
      chunks.clear();
      free.clear();
      firstChunk = 0;
      unpacked = 0;
      used.close();
    }
  }

  /**
   * The chunk that has the next byte of a piece; null at the end.
   *
   * @throws IOException what unpacking has failed with, when all before was read
   */
  @Nullable UnpackedChunk next(UnpackedPiece piece) throws IOException {
    FileUnpacker here = unpacker(piece);
    boolean mayHelp = true;
    while (true) {
      UnpackedChunk chunk;
      synchronized (this) {
        trim();
        long number = piece.position() / UnpackedChunk.BYTES;
        if (piece.position() < unpacked && number >= firstChunk) {
          return chunks.get(number);
        }
        requireWanted(number);
        if (!unpacking && isOver(here)) {
          return null;
        }
        boolean helps = unpacking && mayHelp;
        chunk = unpacking ? null : room(here, piece);
        if (chunk != null) {
          unpacking = true;
          chunk.start(unpacked);
        } else if (!helps) {
          await(piece);
          mayHelp = true;
          continue;
        }
      }
      if (chunk == null) {
        mayHelp = here.help(piece.freeBytes());
        continue;
      }
      try {
        here.fill(chunk);
      } finally {
        add(here, chunk, piece);
      }
    }
  }

  /** Fails where a chunk will never be there. */
  private void requireWanted(long number) throws GivenUpException {
    if (givenUp != null) {
      throw givenUp;
    }
    if (number < firstChunk) {
      throw giveUp("unpacked bytes were dropped before they were read");
    }
  }

  /** Whether no chunk follows; while nobody unpacks. */
  private boolean isOver(FileUnpacker here) throws IOException {
    String reason = shared ? here.reasonToReadAlone() : null;
    if (reason != null) {
      throw giveUp(reason);
    }
    IOException failure = here.failure();
    if (failure != null) {
      throw failure;
    }
    return here.hasEnded();
  }

  private GivenUpException giveUp(String why) {
    GivenUpException e = new GivenUpException(why);
    givenUp = e;
    notifyAll();
    return e;
  }

  private synchronized FileUnpacker unpacker(UnpackedPiece piece) throws IOException {
    FileUnpacker here = unpacker;
    if (here == null) {
      try {
        here = new FileUnpacker(source, piece.memory(), shared);
      } catch (IOException e) {
        // Another reader may yet succeed, so this is not what the file unpacks to.
        throw e instanceof ClosedByInterruptException ? e : new InputBytes.ReadFailure(e);
      }
      unpacker = here;
    }
    return here;
  }

  /** A chunk to fill; null if there is none now. */
  private @Nullable UnpackedChunk room(FileUnpacker here, UnpackedPiece piece)
      throws GivenUpException {
    UnpackedChunk used = free.poll();
    if (used == null) {
      // Who holds a turn that the first piece may want must not wait for that to read on.
      used = here.newChunk(chunks.size() < LEAST_CHUNKS || piece.holdsTurn());
    }
    if (used == null && piece == pieces.getFirst()) {
      // Nobody before it will make room.
      throw giveUp("a line or record is longer than what may be unpacked ahead");
    }
    return used;
  }

  private synchronized void add(FileUnpacker here, UnpackedChunk chunk, UnpackedPiece piece) {
    unpacking = false;
    if (chunk.isEmpty()) {
      free.add(chunk);
    } else {
      chunks.put(unpacked / UnpackedChunk.BYTES, chunk);
      unpacked = chunk.end();
    }
    boolean over = here.hasEnded() || here.failure() != null;
    if (over || piece.position() < unpacked || here.wantsHelp() || isAwaited()) {
      notifyAll();
    }
  }

  /** Whether somebody waits for what is there now. */
  private boolean isAwaited() {
    for (UnpackedPiece piece : pieces) {
      if (piece.isWaiting() && piece.position() < unpacked) {
        return true;
      }
    }
    return false;
  }

  /** Drops what lies before all pieces that are claimed; while none is, the next may want it. */
  private void trim() {
    if (pieces.isEmpty()) {
      return;
    }
    long needed = Long.MAX_VALUE;
    for (UnpackedPiece piece : pieces) {
      needed = Math.min(needed, piece.needed());
    }
    boolean freed = false;
    while (firstChunk < needed / UnpackedChunk.BYTES) {
      UnpackedChunk done = chunks.remove(firstChunk);
      if (done == null) {
        break;
      }
      free.add(done);
      freed = true;
      firstChunk++;
    }
    if (freed) {
      notifyAll();
    }
  }

  @SuppressWarnings("WaitNotInLoop") // the caller loops
  private void await(UnpackedPiece piece) throws IOException {
    piece.waits(true);
    try {
      wait(unpacking ? 0 : LOOK_MILLIS);
    } catch (InterruptedException e) {
      throw InputBytes.interrupted();
    } finally {
      piece.waits(false);
    }
  }

  /** Where in the file its first member starts. */
  synchronized long firstMember() {
    FileUnpacker here = unpacker;
    return here == null ? 0 : here.firstMember();
  }

  /** The offset to report of what could not be unpacked. */
  synchronized long failurePlace() {
    FileUnpacker here = unpacker;
    return here == null ? unpacked : here.failurePlace(unpacked);
  }
}
