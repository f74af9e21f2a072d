package io.kmodel.indexer.source.unpack;

import io.kmodel.indexer.source.AheadMemory;
import io.kmodel.indexer.source.DecoderGuard;
import io.kmodel.indexer.source.DecoderMemoryException;
import io.kmodel.indexer.source.FileBytes;
import io.kmodel.indexer.source.RegularFile;
import io.kmodel.indexer.source.remote.UnavailableException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Decompresses a file into chunks, from front to back. Memory: the decoder's, two windows of 64
 * KiB, what {@link Bzip2Input} takes, and the chunks, which have to be granted. For one thread at a
 * time, except for those that help. Closing frees the chunks.
 */
public final class FileUnpacker implements AutoCloseable {
  /**
   * What to decompress.
   *
   * @param place path of a regular file, or a listed URL
   * @param size as listed
   * @param decoders grants memory to decode
   * @param maxExpansion how many times its size the file may unpack to
   * @param archive whether the file is an archive, of which only the first member is decompressed
   */
  public record Source(
      Path place,
      long size,
      Compression compression,
      DecoderGuard decoders,
      int maxExpansion,
      boolean archive) {}

  /** The offsets of this many members take a quarter of a chunk's size. */
  private static final int MANY_MEMBERS = UnpackedChunk.BYTES / 64;

  private final FileBytes file;
  private final InputBytes raw;
  private final InputStream in;
  private final @Nullable MemberInput members;

  /** Set if more than one thread can decompress. */
  private final @Nullable Bzip2Input blocks;

  private final int maxExpansion;
  private final boolean archive;
  private final AheadArena arena;
  private final byte[] buffer = new byte[RecordInput.WINDOW_BYTES];
  private boolean ended;

  /** Offset of the first member with any output; -1 before. */
  private long onlyMember = -1;

  /** Why the file has too many members; null if it does not. */
  private @Nullable String tooManyMembers;

  /** Thrown once all data before it was read. */
  private @Nullable IOException failure;

  /**
   * Opens a file.
   *
   * @param memory grants memory for chunks and other data that is decompressed ahead
   * @param shared whether several threads wait for the data, and could help
   */
  FileUnpacker(Source source, AheadMemory memory, boolean shared) throws IOException {
    this.arena = new AheadArena(memory);
    this.maxExpansion = source.maxExpansion();
    this.archive = source.archive();
    this.file = RegularFile.open(source.place());
    try {
      this.raw = InputBytes.of(file, new byte[InputBytes.WINDOW_BYTES], source.size());
      this.blocks =
          shared && source.compression() == Compression.BZIP2
              ? new Bzip2Input(raw, memory, maxExpansion)
              : null;
      this.in =
          blocks == null
              ? source.compression().open(raw, source.decoders())
              : new DecodedInput(blocks, () -> fromStart(source));
      this.members = in instanceof MemberInput m ? m : null;
    } catch (IOException | RuntimeException | Error e) {
      file.close();
      throw e;
    }
  }

  /** Another decoder of the file, which moves {@code raw} as the blocks did. */
  private InputStream fromStart(Source source) throws IOException {
    raw.seek(0);
    return source.compression().decoder(raw, source.decoders());
  }

  /** A new chunk; null if no memory is granted and none is {@code needed}. */
  @Nullable UnpackedChunk newChunk(boolean needed) {
    MemorySegment bytes = arena.take(UnpackedChunk.BYTES, 0);
    if (bytes == null && needed) {
      bytes = arena.allocate(UnpackedChunk.BYTES);
    }
    return bytes == null ? null : new UnpackedChunk(bytes);
  }

  /** Fills a chunk that was started, up to the end, to damage, or to an archive's next member. */
  void fill(UnpackedChunk chunk) {
    try {
      while (chunk.room() > 0 && !ended) {
        int n = DecodedInput.read(in, buffer, 0, Math.min(buffer.length, chunk.room()));
        ended = n < 0;
        if (n > 0) {
          RecordInput.checkExpansion(members, raw, chunk.end() + n, maxExpansion);
          if (!addMember(chunk)) {
            break;
          }
          chunk.append(buffer, n);
        }
      }
    } catch (IOException e) {
      failure = e;
    } catch (UnavailableException | Error e) {
      failure = new IOException(e);
      throw e;
    }
    chunk.filePosition(raw.position());
  }

  /**
   * Decompresses data ahead of the thread that fills chunks, if possible; for any thread.
   *
   * @param freeBytes of the heap that the calling thread may take
   * @return false if there is nothing to do now
   */
  boolean help(long freeBytes) throws ClosedByInterruptException {
    return blocks != null && freeBytes / 2 >= Bzip2Job.DECODER_BYTES && blocks.decodeAhead();
  }

  /** Whether another thread would find work. */
  boolean wantsHelp() {
    return blocks != null && blocks.wantsHelp();
  }

  /**
   * Records the member of the data just read, which belongs to a single one; returns false if that
   * member must not be decompressed.
   */
  private boolean addMember(UnpackedChunk chunk) {
    if (members == null) {
      return true;
    }
    long offset = chunk.end();
    long member = members.memberOf(offset);
    onlyMember = onlyMember < 0 ? member : onlyMember;
    if (archive && member != onlyMember) {
      tooManyMembers = "an archive of several members";
      return false;
    }
    chunk.member(offset - members.offsetInMember(offset), member);
    if (chunk.memberCount() > MANY_MEMBERS) {
      tooManyMembers = "too many members: their offsets take too much memory";
    }
    return true;
  }

  boolean hasEnded() {
    return ended;
  }

  /** Why the rest cannot be decompressed for several threads; null if it can. */
  @Nullable String reasonToReadAlone() {
    boolean alone = archive && !(failure instanceof ClosedByInterruptException);
    return failure != null && (alone || failure instanceof DecoderMemoryException)
        ? String.valueOf(failure.getMessage())
        : tooManyMembers;
  }

  /** The failure after which no data follows; its cause is that of this file's server, if any. */
  @Nullable IOException failure() {
    return failure;
  }

  /** Offset in the file of its first member. */
  long firstMember() {
    return members == null ? 0 : members.firstMember();
  }

  /** The offset to report for a failure after this much output. */
  long failurePlace(long unpacked) {
    return members == null ? unpacked : members.failurePlace(unpacked);
  }

  @Override
  public void close() throws IOException {
    try (arena;
        file) {
      in.close();
    }
  }
}
