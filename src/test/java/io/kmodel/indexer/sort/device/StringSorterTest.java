package io.kmodel.indexer.sort.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.experiment.DeviceUse;
import io.kmodel.indexer.gpu.GpuDevice;
import io.kmodel.indexer.gpu.GpuStream;
import io.kmodel.indexer.gpu.StubDriver;
import io.kmodel.indexer.gpu.StubDriverExtension;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Both sorts of strings against a stable sort of Java, by the driver on the CPU. */
@Tag("alone")
@ExtendWith(StubDriverExtension.class)
@ResourceLock(StubDriver.LOCK)
class StringSorterTest {
  private static final Duration LIMIT = Duration.ofMinutes(1);
  private static final byte[] LETTERS = {'a', 'b'};
  private static final byte[] BYTES = {0, 1, 'a', 0x7F, (byte) 0x80, (byte) 0xFF};

  private final StubDriver driver;
  private final Random random = new Random(1);

  StringSorterTest(StubDriver driver) {
    this.driver = driver;
  }

  /** Around the tiles of merges (1280), of ties (512) and of rounds (2048 and 4096). */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 512, 1281, 2049, 4097})
  void stringsOfAnyNumberAreSorted(int n) {
    check(texts(n, 12, BYTES, 0, 1));
    check(texts(n, 30, new byte[] {0, 0, 1}, 0, 1));
    check(texts(n, 9, LETTERS, 11, 40));
    assertThat(driver.kept()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {1300})
  void stringsThatShareMuchAreSorted(int n) {
    check(Collections.nCopies(n, new byte[0]));
    check(Collections.nCopies(n, new byte[20]));
    check(texts(n, 4, LETTERS, 10, n));
    check(texts(n, 20, new byte[] {(byte) 0xFF}, 0, 1));
    List<byte[]> long50 = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      byte[] text = new byte[5000 + i % 7];
      text[text.length - 1] = (byte) (i % 3);
      long50.add(text);
    }
    check(long50);
    assertThat(driver.kept()).isZero();
  }

  /** Strings behind prefixes that groups of them share, in random order. */
  private List<byte[]> texts(int n, int longest, byte[] alphabet, int prefix, int group) {
    List<byte[]> texts = new ArrayList<>();
    byte[] shared = new byte[0];
    for (int i = 0; i < n; i++) {
      if (i % group == 0) {
        shared = text(prefix, alphabet);
      }
      byte[] own = text(random.nextInt(longest + 1), alphabet);
      byte[] text = Arrays.copyOf(shared, prefix + own.length);
      System.arraycopy(own, 0, text, prefix, own.length);
      texts.add(text);
    }
    Collections.shuffle(texts, random);
    return texts;
  }

  private byte[] text(int length, byte[] alphabet) {
    byte[] text = new byte[length];
    for (int i = 0; i < length; i++) {
      text[i] = alphabet[random.nextInt(alphabet.length)];
    }
    return text;
  }

  private void check(List<byte[]> texts) {
    int[] expected =
        IntStream.range(0, texts.size())
            .boxed()
            .sorted(Comparator.comparing(texts::get, Arrays::compareUnsigned))
            .mapToInt(i -> i)
            .toArray();
    assertThat(sort(StringSorter.inComparisons(), texts)).isEqualTo(expected);
    assertThat(sort(StringSorter.inRounds(), texts)).isEqualTo(expected);
  }

  private int[] sort(StringSorter sorter, List<byte[]> texts) {
    int n = texts.size();
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    GpuDevice device =
        new GpuDevice(driver.probe().devices().getFirst(), StubDriver.image(), sorter.kernels());
    try (DeviceUse use = new DeviceUse(device, LIMIT)) {
      GpuStream stream = use.newStream();
      MemorySegment starts = use.allocatePinned((n + 1L) * Long.BYTES);
      for (int i = 0; i < n; i++) {
        all.writeBytes(texts.get(i));
        starts.setAtIndex(ValueLayout.JAVA_LONG, i + 1L, all.size());
      }
      // Bytes behind the strings must not matter.
      long room = (all.size() / Long.BYTES + 1L) * Long.BYTES;
      MemorySegment bytes = use.allocatePinned(room).fill((byte) 0xA5);
      MemorySegment.copy(all.toByteArray(), 0, bytes, ValueLayout.JAVA_BYTE, 0, all.size());
      MemorySegment order = use.allocatePinned((n + 1L) * Integer.BYTES);
      order.setAtIndex(ValueLayout.JAVA_INT, n, 42);
      DeviceStrings strings =
          new DeviceStrings(
              use.allocate(room).address(), use.allocate(starts.byteSize()).address(), n);
      long sorted = use.allocate(order.byteSize()).address();
      long scratch = use.allocate(Math.max(1, sorter.scratchBytes(n))).address();
      stream.upload(use.pinned(), bytes, strings.bytes(), room);
      stream.upload(use.pinned(), starts, strings.starts(), starts.byteSize());
      stream.upload(use.pinned(), order, sorted, order.byteSize());
      MemorySegment staging = use.allocatePinned(Long.BYTES);
      DeviceLane lane = new DeviceLane(stream, use.pinned(), staging, () -> use.await(stream));
      sorter.sort(lane, strings, sorted, scratch);
      stream.download(use.pinned(), sorted, order, order.byteSize());
      use.await(stream);
      assertThat(order.getAtIndex(ValueLayout.JAVA_INT, n)).as("behind the order").isEqualTo(42);
      return order.asSlice(0, (long) n * Integer.BYTES).toArray(ValueLayout.JAVA_INT);
    }
  }
}
