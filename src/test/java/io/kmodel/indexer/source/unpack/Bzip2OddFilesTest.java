package io.kmodel.indexer.source.unpack;

import static io.kmodel.indexer.source.unpack.Bzip2Stream.BLOCK;
import static io.kmodel.indexer.source.unpack.Bzip2Stream.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.Tier;
import io.kmodel.indexer.source.DecoderGuard;
import io.kmodel.indexer.source.ExpansionException;
import io.kmodel.indexer.source.warc.Warcs;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Files of bzip2 that are damaged, or otherwise than usual: what they are for one thread. */
@Timeout(120)
class Bzip2OddFilesTest extends Bzip2Files {
  /** Of a stream and its first block; the block's checksum follows. */
  private static final int HEADER_AND_MAGIC_BYTES = 10;

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
      assertThat(unpacker.failure()).isInstanceOf(ExpansionException.class);
      return end;
    }
  }

  @Test
  void whatUnpacksToVeryMuchIsLeftToAnotherDecoder() throws Exception {
    byte[] some = bzip2(new byte[23 << 20], 9);
    byte[] packed = Warcs.concat(some, some, some);
    assertThatThrownBy(() -> decode(packed, 1)).hasMessageContaining("unpack to more than");
    assertSameAsWithoutHelp(packed);
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
    for (int shift = 0; shift < 8; shift += Tier.pick(3, 1)) {
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
    for (int i = 0; i < Tier.pick(12, 60); i++) {
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
