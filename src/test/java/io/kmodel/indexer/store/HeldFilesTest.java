package io.kmodel.indexer.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that are kept in memory until they are appended to another one. */
class HeldFilesTest {
  private static final String FORMAT = "test";
  private static final int BUFFER = OutputFile.BUFFER_BYTES;

  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource({
    // Bytes, in how many pieces, and for how many buffers there is room.
    "0, 1, 4",
    "1, 1, 4",
    "65520, 1, 4",
    "65536, 1, 4",
    "65536, 9, 4",
    "200000, 1, 4",
    "200000, 7777, 4",
    "200000, 7777, 3",
    "200000, 7777, 2",
    "200000, 13, 0",
    "1000000, 60000, 4"
  })
  void whatIsHeldIsAppendedAsIfItHadBeenWritten(int bytes, int pieces, int buffers)
      throws IOException {
    byte[] content = random(bytes);
    BufferPool pool = new BufferPool((long) buffers * BUFFER);
    Path direct = directory.resolve("direct");
    Path appended = directory.resolve("appended");
    try (OutputFile out = OutputFile.create(direct, FORMAT, 1)) {
      out.writeInt(42);
      out.writeBytes(content, 0, bytes);
      out.commitUnforced();
    }
    // Twice, so that buffers are used again.
    for (int round = 0; round < 2; round++) {
      try (OutputFile out = OutputFile.create(appended, FORMAT, 1);
          OutputFile part = held("part", pool)) {
        out.writeInt(42);
        write(part, content, pieces);
        // A file has a buffer of its own besides.
        boolean fits = part.position() <= (buffers + 1L) * BUFFER;
        assertThat(Files.size(part.temporary()) == 0).isEqualTo(fits);
        part.appendTo(out);
        out.commitUnforced();
      }
      assertThat(appended).hasSameBinaryContentAs(direct);
      assertThat(free(pool)).isEqualTo(buffers);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 3, 65_536, 300_000})
  void aHeldFileThatIsReleasedOrSealedIsLikeAnyOther(int before) throws IOException {
    byte[] first = random(before);
    byte[] second = random(100_000);
    Path plain = directory.resolve("plain");
    try (OutputFile out = OutputFile.create(plain, FORMAT, 1)) {
      write(out, first, 10);
      write(out, second, 10);
      out.commitUnforced();
    }
    BufferPool pool = new BufferPool(100L * BUFFER);
    try (OutputFile released = held("released", pool);
        OutputFile sealed = held("sealed", pool)) {
      write(released, first, 10);
      released.release();
      write(released, second, 10);
      released.commitUnforced();
      write(sealed, first, 10);
      write(sealed, second, 10);
      sealed.commitUnforced();
    }
    assertThat(directory.resolve("released")).hasSameBinaryContentAs(plain);
    assertThat(directory.resolve("sealed")).hasSameBinaryContentAs(plain);
    assertThat(free(pool)).isEqualTo(100);
  }

  @Test
  void aCheckpointHasWhatWasHeld() throws IOException {
    byte[] content = random(200_000);
    OutputFile held = held("file", new BufferPool(100L * BUFFER));
    write(held, content, 10);
    OutputFile.Checkpoint at = held.checkpoint();
    write(held, content, 10);
    held.leave();
    try (OutputFile out = OutputFile.reopen(directory.resolve("file"), FORMAT, at)) {
      out.commitUnforced();
    }
    assertThat(SealedFiles.body(directory.resolve("file"), FORMAT)).isEqualTo(content);
  }

  @Test
  void aFileForWhichNoBufferIsLeftGivesItsOwnToOthers() throws IOException {
    byte[] content = random(BUFFER);
    BufferPool pool = new BufferPool(4L * BUFFER);
    try (OutputFile small = held("small", pool);
        OutputFile large = held("large", pool)) {
      write(small, content, 1);
      for (int i = 0; i < 4; i++) {
        write(large, content, 1);
      }
      assertThat(Files.size(small.temporary())).isZero();
      assertThat(Files.size(large.temporary())).isPositive();
      assertThat(free(pool)).isEqualTo(3);
    }
    assertThat(free(pool)).isEqualTo(4);
    assertThat(directory).isEmptyDirectory();
  }

  private OutputFile held(String name, BufferPool pool) throws IOException {
    OutputFile file = OutputFile.create(directory.resolve(name), FORMAT, 1);
    file.hold(pool);
    return file;
  }

  /** Writes bytes in about so many pieces, not all of them of one size. */
  private static void write(OutputFile out, byte[] content, int pieces) throws IOException {
    int longest = Math.max(1, 2 * content.length / pieces);
    Random random = new Random(pieces);
    for (int at = 0; at < content.length; ) {
      int n = Math.min(content.length - at, 1 + random.nextInt(longest));
      out.writeBytes(content, at, n);
      at += n;
    }
  }

  /** How many buffers can be taken; they are given back. */
  private static int free(BufferPool pool) {
    byte[] taken = pool.take();
    if (taken == null) {
      return 0;
    }
    int others = free(pool);
    pool.give(taken);
    return 1 + others;
  }

  private static byte[] random(int bytes) {
    byte[] content = new byte[bytes];
    new Random(bytes).nextBytes(content);
    return content;
  }
}
