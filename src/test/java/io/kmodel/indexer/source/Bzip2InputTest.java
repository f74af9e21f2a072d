package io.kmodel.indexer.source;

import static io.kmodel.indexer.source.Bzip2Stream.BLOCK;
import static io.kmodel.indexer.source.Bzip2Stream.get;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files of bzip2, decoded by several threads. */
@Timeout(120)
class Bzip2InputTest {
  /** Of a stream and its first block; the block's checksum follows. */
  private static final int HEADER_AND_MAGIC_BYTES = 10;

  private static final int EXPANSION = 1000;

  private final Random random = new Random(5);
  private final AtomicInteger ahead = new AtomicInteger();
  private UnpackedPieces.Limited memory = new UnpackedPieces.Limited(1L << 40);
  private Path path;

  /** What a test reads by itself. */
  private interface Reading {
    void read(Bzip2Input in, InputBytes file) throws Exception;
  }

  @BeforeEach
  void place(@TempDir Path root) {
    path = root.resolve("a.bz2");
  }

  @Test
  void blocksOfAnySizeAreTheWholeFile() throws Exception {
    for (int level = 1; level <= 9; level++) {
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
    for (int i = 0; i < 30; i++) {
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
    byte[] content = Warcs.concat(words(500_000), new byte[20 << 20], words(500_000));
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

  /** A decoder of blocks that go together does not tell where in the file one of them ends. */
  @Test
  void aFileThatUnpacksToTooMuchDoesSoForManyThreadsToo() throws Exception {
    byte[] noise = new byte[466_000];
    random.nextBytes(noise);
    byte[] packed =
        Warcs.concat(
            bzip2(new byte[40 << 20], 9),
            bzip2(Arrays.copyOf(noise, 66_000), 9),
            bzip2(new byte[30 << 20], 9),
            bzip2(Arrays.copyOfRange(noise, 66_000, noise.length), 9));
    Files.write(path, packed);
    long alone = unpacked(packed, false, 70 << 20);
    assertThat(alone).as("stopped").isGreaterThanOrEqualTo(64L << 20);
    assertThat(unpacked(packed, true, 70 << 20)).isEqualTo(alone);
  }

  /** How much is unpacked before a failure. */
  private long unpacked(byte[] packed, boolean shared, long most) throws IOException {
    FileUnpacker.Source source =
        new FileUnpacker.Source(
            path, packed.length, Compression.BZIP2, DecoderGuard.NOTHING, EXPANSION, false);
    try (FileUnpacker unpacker = new FileUnpacker(source, memory, shared)) {
      UnpackedChunk chunk = unpacker.newChunk(true);
      assertThat(chunk).isNotNull();
      long end = 0;
      while (!unpacker.hasEnded() && unpacker.failure() == null) {
        chunk.start(end);
        unpacker.fill(chunk);
        end = chunk.end();
        assertThat(end).isLessThan(most);
      }
      assertThat(unpacker.failure()).isInstanceOf(RecordInput.ExpansionException.class);
      return end;
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
  void whatUnpacksToVeryMuchIsLeftToAnotherDecoder() throws Exception {
    byte[] some = bzip2(new byte[23 << 20], 9);
    byte[] packed = Warcs.concat(some, some, some);
    assertThatThrownBy(() -> decode(packed, 1)).hasMessageContaining("unpack to more than");
    assertSameAsWithoutHelp(packed);
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

  /** As chance would have it once in ten terabytes; selectors that no group of symbols uses. */
  @Test
  void aWholeFileInWhichSomethingLooksLikeABlocksStartIsWhatItIs() throws Exception {
    byte[] content = words(400_000);
    byte[] packed = withFalseStart(bzip2(content, 1));
    assertSameAsWithoutHelp(packed);
    FileUnpacker.Source source =
        new FileUnpacker.Source(
            path, packed.length, Compression.BZIP2, DecoderGuard.NOTHING, 1000, false);
    ByteArrayOutputStream unpacked = new ByteArrayOutputStream();
    try (FileUnpacker unpacker = new FileUnpacker(source, memory, true)) {
      UnpackedChunk chunk = unpacker.newChunk(true);
      assertThat(chunk).isNotNull();
      long before = 0;
      while (!unpacker.hasEnded()) {
        chunk.start(unpacked.size());
        unpacker.fill(chunk);
        assertThat(unpacker.failure()).isNull();
        byte[] bytes = new byte[(int) (chunk.end() - unpacked.size())];
        chunk.copy(unpacked.size(), bytes, 0, bytes.length);
        unpacked.writeBytes(bytes);
        assertThat(chunk.filePosition()).as("it goes along").isGreaterThan(before);
        before = chunk.filePosition();
      }
      assertThat(before).isEqualTo(packed.length);
    }
    assertThat(unpacked.toByteArray()).isEqualTo(content);
    assertThat(memory.taken).isZero();
  }

  /** Else it would be given again, from the file's start, and need not be the same. */
  @Test
  void nothingIsHandedOutOfABlockThatIsNotWhole() throws Exception {
    memory = new UnpackedPieces.Limited(0);
    byte[] packed = bzip2(words(300_000), 1);
    packed[HEADER_AND_MAGIC_BYTES] ^= 1;
    reading(
        packed,
        (in, file) -> assertThatThrownBy(() -> in.read(new byte[10])).hasMessageContaining("CRC"));
  }

  /** Within a block that is not whole any more. */
  @Test
  void whatOnlyLooksLikeABlocksStartIsLeftToAnotherDecoder() throws Exception {
    byte[] content = words(400_000);
    byte[] packed = bzip2(content, 1);
    int second = indexOfBlock(packed, 100);
    for (int shift = 0; shift < 8; shift++) {
      byte[] damaged = packed.clone();
      put(damaged, (second / 2) * 8L + shift, BLOCK, 48);
      Files.write(path, damaged);
      assertThatThrownBy(() -> decode(damaged, 2)).isInstanceOf(IOException.class);
      assertSameAsWithoutHelp(damaged);
    }
  }

  /** With what comes before it, and what is wrong. */
  @Test
  void damageIsWhatItIsForOneThread() throws Exception {
    byte[] packed =
        Warcs.concat(bzip2(words(350_000), 1), bzip2(words(10_000), 3), bzip2(words(150_000), 1));
    for (int i = 0; i < 60; i++) {
      byte[] damaged = packed.clone();
      int at = random.nextInt(packed.length);
      switch (i % 4) {
        case 0 -> damaged[at] ^= (byte) (1 << random.nextInt(8));
        case 1 -> damaged = Arrays.copyOf(packed, at);
        case 2 -> damaged = Warcs.concat(packed, Arrays.copyOf(damaged, random.nextInt(20)));
        default -> Arrays.fill(damaged, at, Math.min(at + 20, packed.length), (byte) 0);
      }
      if (damaged.length > 10) {
        assertSameAsWithoutHelp(damaged);
      }
    }
    byte[] wrongEnd = packed.clone();
    wrongEnd[packed.length - 2] ^= 1;
    assertSameAsWithoutHelp(wrongEnd);
    assertThatThrownBy(() -> decode(wrongEnd, 1)).isInstanceOf(IOException.class);
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
                Thread.onSpinWait();
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

  private void reading(byte[] packed, Reading test) throws Exception {
    Files.write(path, packed);
    try (FileChannel channel = FileChannel.open(path)) {
      InputBytes file = InputBytes.of(channel);
      try (Bzip2Input in = new Bzip2Input(file, memory, EXPANSION)) {
        test.read(in, file);
      }
    }
  }

  private void assertSameAsWithoutHelp(byte[] file) throws Exception {
    Files.write(path, file);
    ByteArrayOutputStream expected = new ByteArrayOutputStream();
    ByteArrayOutputStream actual = new ByteArrayOutputStream();
    String failure;
    try (FileChannel channel = FileChannel.open(path);
        InputStream in = Compression.BZIP2.open(InputBytes.of(channel), DecoderGuard.NOTHING)) {
      failure = readAll(in, expected);
    } catch (IOException e) {
      // Within the first block, which is read where the decoder is made.
      failure = String.valueOf(e.getMessage());
    }
    try (FileChannel channel = FileChannel.open(path)) {
      InputBytes raw = InputBytes.of(channel);
      Bzip2Input blocks = new Bzip2Input(raw, memory, EXPANSION);
      InputStream in =
          new DecodedInput(
              blocks, () -> Compression.BZIP2.decoder(raw.fork(0), DecoderGuard.NOTHING));
      try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
        AtomicBoolean done = new AtomicBoolean();
        List<Future<?>> helpers = helping(blocks, threads, 2, done);
        assertThat(readAll(in, actual)).isEqualTo(failure);
        in.close();
        done.set(true);
        for (Future<?> helper : helpers) {
          helper.get();
        }
      }
    }
    assertThat(actual.toByteArray()).isEqualTo(expected.toByteArray());
    assertThat(memory.taken).isZero();
  }

  private static String readAll(InputStream in, OutputStream to) throws IOException {
    byte[] buffer = new byte[5000];
    while (true) {
      int n;
      try {
        n = in.read(buffer);
      } catch (IOException e) {
        return String.valueOf(e.getMessage());
      }
      if (n < 0) {
        return "";
      }
      to.write(buffer, 0, n);
    }
  }

  private List<Future<?>> helping(
      Bzip2Input in, ExecutorService threads, int helpers, AtomicBoolean done) {
    List<Future<?>> all = new ArrayList<>();
    for (int i = 0; i < helpers; i++) {
      all.add(
          threads.submit(
              () -> {
                while (!done.get()) {
                  if (in.decodeAhead()) {
                    ahead.incrementAndGet();
                  } else {
                    Thread.onSpinWait();
                  }
                }
                return null;
              }));
    }
    return all;
  }

  /** Reads a file while so many threads help. */
  private byte[] decode(byte[] packed, int helpers) throws Exception {
    Files.write(path, packed);
    AtomicBoolean done = new AtomicBoolean();
    try (FileChannel channel = FileChannel.open(path);
        ExecutorService threads = Executors.newFixedThreadPool(helpers)) {
      Bzip2Input in = new Bzip2Input(InputBytes.of(channel), memory, EXPANSION);
      List<Future<?>> all = helping(in, threads, helpers, done);
      try {
        return in.readAllBytes();
      } finally {
        done.set(true);
        for (Future<?> one : all) {
          one.get();
        }
        in.close();
      }
    }
  }

  private byte[] words(int bytes) {
    StringBuilder words = new StringBuilder();
    while (words.length() < bytes) {
      words.append(Integer.toString(random.nextInt(50_000), 36)).append(' ');
    }
    return words.substring(0, bytes).getBytes(UTF_8);
  }

  private static byte[] bzip2(byte[] content, int level) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream out = new BZip2CompressorOutputStream(packed, level)) {
      out.write(content);
    }
    return packed.toByteArray();
  }

  /**
   * The same file with more selectors in its first block than it has groups of symbols: those
   * behind the last are of no use, and have the bits of a block's start here.
   */
  private static byte[] withFalseStart(byte[] packed) {
    // Behind header, magic, checksum, a flag and the place of the first byte: which bytes there
    // are.
    long at = (HEADER_AND_MAGIC_BYTES + 4) * 8L + 1 + 24;
    at += 16 + 16 * Long.bitCount(get(packed, at, 16)) + 3;
    long counted = at;
    int selectors = (int) get(packed, at, 15);
    at += 15;
    for (int i = 0; i < selectors; i++) {
      while (get(packed, at, 1) == 1) {
        at++;
      }
      at++;
    }
    // Each selector ends with a zero bit.
    int more = 48 - Long.bitCount(BLOCK) + 1;
    byte[] altered = new byte[packed.length + 7];
    for (long bit = 0; bit < packed.length * 8L; bit++) {
      put(altered, bit < at ? bit : bit + 49, get(packed, bit, 1), 1);
    }
    put(altered, counted, selectors + more, 15);
    put(altered, at, BLOCK, 48);
    // The end is where it was but for 49 bits, and filled up with zeros.
    long end = packed.length * 8L - 80;
    while (get(packed, end, 48) != Bzip2Stream.END) {
      end--;
    }
    return Arrays.copyOf(altered, (int) ((end + 80 + 49 + 7) >>> 3));
  }

  /** The byte in which a block starts, that or a later one. */
  private static int indexOfBlock(byte[] packed, int from) {
    for (long bit = from * 8L; bit < packed.length * 8L - 48; bit++) {
      if (get(packed, bit, 48) == BLOCK) {
        return (int) (bit >>> 3);
      }
    }
    throw new AssertionError("no second block");
  }

  private static void put(byte[] bytes, long bit, long value, int count) {
    for (int i = 0; i < count; i++) {
      int at = (int) ((bit + i) >>> 3);
      int mask = 0x80 >>> ((bit + i) & 7);
      boolean set = (value >>> (count - 1 - i) & 1) != 0;
      bytes[at] = (byte) (set ? bytes[at] | mask : bytes[at] & ~mask);
    }
  }
}
