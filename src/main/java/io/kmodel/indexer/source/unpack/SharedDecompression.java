package io.kmodel.indexer.source.unpack;

import io.kmodel.indexer.source.AheadMemory;
import io.kmodel.indexer.source.HeapGuard;
import io.kmodel.indexer.source.remote.UnavailableException;
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
 * Decompresses a file once, from front to back, for several threads that each read a piece of it.
 * There is no separate thread for this: a thread that needs data decompresses up to it, and thereby
 * serves the readers of earlier pieces, which parse meanwhile.
 *
 * <p>Data is kept from the position of the first claimed piece on. Memory: off-heap, as much as
 * {@link AheadMemory} grants. If that is used up, the readers of later pieces wait for the first
 * one, which always has some chunks. If that does not help, because a line exceeds the memory or a
 * decoder needs more than usual, the file is given up: readers that get there fail with {@link
 * GivenUpException}, and one thread has to read the rest alone. An archive is also given up at
 * damage and at the start of a second member. A reader of the file itself can continue there, and
 * sees where records end.
 *
 * <p>Any other failure is thrown to each reader that needs the data after it. Thread-safe.
 */
public final class SharedDecompression {
  /** The rest of the file has to be read by one thread alone. */
  public static final class GivenUpException extends InputBytes.ReadFailure {
    private static final long serialVersionUID = 1;

    GivenUpException(String why) {
      super(why);
    }
  }

  /** Chunks that a file may have without a grant: a line may lie in two of them. */
  private static final int LEAST_CHUNKS = 4;

  /** How long to wait for memory that another file may release without notice. */
  private static final long LOOK_MILLIS = 20;

  private final FileUnpacker.Source source;
  private final boolean shared;

  /** Pieces that are claimed or being read, in order. Guarded by this, as are all fields below. */
  private final List<UnpackedPiece> pieces = new ArrayList<>();

  /** By their number in the file. */
  private final Map<Long, UnpackedChunk> chunks = new HashMap<>();

  private final Deque<UnpackedChunk> free = new ArrayDeque<>();

  /** The first chunk that exists or is still to come. */
  private long firstChunk;

  private long unpacked;

  /** Whether a thread is decompressing, outside the lock. */
  private boolean unpacking;

  private @Nullable GivenUpException givenUp;

  /** Whether the last piece has been read, so that no reader follows those that are claimed. */
  private boolean lastEnded;

  /** Null while no piece is read. */
  private @Nullable FileUnpacker unpacker;

  /** Creates a file for several threads. */
  public SharedDecompression(FileUnpacker.Source source) {
    this(source, true);
  }

  private SharedDecompression(FileUnpacker.Source source, boolean shared) {
    this.source = source;
    this.shared = shared;
  }

  /** A piece for the calling thread, with decompressed data that is not shared. */
  public static UnpackedPiece alone(FileUnpacker.Source source, long from) {
    UnpackedPiece piece = new SharedDecompression(source, false).add(from, Long.MAX_VALUE);
    piece.begin(HeapGuard.UNLIMITED);
    return piece;
  }

  /** The same file, for pieces that are read alone. */
  public SharedDecompression unshared() {
    return new SharedDecompression(source, false);
  }

  /**
   * Announces that a piece will be read. Pieces are claimed in order.
   *
   * @param from offset of the first byte that it needs
   * @param to offset of the first byte that the next piece needs; {@link Long#MAX_VALUE} for the
   *     last piece
   */
  public void claim(long from, long to) {
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

  /** Starts to read a piece; null if it is not claimed. */
  public synchronized @Nullable UnpackedPiece open(long from, HeapGuard heap) {
    UnpackedPiece piece = claimed(from);
    if (piece != null) {
      piece.begin(heap);
    }
    return piece;
  }

  /** Withdraws the claim of a piece, if it was not started. */
  public synchronized void abandon(long from) throws IOException {
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

  /** Withdraws the claims of all pieces that were not started. */
  public synchronized void release() throws IOException {
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
   * The chunk with the next byte of a piece; null at the end.
   *
   * @throws IOException the failure of decompression, once all data before it was read
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

  /** Fails if a chunk will never be available. */
  private void requireWanted(long number) throws GivenUpException {
    if (givenUp != null) {
      throw givenUp;
    }
    if (number < firstChunk) {
      throw giveUp("unpacked bytes were dropped before they were read");
    }
  }

  /** Whether no chunk follows. Call while no thread decompresses. */
  private boolean isOver(FileUnpacker here) throws IOException {
    String reason = shared ? here.reasonToReadAlone() : null;
    if (reason != null) {
      throw giveUp(reason);
    }
    IOException failure = here.failure();
    if (failure != null && failure.getCause() instanceof UnavailableException stopped) {
      // No reader may take it for damage, and its piece for read.
      throw stopped;
    }
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
        // Another reader may still succeed, so this failure is not part of the file's data.
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
      // A thread that holds something the first piece may want must not wait for that piece.
      used = here.newChunk(chunks.size() < LEAST_CHUNKS || piece.holdsTurn());
    }
    if (used == null && piece == pieces.getFirst()) {
      // No reader before it will free memory.
      throw giveUp("a line or record does not fit in the read-ahead memory");
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

  /** Whether a reader waits for data that is available now. */
  private boolean isAwaited() {
    for (UnpackedPiece piece : pieces) {
      if (piece.isWaiting() && piece.position() < unpacked) {
        return true;
      }
    }
    return false;
  }

  /**
   * Frees the chunks before all claimed pieces. If none is claimed, the next piece may need them.
   */
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

  /** Offset in the file of its first member. */
  synchronized long firstMember() {
    FileUnpacker here = unpacker;
    return here == null ? 0 : here.firstMember();
  }

  /** The offset to report for data that could not be decompressed. */
  synchronized long failurePlace() {
    FileUnpacker here = unpacker;
    return here == null ? unpacked : here.failurePlace(unpacked);
  }
}
