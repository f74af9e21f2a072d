package io.kmodel.indexer.source.unpack;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.source.DecoderGuard;
import io.kmodel.indexer.source.DecoderMemoryException;
import io.kmodel.indexer.source.Members;
import io.kmodel.indexer.source.Packed;
import io.kmodel.indexer.source.warc.Warcs;
import io.kmodel.indexer.store.LittleEndian;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of frames: where these are, and what is read before damage and after it. */
class ZstdInputTest {
  private static final byte[] SKIPPABLE = {0x50, 0x2A, 0x4D, 0x18, 4, 0, 0, 0, 1, 2, 3, 4};

  @TempDir Path root;

  @Test
  void aReadEndsWithItsFrameAndKnowsWhereItStarts() throws IOException {
    byte[] one = frame("one ");
    byte[] empty = frame("");
    byte[] two = frame("two");
    byte[] file = Warcs.concat(SKIPPABLE, one, empty, SKIPPABLE, two, frame("three"), SKIPPABLE);
    byte[] to = new byte[100];
    try (FileChannel channel = write(file);
        ZstdInput in = open(channel)) {
      assertThat(in.read(to, 0, 100)).isEqualTo(4);
      assertThat(in.memberAt(0)).isEqualTo(SKIPPABLE.length);
      assertThat(in.memberAt(1)).isEqualTo(-1);
      assertThat(in.nextStart(0)).isEqualTo(Long.MAX_VALUE);
      assertThat(in.inMember()).isTrue();
      assertThat(in.read(to, 0, 2)).isEqualTo(2);
      assertThat(in.memberOutput()).isEqualTo(2);
      assertThat(in.nextStart(0)).isEqualTo(4);
      // The empty frame between them starts nothing.
      int start = 2 * SKIPPABLE.length + one.length + empty.length;
      assertThat(in.memberAt(4)).isEqualTo(start);
      assertThat(in.memberOf(5)).isEqualTo(start);
      assertThat(in.offsetInMember(5)).isEqualTo(1);
      assertThat(in.read(to, 0, 100)).isEqualTo(1);
      assertThat(in.read(to, 0, 100)).isEqualTo(5);
      assertThat(in.nextStart(4)).isEqualTo(7);
      assertThat(in.memberAt(7)).isEqualTo(start + two.length);
      assertThat(in.read(to, 0, 100)).isEqualTo(-1);
      assertThat(in.inMember()).isFalse();
      assertThat(in.firstMember()).isEqualTo(SKIPPABLE.length);
      in.restart(start);
      assertThat(in.inMember()).isFalse();
      assertThat(in.read(to, 0, 2)).isEqualTo(2);
      assertThat(in.inMember()).isTrue();
      in.restart(start);
      assertThat(in.inMember()).as("where it goes on nothing is open").isFalse();
      assertThat(in.read(to, 0, 100)).isEqualTo(3);
      assertThat(new String(to, 0, 3, US_ASCII)).isEqualTo("two");
      assertThat(in.memberAt(14)).isEqualTo(start);
      assertThat(in.output()).isEqualTo(17);
    }
  }

  /** A decoder gives nothing of the call that fails, so it sees a block in a call at most. */
  @Test
  void whatComesBeforeDamageIsReadWhateverTheSizeOfReads() throws IOException {
    Random random = new Random(3);
    byte[] large = new byte[400_000];
    random.nextBytes(large);
    for (int i = 0; i < large.length; i++) {
      large[i] &= 0x3F;
    }
    byte[] before = Packed.zstd(Arrays.copyOf(large, 1000), null);
    byte[] frame = Packed.zstd(large, null);
    byte[] after = frame("after it");
    byte[] checksum = frame.clone();
    checksum[frame.length - 1] ^= 1;
    byte[] data = frame.clone();
    Arrays.fill(data, frame.length - 20, frame.length - 8, (byte) 0xFF);
    List<byte[]> damaged =
        List.of(checksum, data, Arrays.copyOf(frame, frame.length - 20), "none".getBytes(US_ASCII));
    for (byte[] bad : damaged) {
      int expected = -1;
      for (int size : new int[] {1 << 16, 1, 7, 1000, 100_000}) {
        try (FileChannel channel = write(Warcs.concat(before, bad, after));
            ZstdInput in = open(channel)) {
          int read = bytesBeforeDamage(in, size);
          expected = expected < 0 ? read : expected;
          assertThat(read).as("by %d", size).isEqualTo(expected).isGreaterThanOrEqualTo(1000);
          assertThat(in.memberPosition()).isEqualTo(before.length);
          assertThat(in.output()).isEqualTo(read);
          in.restart(before.length + bad.length);
          assertThat(in.readAllBytes()).isEqualTo("after it".getBytes(US_ASCII));
          assertThat(in.memberAt(read)).isEqualTo(before.length + bad.length);
        }
      }
      assertThat(expected).isEqualTo(bad == checksum ? 401_000 : expected);
    }
  }

  private static int bytesBeforeDamage(ZstdInput in, int size) {
    byte[] to = new byte[size];
    int[] read = new int[1];
    assertThatThrownBy(
            () -> {
              for (int n = in.read(to, 0, size); n >= 0; n = in.read(to, 0, size)) {
                read[0] += n;
              }
            })
        .isInstanceOf(IOException.class);
    return read[0];
  }

  /** Frames of all sizes, with and without what they refer to; also read again from each. */
  @Test
  void everyFrameCanBeReadFromItsStart() throws IOException {
    Random random = new Random(11);
    for (Members members : List.of(Members.ZSTD, Members.ZSTD_WITH_DICTIONARY)) {
      ByteArrayOutputStream file = new ByteArrayOutputStream();
      file.writeBytes(members.start());
      List<Integer> starts = new ArrayList<>();
      List<byte[]> contents = new ArrayList<>();
      for (int i = 0; i < 60; i++) {
        byte[] content = new byte[random.nextInt(1 << random.nextInt(1, 19))];
        for (int at = 0; at < content.length; at++) {
          content[at] = (byte) random.nextInt(7);
        }
        starts.add(file.size());
        contents.add(content);
        file.writeBytes(members.pack(content));
        if (random.nextInt(4) == 0) {
          file.writeBytes(SKIPPABLE);
        }
      }
      byte[] all = Warcs.concat(contents.toArray(byte[][]::new));
      CountedDecoders guard = new CountedDecoders(0, Long.MAX_VALUE);
      try (FileChannel channel = write(file.toByteArray());
          ZstdInput in = new ZstdInput(InputBytes.of(channel), guard)) {
        assertThat(in.readAllBytes()).isEqualTo(all);
        for (int i = 0; i < starts.size(); i++) {
          in.restart(starts.get(i));
          byte[] content = contents.get(i);
          assertThat(in.readNBytes(content.length)).isEqualTo(content);
        }
      }
      guard.assertAllGivenBack();
    }
  }

  @Test
  void aFrameForWhichThereIsNoMemoryIsPassedOver() throws IOException {
    byte[] one = frame("one");
    byte[] large = frame("large");
    assertThat(large[4] & 0x20).as("a single segment").isNotZero();
    // Of eight bytes, which say that the content has 8 GiB.
    byte[] sized = new byte[large.length + 7];
    System.arraycopy(large, 0, sized, 0, 4);
    sized[4] = (byte) (large[4] | 0xC0);
    LittleEndian.putLong(sized, 5, 8L << 30);
    System.arraycopy(large, 6, sized, 13, large.length - 6);
    CountedDecoders guard = new CountedDecoders(0, 1 << 20);
    try (FileChannel channel = write(Warcs.concat(one, sized, frame("two")));
        ZstdInput in = new ZstdInput(InputBytes.of(channel), guard)) {
      assertThat(in.readNBytes(3)).isEqualTo("one".getBytes(US_ASCII));
      assertThatThrownBy(() -> in.read(new byte[9], 0, 9))
          .isInstanceOf(DecoderMemoryException.class);
      assertThat(in.memberPosition()).isEqualTo(one.length);
      in.restart(one.length + sized.length);
      assertThat(in.readAllBytes()).isEqualTo("two".getBytes(US_ASCII));
    }
    guard.assertAllGivenBack();
  }

  private static byte[] frame(String content) throws IOException {
    return Packed.zstd(content.getBytes(US_ASCII), null);
  }

  private FileChannel write(byte[] file) throws IOException {
    return FileChannel.open(Files.write(root.resolve("a.zst"), file));
  }

  private static ZstdInput open(FileChannel channel) throws IOException {
    return new ZstdInput(InputBytes.of(channel), DecoderGuard.ALONE);
  }
}
