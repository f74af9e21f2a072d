package io.kmodel.indexer.source.unpack;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.Tier;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Members that are unpacked at once give what those give that Java's inflater reads by pieces,
 * whatever is in them.
 */
class GzipMembersTest {
  private static final long ALWAYS = 0;

  /** Around what a member may unpack to in one call, and what it may have packed. */
  private static final int[] LENGTHS = {
    0,
    1,
    2,
    100,
    65_535,
    65_536,
    (1 << 17) - 40,
    1 << 17,
    (1 << 17) + 1,
    200_000,
    1 << 18,
    (1 << 20) - 1,
    1 << 20,
    (1 << 20) + 1,
    3 << 20
  };

  @TempDir Path directory;
  private Path file;

  /** What came of reading a file. */
  private record Reading(String content, List<Long> starts, String failure) {}

  @BeforeEach
  void nameFile() {
    try (Libdeflate library = Libdeflate.open()) {
      assertThat(library).isNotNull();
    }
    file = directory.resolve("a.gz");
  }

  @Test
  void theSecondMemberIsUnpackedAtOnce() throws IOException {
    byte[] member = gzip(bytes(new Random(1), 100_000, 30), 6);
    try (OutputStream out = Files.newOutputStream(file)) {
      out.write(member);
      out.write(member);
    }
    for (int offset : new int[] {0, member.length}) {
      try (FileChannel channel = FileChannel.open(file)) {
        InputBytes bytes = InputBytes.of(channel);
        try (GzipInput in = new GzipInput(bytes, "file", ALWAYS)) {
          in.restart(offset);
          assertThat(in.read()).isNotNegative();
          boolean all = bytes.position() == offset + member.length - 2 * Integer.BYTES;
          assertThat(all).isEqualTo(offset > 0);
          in.skipNBytes(99_999);
          in.restart(0);
          assertThat(in.readAllBytes()).hasSize(200_000);
        }
      }
    }
  }

  /** Of a member that only libdeflate takes, whoever reads it says the same. */
  @Test
  void whereReadingBeginsMakesNoDifference() throws IOException {
    byte[] made = ofCodesThatAreNone();
    byte[] other = gzip(bytes(new Random(2), 1000, 30), 6);
    try (OutputStream out = Files.newOutputStream(file)) {
      for (int i = 0; i < 40; i++) {
        out.write(other);
        out.write(made);
      }
    }
    byte[] expected = new byte[259];
    Arrays.fill(expected, (byte) 'a');
    for (int member = 0; member < 40; member++) {
      try (FileChannel channel = FileChannel.open(file);
          GzipInput in = new GzipInput(InputBytes.of(channel), "file", ALWAYS)) {
        in.restart((long) member * (other.length + made.length) + other.length);
        byte[] to = new byte[1000];
        assertThat(in.read(to, 0, to.length)).isEqualTo(expected.length);
        assertThat(Arrays.copyOf(to, expected.length)).isEqualTo(expected);
      }
    }
    assertThat(read(ALWAYS, 1000).failure).isEmpty();
    assertThat(read(GzipInput.NEVER_AT_ONCE, 1000).failure).contains("invalid");
  }

  /** The letter a, and that 258 times by a code for lengths that there is not. */
  private static byte[] ofCodesThatAreNone() {
    // A last block of fixed codes: a, the length code 286, the distance code 0, and the end.
    String bits = "1" + "10" + "10010001" + "11000110" + "00000" + "0000000";
    byte[] data = new byte[(bits.length() + 7) / 8];
    for (int i = 0; i < bits.length(); i++) {
      data[i / 8] |= (byte) ((bits.charAt(i) - '0') << (i % 8));
    }
    byte[] content = new byte[259];
    Arrays.fill(content, (byte) 'a');
    CRC32 checksum = new CRC32();
    checksum.update(content);
    return ByteBuffer.allocate(10 + data.length + 8)
        .order(ByteOrder.LITTLE_ENDIAN)
        .put(new byte[] {0x1F, (byte) 0x8B, 8, 0, 0, 0, 0, 0, 0, 3})
        .put(data)
        .putInt((int) checksum.getValue())
        .putInt(content.length)
        .array();
  }

  @Test
  void membersOfAllSizesGiveTheirBytesAndPlaces() throws IOException {
    Random random = new Random(1);
    for (int level : new int[] {0, 6}) {
      ByteArrayOutputStream packed = new ByteArrayOutputStream();
      ByteArrayOutputStream content = new ByteArrayOutputStream();
      for (int letters : new int[] {1, 30, 256}) {
        for (int length : LENGTHS) {
          byte[] bytes = bytes(random, length, letters);
          packed.writeBytes(gzip(bytes, level));
          content.writeBytes(bytes);
        }
      }
      Files.write(file, packed.toByteArray());
      Reading read = read(ALWAYS, 1 << 16);
      assertThat(read.failure).isEmpty();
      assertThat(read.content).isEqualTo(content.toString(StandardCharsets.ISO_8859_1));
      assertSame(read, read(GzipInput.NEVER_AT_ONCE, 1 << 16));
      assertSame(read, read(ALWAYS, 1000));
    }
  }

  @Test
  void damageIsSeenAtTheSameByteWhoeverUnpacks() throws IOException {
    for (int seed = 0; seed < Tier.pick(40, 150); seed++) {
      Random random = new Random(seed);
      ByteArrayOutputStream packed = new ByteArrayOutputStream();
      for (int members = 2 + random.nextInt(4); members > 0; members--) {
        int length = random.nextInt(random.nextBoolean() ? 300 : 200_000);
        packed.writeBytes(gzip(bytes(random, length, 1 + random.nextInt(256)), random.nextInt(10)));
      }
      byte[] bytes = packed.toByteArray();
      int kept = random.nextInt(3) == 0 ? random.nextInt(bytes.length) : bytes.length;
      for (int changes = random.nextInt(3); changes > 0; changes--) {
        bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
      }
      try (OutputStream out = Files.newOutputStream(file)) {
        out.write(bytes, 0, kept);
      }
      int most = 1 + random.nextInt(random.nextBoolean() ? 10 : 1 << 16);
      assertSame(read(ALWAYS, most), read(GzipInput.NEVER_AT_ONCE, most));
    }
  }

  /** Also into codes that are none, which libdeflate takes. */
  @Test
  void aMemberWithAnyOfItsBitsChangedIsReadAlike() throws IOException {
    byte[] first = gzip(new byte[] {'a'}, 6);
    byte[] second = gzip("The grey heron waits.".getBytes(StandardCharsets.US_ASCII), 6);
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    packed.writeBytes(first);
    packed.writeBytes(second);
    for (int bit : Tier.bits(first.length, packed.size()).toArray()) {
      byte[] bytes = packed.toByteArray();
      bytes[bit / 8] ^= (byte) (1 << (bit % 8));
      Files.write(file, bytes);
      assertSame(read(ALWAYS, 100), read(GzipInput.NEVER_AT_ONCE, 100));
    }
  }

  private static void assertSame(Reading actual, Reading expected) {
    assertThat(actual.failure).isEqualTo(expected.failure);
    assertThat(actual.starts).isEqualTo(expected.starts);
    assertThat(actual.content).isEqualTo(expected.content);
  }

  private Reading read(long atOnceBytes, int most) throws IOException {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    List<Long> starts = new ArrayList<>();
    String failure = "";
    try (FileChannel channel = FileChannel.open(file);
        GzipInput in = new GzipInput(InputBytes.of(channel), "file", atOnceBytes)) {
      byte[] to = new byte[most];
      try {
        for (int n = in.read(to, 0, most); n >= 0; n = in.read(to, 0, most)) {
          content.write(to, 0, n);
          if (starts.isEmpty() || starts.getLast() != in.memberPosition()) {
            starts.add(in.memberPosition());
          }
        }
      } catch (IOException e) {
        failure = e.getMessage() + ", of the member at " + in.memberPosition();
      }
    }
    return new Reading(content.toString(StandardCharsets.ISO_8859_1), starts, failure);
  }

  private static byte[] bytes(Random random, int length, int letters) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) random.nextInt(letters);
    }
    return bytes;
  }

  private static byte[] gzip(byte[] bytes, int level) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new Leveled(packed, level)) {
      out.write(bytes);
    }
    return packed.toByteArray();
  }

  private static final class Leveled extends GZIPOutputStream {
    Leveled(OutputStream out, int level) throws IOException {
      super(out);
      def.setLevel(level);
    }
  }
}
