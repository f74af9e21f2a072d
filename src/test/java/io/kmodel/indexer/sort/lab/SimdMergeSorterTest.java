package io.kmodel.indexer.sort.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.sun.management.ThreadMXBean;
import io.kmodel.indexer.QuickEvery;
import io.kmodel.indexer.sort.KeySorter;
import io.kmodel.indexer.sort.KeySorterContract;
import io.kmodel.indexer.sort.RadixKeySorter;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("alone")
public class SimdMergeSorterTest extends KeySorterContract {
  private static final String MODULE = "jdk.incubator.vector";

  @Override
  public KeySorter sorter() {
    return new SimdMergeSorter();
  }

  @ParameterizedTest
  @QuickEvery(2)
  @ValueSource(ints = {2, 3, 7})
  void severalThreadsSortAsOneDoes(int threads) {
    for (Distribution distribution : Distribution.values()) {
      checkAllSizes(new SimdMergeSorter(threads), distribution);
    }
  }

  @Test
  void moreThreadsThanBlocksSortAsOneDoes() {
    long[] keys = Distribution.UNIFORM.keys(BlockSorter.BLOCK + 1);
    long[] expected = keys.clone();
    Arrays.sort(expected);
    assertThat(sorted(new SimdMergeSorter(40_000), keys, 0, 62)).isEqualTo(expected);
  }

  @Property(tries = 60)
  void anyNumberOfKeysOfAnyWidthIsSorted(
      @ForAll @IntRange(max = 200_000) int n,
      @ForAll @IntRange(min = 1, max = 62) int bits,
      @ForAll @IntRange(min = 1, max = 3) int threads,
      @ForAll long seed) {
    long[] keys = new SplittableRandom(seed).longs(n, 0, 1L << bits).toArray();
    long[] expected = keys.clone();
    Arrays.sort(expected);
    assertThat(sorted(new SimdMergeSorter(threads), keys, 0, bits)).isEqualTo(expected);
  }

  @Test
  void differentKeysEndAsAStableSorterOfTheirHighBitsLeavesThem() {
    long[] terms = new SplittableRandom(SEED).longs(100_000, 0, 1000).toArray();
    long[] keys = new long[terms.length];
    Arrays.setAll(keys, i -> terms[i] << 40 | i);
    assertThat(sorted(sorter(), keys, 40, 62))
        .isEqualTo(sorted(new RadixKeySorter(), keys, 40, 62));
  }

  @Test
  void noThreadsAreRefused() {
    assertThatThrownBy(() -> new SimdMergeSorter(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("threads must be at least 1; got 0");
  }

  @ParameterizedTest
  @QuickEvery(2)
  @ValueSource(ints = {128, 256, 512})
  void vectorsOfEveryWidthSort(int bits) throws IOException, InterruptedException {
    assumeThat(bits).as("vectors of this machine").isLessThanOrEqualTo(64 * BitonicMerge.LANES);
    String output = java("--add-modules", MODULE, "-XX:MaxVectorSize=" + bits / 8, "-Xmx512m");
    assertThat(output).contains("vectors of " + bits + " bits", "lanes " + bits / 64, "all sorted");
  }

  @Test
  void vectorsDoNotBecomeObjectsOnceTheCompilerHasSeenThem() {
    assumeThat(BitonicMerge.LANES).as("keys of a vector").isGreaterThanOrEqualTo(4);
    int n = 1 << 17;
    long most = 2L << 20; // the sorter has 1.75 MiB
    long[] values = Distribution.UNIFORM.keys(n);
    ThreadMXBean threads = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
    long allocated = Long.MAX_VALUE;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment keys = arena.allocate(8L * n, 8);
      MemorySegment scratch = arena.allocate(8L * n, 8);
      while (allocated > most && System.nanoTime() < deadline) {
        MemorySegment.copy(values, 0, keys, ValueLayout.JAVA_LONG, 0, n);
        long before = threads.getCurrentThreadAllocatedBytes();
        sorter().sort(keys, n, scratch, 0, 62);
        allocated = threads.getCurrentThreadAllocatedBytes() - before;
      }
    }
    assertThat(allocated).as("bytes allocated by a sort").isLessThanOrEqualTo(most);
  }

  @Test
  void withoutTheModuleOfVectorsTheReasonIsTold() throws IOException, InterruptedException {
    assertThat(java())
        .contains(
            "Java was started without --add-modules jdk.incubator.vector, which has the vectors",
            "refused: Java was started without");
  }

  private static String java(String... options) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                ProcessHandle.current().info().command().orElse("java"),
                "--enable-native-access=ALL-UNNAMED",
                "-ea"));
    command.addAll(List.of(options));
    command.addAll(
        List.of("-cp", System.getProperty("java.class.path"), VectorWidthCheck.class.getName()));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }
}
