package io.kmodel.indexer.source;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Unpacks a file into chunks, from front to back. Memory: the decoder's, two windows of 64 KiB,
 * what {@link Bzip2Input} takes, and the chunks, for which it asks. For one thread at a time, but
 * for those that help; closing frees the chunks.
 */
final class FileUnpacker implements AutoCloseable {
  /**
   * What to unpack.
   *
   * @param place of a regular file
   * @param size as listed
   * @param decoders is asked for memory to decode
   * @param maxExpansion how many times its size the file may unpack to
   * @param archive whether it is one, of which the first member alone is unpacked
   */
  record Source(
      Path place,
      long size,
      Compression compression,
      DecoderGuard decoders,
      int maxExpansion,
      boolean archive) {}

  /** Members of a chunk whose places take as much as a quarter of it. */
  private static final int MANY_MEMBERS = UnpackedChunk.BYTES / 64;

  private final FileChannel channel;
  private final InputBytes raw;
  private final InputStream in;
  private final @Nullable MemberInput members;

  /** Where more threads than one can unpack. */
  private final @Nullable Bzip2Input blocks;

  private final int maxExpansion;
  private final boolean archive;
  private final AheadArena arena;
  private final byte[] buffer = new byte[RecordInput.WINDOW_BYTES];
  private boolean ended;

  /** Where the first member starts that anything was unpacked of; -1 before. */
  private long onlyMember = -1;

  /** Why the file has too many members; null if it has not. */
  private @Nullable String tooManyMembers;

  /** Thrown when all before it was read. */
  private @Nullable IOException failure;

  /**
   * Opens a file.
   *
   * @param memory for chunks, and what else is unpacked ahead
   * @param shared whether several threads wait for what is unpacked, and could help
   */
  FileUnpacker(Source source, AheadMemory memory, boolean shared) throws IOException {
    this.arena = new AheadArena(memory);
    this.maxExpansion = source.maxExpansion();
    this.archive = source.archive();
    this.channel = RegularFile.open(source.place());
    try {
      this.raw = InputBytes.of(channel, new byte[InputBytes.WINDOW_BYTES], source.size());
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
      channel.close();
      throw e;
    }
  }

  /** Another decoder of the file, which goes along with it as blocks did. */
  private InputStream fromStart(Source source) throws IOException {
    raw.seek(0);
    return source.compression().decoder(raw, source.decoders());
  }

  /** A chunk more; null where no more memory is granted, unless there has to be one. */
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
    } catch (Error e) {
      failure = new IOException(e);
      throw e;
    }
    chunk.filePosition(raw.position());
  }

  /**
   * Unpacks something ahead of who fills chunks, if that can be done; for any thread.
   *
   * @param freeBytes of the heap that its thread may take
   * @return false if there is nothing to do now
   */
  boolean help(long freeBytes) throws ClosedByInterruptException {
    return blocks != null && freeBytes / 2 >= Bzip2Job.DECODER_BYTES && blocks.decodeAhead();
  }

  /** Whether another thread would find something to do. */
  boolean wantsHelp() {
    return blocks != null && blocks.wantsHelp();
  }

  /** Notes the member of what was read, which is of one; false if that is not to be unpacked. */
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
      tooManyMembers = "so many members that their places take too much memory";
    }
    return true;
  }

  boolean hasEnded() {
    return ended;
  }

  /** Why it is not to be unpacked for several threads from here on; null if it is. */
  @Nullable String reasonToReadAlone() {
    boolean alone = archive && !(failure instanceof ClosedByInterruptException);
    return failure != null && (alone || failure instanceof DecoderMemoryException)
        ? String.valueOf(failure.getMessage())
        : tooManyMembers;
  }

  @Nullable IOException failure() {
    return failure;
  }

  /** Where in the file its first member starts. */
  long firstMember() {
    return members == null ? 0 : members.firstMember();
  }

  /** The offset to report of what could not be unpacked, where so much was. */
  long failurePlace(long unpacked) {
    return members == null ? unpacked : members.failurePlace(unpacked);
  }

  @Override
  public void close() throws IOException {
    try (arena;
        channel) {
      in.close();
    }
  }
}
