package io.kmodel.indexer.source.unpack;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.Tier;
import io.kmodel.indexer.source.AheadMemory;
import io.kmodel.indexer.source.warc.Warcs;
import java.io.ByteArrayOutputStream;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Files of bzip2, decoded by several threads. */
@Timeout(120)
class Bzip2InputTest extends Bzip2Files {
  private static final int ZEROS = Tier.pick(9 << 20, 20 << 20);

  @Test
  void blocksOfAnySizeAreTheWholeFile() throws Exception {
    for (int level : Tier.some(List.of(1, 2, 3, 4, 5, 6, 7, 8, 9), 3)) {
      byte[] content = words(1_000_000);
      assertThat(decode(bzip2(content, level), 3)).isEqualTo(content);
    }
    assertThat(ahead.get()).isPositive();
    assertThat(memory.taken).isZero();
  }

  /** As compressors of several threads write them. */
  @Test
  void streamsThatFollowEachOtherAreOneFile() throws Exception {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    for (int i = 0; i < Tier.pick(10, 30); i++) {
      byte[] part = words(random.nextInt(3) * random.nextInt(200_000));
      content.writeBytes(part);
      packed.writeBytes(bzip2(part, 1 + random.nextInt(9)));
    }
    assertThat(decode(packed.toByteArray(), 2)).isEqualTo(content.toByteArray());
  }

  @Test
  void aStreamOfNothingIsAnEmptyFile() throws Exception {
    assertThat(decode(bzip2(new byte[0], 9), 1)).isEmpty();
    assertThat(decode(Warcs.concat(bzip2(new byte[0], 9), bzip2(words(7), 1)), 1)).hasSize(7);
  }

  /** Runs of a byte take five bytes of a block for 259. */
  @Test
  void aBlockThatUnpacksToMuchIsDecodedByWhoReadsIt() throws Exception {
    byte[] content = Warcs.concat(words(500_000), new byte[ZEROS], words(500_000));
    for (long limit : new long[] {1L << 40, 6 << 20}) {
      memory = new UnpackedPieces.Limited(limit);
      assertThat(decode(bzip2(content, 1), 3)).isEqualTo(content);
      assertThat(memory.taken).isZero();
    }
  }

  @Test
  void whatUnpacksToMuchTakesNoMoreRoomThanWouldBeUsual() throws Exception {
    reading(
        bzip2(new byte[20 << 20], 9),
        (in, file) -> {
          assertThat(in.decodeAhead()).isTrue();
          assertThat(memory.taken).isEqualTo(4 << 20);
          assertThat(in.readAllBytes()).hasSize(20 << 20);
        });
  }

  /** A slot is full then, and none follows it. */
  @Test
  void whatHasAsMuchAsItsRoomIsWhole() throws Exception {
    byte[] tail = words(9);
    for (int bytes : new int[] {(1 << 20) - 1, 1 << 20, (1 << 20) + 1, 2 << 20, 4 << 20}) {
      byte[] packed = Warcs.concat(bzip2(new byte[bytes], 9), bzip2(tail, 8));
      assertThat(decode(packed, 1)).isEqualTo(Warcs.concat(new byte[bytes], tail));
    }
  }

  @Test
  void whatWaitsIsFreedWhenTheFileIsLeftToAnotherDecoder() throws Exception {
    byte[] packed = bzip2(words(3_000_000), 1);
    reading(
        packed,
        (in, file) -> {
          while (in.decodeAhead()) {
            ahead.incrementAndGet();
          }
          in.read();
          assertThat(memory.taken).isPositive();
          in.close();
          assertThat(memory.taken).isZero();
        });
  }

  @Test
  void bytesThatCannotBePackedAreCutLikeOthers() throws Exception {
    byte[] content = new byte[3_000_000];
    random.nextBytes(content);
    assertThat(decode(bzip2(content, 9), 2)).isEqualTo(content);
  }

  @Test
  void withoutMemoryNobodyDecodesAhead() throws Exception {
    memory = new UnpackedPieces.Limited(0);
    byte[] content = words(2_000_000);
    assertThat(decode(bzip2(content, 1), 2)).isEqualTo(content);
    assertThat(ahead.get()).isZero();
  }

  @Test
  void noMoreBlocksWaitThanTheThreadsThatDecodeWouldReadSoon() throws Exception {
    reading(
        bzip2(words(3_000_000), 1),
        (in, file) -> {
          assertThat(in.wantsHelp()).isTrue();
          assertThat(in.decodeAhead()).isTrue();
          assertThat(in.decodeAhead()).isTrue();
          assertThat(in.wantsHelp()).isFalse();
          assertThat(in.decodeAhead()).isFalse();
          assertThat(in.readNBytes(250_000)).hasSize(250_000);
          assertThat(in.decodeAhead()).isTrue();
          assertThat(memory.taken).isEqualTo(2 << 20);
          in.close();
          assertThat(in.wantsHelp()).isFalse();
          assertThat(in.decodeAhead()).isFalse();
        });
    assertThat(memory.taken).isZero();
  }

  @Test
  void memoryThatLongLinesMayNeedIsLeftToThem() throws Exception {
    byte[] packed = bzip2(words(1_000_000), 1);
    memory = new UnpackedPieces.Limited((5 << 20) - 1);
    reading(
        packed,
        (in, file) -> {
          assertThat(in.wantsHelp()).isTrue();
          assertThat(in.decodeAhead()).isFalse();
          assertThat(in.wantsHelp()).as("it was refused").isFalse();
        });
    memory = new UnpackedPieces.Limited(6 << 20);
    reading(
        packed,
        (in, file) -> {
          assertThat(memory.take(1 << 20, 0)).isTrue();
          assertThat(in.decodeAhead()).isTrue();
          assertThat(in.decodeAhead()).isFalse();
          assertThat(in.wantsHelp()).isFalse();
          memory.giveBack(1 << 20);
          in.readNBytes(250_000);
          assertThat(in.wantsHelp()).as("there is room again").isTrue();
          assertThat(in.decodeAhead()).isTrue();
        });
    assertThat(memory.taken).isZero();
  }

  /** What is indented has more bytes than its block, in which a run takes five. */
  @Test
  void aBlockMayTakeMoreRoomThanOthers() throws Exception {
    byte[] content = new String(words(600_000), UTF_8).replace(" ", " ".repeat(30)).getBytes(UTF_8);
    assertThat(content.length).isBetween(3 << 20, 5 << 20);
    reading(
        bzip2(content, 9),
        (in, file) -> {
          assertThat(in.decodeAhead()).isTrue();
          assertThat(memory.taken).isGreaterThan(2 << 20);
          assertThat(in.readAllBytes()).isEqualTo(content);
        });
    memory = new UnpackedPieces.Limited(5 << 20);
    assertThat(decode(bzip2(content, 9), 2)).isEqualTo(content);
  }

  /** A decoder made for each would take a hundred times as long as decoding it. */
  @Test
  void smallBlocksAreDecodedTogether() throws Exception {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    for (int i = 0; i < 3000; i++) {
      byte[] part = words(random.nextInt(200));
      content.writeBytes(part);
      packed.writeBytes(bzip2(part, 1 + i % 9));
    }
    byte[] whole = packed.toByteArray();
    reading(
        whole,
        (in, file) -> {
          int together = 0;
          while (in.decodeAhead()) {
            in.readNBytes(1);
            together++;
          }
          assertThat(together).isBetween(1, 1 + (whole.length >>> 16));
        });
    assertThat(decode(whole, 2)).isEqualTo(content.toByteArray());
  }

  @Test
  void theFileGoesAlongWithWhatIsRead() throws Exception {
    byte[] packed = bzip2(words(2_000_000), 1);
    reading(
        packed,
        (in, file) -> {
          while (in.decodeAhead()) {
            assertThat(file.position()).isZero();
          }
          long before = 0;
          for (int some = 0; some < 10; some++) {
            in.readNBytes(180_000);
            assertThat(file.position()).isBetween(before, before + packed.length / 5);
            before = file.position();
          }
          assertThat(before).isGreaterThan(packed.length / 2);
          in.readAllBytes();
          assertThat(file.position()).isEqualTo(packed.length);
        });
  }

  @Test
  void whoReadsIsStoppedAsByAChannel() throws Exception {
    reading(
        bzip2(words(300_000), 1),
        (in, file) -> {
          Thread.currentThread().interrupt();
          assertThatThrownBy(in::readAllBytes).isInstanceOf(ClosedByInterruptException.class);
          assertThat(Thread.interrupted()).isTrue();
        });
  }

  /** For what another thread decodes; the file is in the window by then, and stays open. */
  @Test
  void whoWaitsIsStoppedAsByAChannel() throws Exception {
    byte[] packed = bzip2(words(890_000), 9);
    AtomicBoolean stopped = new AtomicBoolean();
    // The other may be done before this looks.
    for (int i = 0; i < 50 && !stopped.get(); i++) {
      reading(
          packed,
          (in, file) -> {
            try (ExecutorService other = Executors.newSingleThreadExecutor()) {
              Future<Boolean> helped = other.submit(in::decodeAhead);
              while (memory.taken == 0 && !helped.isDone()) {
                LockSupport.parkNanos(100_000);
              }
              Thread.currentThread().interrupt();
              try {
                in.read();
              } catch (ClosedByInterruptException e) {
                stopped.set(true);
              } finally {
                assertThat(Thread.interrupted()).isTrue();
              }
              assertThat(helped.get()).isTrue();
              assertThat(in.readAllBytes()).hasSizeGreaterThan(889_000);
            }
          });
    }
    assertThat(stopped).isTrue();
  }

  @Test
  void anErrorOfWhoHelpsComesToWhoReadsAsFar() throws Exception {
    AheadMemory broken =
        new AheadMemory() {
          private int asked;

          @Override
          public boolean take(long bytes, long left) {
            if (++asked == 2) {
              throw new OutOfMemoryError("for a test");
            }
            return true;
          }

          @Override
          public void giveBack(long bytes) {}
        };
    Files.write(path, bzip2(new byte[3 << 20], 9));
    try (FileChannel channel = FileChannel.open(path);
        Bzip2Input in = new Bzip2Input(InputBytes.of(channel), broken, EXPANSION)) {
      assertThatThrownBy(in::decodeAhead).isInstanceOf(OutOfMemoryError.class);
      assertThatThrownBy(in::read).hasMessage("bzip2: could not be decoded");
      assertThat(in.wantsHelp()).as("nothing behind it is wanted").isFalse();
    }
  }

  /** As where the system fails; it must not look like the end. */
  @Test
  void whatFailsWhileBlocksAreCutComesToWhoReadsAsFar() throws Exception {
    byte[] content = words(3_000_000);
    Files.write(path, bzip2(content, 1));
    FileChannel channel = FileChannel.open(path);
    try (Bzip2Input in = new Bzip2Input(InputBytes.of(channel), memory, EXPANSION)) {
      assertThat(in.decodeAhead()).isTrue();
      channel.close();
      while (in.decodeAhead()) {
        ahead.incrementAndGet();
      }
      ByteArrayOutputStream read = new ByteArrayOutputStream();
      assertThatThrownBy(() -> in.transferTo(read)).isInstanceOf(InputBytes.ReadFailure.class);
      assertThat(content).startsWith(read.toByteArray());
      assertThat(read.size()).isGreaterThan(90_000);
    }
    assertThat(memory.taken).isZero();
  }
}
