package io.kmodel.indexer.indexing;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import com.google.common.util.concurrent.Uninterruptibles;
import io.kmodel.indexer.QuickEvery;
import io.kmodel.indexer.equality.IndexEquality;
import io.kmodel.indexer.equality.SampleDocuments;
import io.kmodel.indexer.export.lucene.IndexCheck;
import io.kmodel.indexer.gpu.StubDriver;
import io.kmodel.indexer.gpu.StubDriverExtension;
import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.options.IndexedText;
import io.kmodel.indexer.indexing.options.MemoryPlan;
import io.kmodel.indexer.indexing.options.Pipeline;
import io.kmodel.indexer.indexing.options.Store;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.indexing.report.BuildReport;
import io.kmodel.indexer.parse.html.HtmlMode;
import io.kmodel.indexer.sort.CpuSortStage;
import io.kmodel.indexer.sort.DeviceChoice;
import io.kmodel.indexer.sort.GpuSortStage;
import io.kmodel.indexer.sort.KernelShape;
import io.kmodel.indexer.sort.KeySorter;
import io.kmodel.indexer.sort.RadixKeySorter;
import io.kmodel.indexer.sort.SortReport;
import io.kmodel.indexer.sort.SortStage;
import io.kmodel.indexer.sort.SortStages;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Builds whose runs are sorted by a device: the same bytes as with the CPU, whatever it does. */
@ExtendWith(StubDriverExtension.class)
@ResourceLock(StubDriver.LOCK)
@Timeout(300)
class GpuBuildTest {
  private static final int DOCUMENTS = 400;
  private static final long SMALL_RUNS = 1 << 20;
  private static final MemoryPlan TINY = new MemoryPlan(1 << 30, 256 << 10, 64 << 20, 256 << 20);

  /** Sorts once, and once more when a device is there. */
  private static final class SecondWaits implements KeySorter {
    final CountDownLatch second = new CountDownLatch(1);
    final CompletableFuture<Thread> opener = new CompletableFuture<>();
    private final AtomicInteger sorts = new AtomicInteger();
    private final KeySorter sorter = new RadixKeySorter();

    @Override
    public void sort(
        MemorySegment keys, long count, MemorySegment scratch, int lowBit, int highBit) {
      if (sorts.incrementAndGet() >= 2) {
        second.countDown();
        // Its devices are known to the build when it has ended, and not before.
        Uninterruptibles.joinUninterruptibly(opener.join());
      }
      sorter.sort(keys, count, scratch, lowBit, highBit);
    }

    @Override
    public boolean isStable() {
      return sorter.isStable();
    }
  }

  @TempDir Path directory;
  private Path crawl = Path.of("");

  private final StubDriver driver;

  GpuBuildTest(StubDriver driver) {
    this.driver = driver;
  }

  @BeforeEach
  void prepare() throws Exception {
    driver.reset(2, 64 << 20);
    crawl = Files.createDirectory(directory.resolve("crawl"));
    Crawls.write(crawl, SampleDocuments.random(5, DOCUMENTS, 120));
  }

  @ParameterizedTest
  @QuickEvery(3)
  @CsvSource({"SERIAL, 1", "SERIAL, 3", "OVERLAPPED, 1", "OVERLAPPED, 3"})
  void theIndexIsTheSameAsFromTheCpu(Pipeline pipeline, int threads) throws Exception {
    BuildReport cpu = onCpu();
    BuildReport gpu = onGpu("gpu", pipeline, threads);
    assertThat(files(gpu)).isEqualTo(files(cpu));
    SortReport sorting = gpu.sorting().stage();
    assertThat(sorting.cpuReasons()).isEmpty();
    assertThat(sorting.devices()).hasSize(2);
    assertThat(runsOf(sorting)).isEqualTo(gpu.runs()).isGreaterThan(2);
    assertThat(BuildReport.read(directory.resolve("gpu"))).isEqualTo(gpu);
    assertThat(directory.resolve("gpu/report.html"))
        .content()
        .contains("\"gpu-0.", "\"gpu-1.", "\"upload\":[", "\"device sort\":[", "\"wait\":[");
    assertThat(driver.kept()).as("what was not given back").isZero();
  }

  /** Runs that are begun before it is known what the device takes are larger than that. */
  @ParameterizedTest
  @EnumSource(names = {"SERIAL", "OVERLAPPED"})
  void theIndexIsTheSameWhereADeviceIsOpenedMeanwhile(Pipeline pipeline) throws Exception {
    BuildReport cpu =
        new Indexing(options("cpu", true, 1), Target.ownIndex(), new BuildProgress(), TINY).run();
    driver.reset(1, 64 << 20);
    BuildReport roomy = openedMeanwhile("roomy", pipeline, this::stage);
    // Lanes of 4,096 keys.
    driver.reset(1, 256 << 10);
    KernelShape tiny = new KernelShape("f64_3", 3, 1, 1);
    BuildReport narrow = openedMeanwhile("narrow", pipeline, () -> stage(tiny));
    for (BuildReport gpu : List.of(roomy, narrow)) {
      assertThat(files(gpu)).isEqualTo(files(cpu));
      SortReport sorting = gpu.sorting().stage();
      assertThat(sorting.cpuRuns()).isGreaterThanOrEqualTo(2);
      assertThat(runsOf(sorting)).isPositive().isEqualTo(gpu.runs() - sorting.cpuRuns());
    }
    assertThat(narrow.runs()).isGreaterThan(roomy.runs() * 3 / 2);
    assertThat(driver.kept()).isZero();
  }

  /** It may be full of what other programs have on it. */
  @ParameterizedTest
  @QuickEvery(2)
  @EnumSource(names = {"SERIAL", "OVERLAPPED"})
  void aDeviceWithoutMemoryIsNoneAndSpoilsNothing(Pipeline pipeline) throws Exception {
    BuildReport cpu =
        new Indexing(options("cpu", true, 2), Target.ownIndex(), new BuildProgress(), TINY).run();
    driver.reset(1, 0);
    BuildReport full = openedMeanwhile("full", pipeline, this::stage);
    assertThat(files(full)).isEqualTo(files(cpu));
    assertThat(full.runs()).isBetween(cpu.runs(), cpu.runs() + 4);
    assertThat(full.sorting().stage().cpuReasons().keySet())
        .anyMatch(reason -> reason.contains("only 0 MiB of the device's memory are free"));
    assertThat(driver.kept()).isZero();
  }

  /** Of 2,048 keys, for which a run would have less memory than it needs. */
  @Test
  void theLanesOfADeviceMayBeSmallerThanTheSmallestRun() throws Exception {
    BuildReport cpu = onCpu();
    driver.reset(1, 128 << 10);
    BuildReport gpu =
        build(
            piped(options("gpu", true, 1), Pipeline.OVERLAPPED),
            () -> stage(new KernelShape("f64_2", 2, 1, 0)));
    assertThat(files(gpu)).isEqualTo(files(cpu));
    assertThat(runsOf(gpu.sorting().stage())).isPositive();
  }

  /** Its threads had two half runs each at first. */
  @Test
  void runsAreWholeAgainWhereThereIsNoDeviceAfterAll() throws Exception {
    BuildReport cpu =
        new Indexing(options("cpu", true, 2), Target.ownIndex(), new BuildProgress(), TINY).run();
    BuildReport none =
        openedMeanwhile("none", Pipeline.OVERLAPPED, () -> new CpuSortStage(SortStages.onCpu()));
    assertThat(files(none)).isEqualTo(files(cpu));
    assertThat(cpu.runs()).isGreaterThan(8);
    assertThat(none.runs()).isBetween(cpu.runs(), cpu.runs() + 4);
    assertThat(none.sorting().stage().cpuRuns()).isEqualTo(none.runs());
  }

  private BuildReport openedMeanwhile(String output, Pipeline pipeline, Supplier<SortStage> stage)
      throws IOException, InterruptedException {
    SecondWaits sorter = new SecondWaits();
    Supplier<SortStage> opening =
        () ->
            SortStages.opening(
                () -> {
                  Uninterruptibles.awaitUninterruptibly(sorter.second);
                  sorter.opener.complete(Thread.currentThread());
                  return stage.get();
                },
                SortStages.onCpu(sorter));
    return new Indexing(
            piped(options(output, true, 2), pipeline), Target.ownIndex(), new BuildProgress(), TINY)
        .withSorting(opening)
        .run();
  }

  @Test
  void withoutPositionsKeysThatAreEqualAreSortedToo() throws Exception {
    SortedMap<String, Integer> expected = files(build(options("cpu", false, 2), null));
    BuildReport gpu = build(options("gpu", false, 2), this::stage);
    assertThat(files(gpu)).isEqualTo(expected);
    assertThat(runsOf(gpu.sorting().stage())).isPositive();
  }

  @Test
  void offsetsAreTheSameAsFromTheCpu() throws Exception {
    SortedMap<String, Integer> expected = files(build(withOffsets("cpu"), null));
    BuildReport gpu = build(withOffsets("gpu"), this::stage);
    assertThat(files(gpu)).isEqualTo(expected);
    assertThat(gpu.sorting().stage().cpuReasons()).isEmpty();
    assertThat(runsOf(gpu.sorting().stage())).isEqualTo(gpu.runs());
  }

  private BuildOptions withOffsets(String output) {
    BuildOptions usual = options(output, true, 2);
    return new BuildOptions(
        usual.roots(),
        usual.source(),
        usual.duplicates(),
        usual.output(),
        false,
        HtmlMode.FAST,
        new IndexedText(
            usual.text().fields(), usual.text().analysis(), Detail.OFFSETS, Store.CONTENTS),
        usual.resources());
  }

  @ParameterizedTest
  @QuickEvery(2)
  @CsvSource({
    "cuMemAlloc, 2",
    "cuMemHostRegister, 3",
    "cuLaunchKernel, 30",
    "cuMemcpyHtoDAsync, 3",
    "cuMemcpyDtoHAsync, 3"
  })
  void aDeviceThatIsLostInTheMiddleLeavesNoTrace(String call, int first) throws Exception {
    BuildReport cpu = onCpu();
    driver.fail(call, first, Integer.MAX_VALUE, StubDriver.LAUNCH_FAILED);
    BuildReport gpu = onGpu("gpu", Pipeline.OVERLAPPED, 2);
    assertThat(files(gpu)).isEqualTo(files(cpu));
    SortReport sorting = gpu.sorting().stage();
    assertThat(sorting.cpuRuns()).isPositive();
    assertThat(runsOf(sorting) + sorting.cpuRuns()).isEqualTo(gpu.runs());
    assertThat(sorting.cpuReasons().keySet()).anyMatch(reason -> reason.contains(call));
  }

  @ParameterizedTest
  @EnumSource(names = {"SERIAL", "OVERLAPPED"})
  void aDocumentThatFitsHalfOfTheMemoryOrNoneIsTreatedAsByTheCpu(Pipeline pipeline)
      throws Exception {
    // The first fits a run of all the memory but not one of half of it, the second neither.
    Files.writeString(crawl.resolve("large.txt"), words(36_000));
    Files.writeString(crawl.resolve("part-03").resolve("larger.txt"), words(90_000));
    BuildReport cpu = onCpu();
    assertThat(cpu.skippedDocuments()).isEqualTo(1);
    BuildReport gpu = onGpu("gpu", pipeline, 1);
    assertThat(gpu.skipped()).isEqualTo(cpu.skipped());
    assertThat(files(gpu)).isEqualTo(files(cpu));
  }

  /** Its runs were made to fit the device, and are no larger when the document comes. */
  @ParameterizedTest
  @QuickEvery(2)
  @EnumSource(names = {"SERIAL", "OVERLAPPED"})
  void aDocumentThatFitsAllMemoryIsIndexedAfterADeviceWasGivenUp(Pipeline pipeline)
      throws Exception {
    Files.writeString(Files.createDirectory(crawl.resolve("zz")).resolve("l.txt"), words(36_000));
    BuildReport cpu = onCpu();
    assertThat(cpu.skippedDocuments()).isZero();
    driver.reset(1, 256 << 10);
    driver.fail("cuLaunchKernel", 1, Integer.MAX_VALUE, StubDriver.LAUNCH_FAILED);
    BuildReport gpu =
        build(
            piped(options("gpu", true, 1), pipeline),
            () -> stage(new KernelShape("f64_3", 3, 1, 1)));
    assertThat(gpu.skipped()).isEqualTo(cpu.skipped());
    assertThat(files(gpu)).isEqualTo(files(cpu));
    assertThat(gpu.sorting().stage().cpuReasons()).containsKey("every device was given up");
  }

  @Test
  void aDocumentOfManyPositionsHasARunOfItsOwnOnADeviceToo() throws Exception {
    Files.writeString(crawl.resolve("part-02").resolve("long.txt"), "word ".repeat(1 << 20 | 9));
    BuildOptions cpu = options("cpu", true, 1);
    BuildOptions gpu = options("gpu", true, 1);
    MemoryPlan roomy = new MemoryPlan(1 << 30, 128 << 20, 64 << 20, 256 << 20);
    BuildReport expected = new Indexing(cpu, Target.ownIndex(), new BuildProgress(), roomy).run();
    driver.reset(1, 1 << 30);
    BuildReport actual =
        new Indexing(gpu, Target.ownIndex(), new BuildProgress(), roomy)
            .withSorting(this::stage)
            .run();
    assertThat(files(actual)).isEqualTo(files(expected));
    assertThat(actual.sorting().stage().cpuRuns()).isZero();
  }

  /** Runs go straight into segments; a run's documents are there long before its postings. */
  @ParameterizedTest
  @EnumSource(names = {"SERIAL", "OVERLAPPED"})
  void aLuceneIndexBuiltFromRunsIsWholeAndHasThemAll(Pipeline pipeline) throws Exception {
    MemoryPlan plan = new MemoryPlan(1 << 30, SMALL_RUNS, 64 << 20, 256 << 20);
    Target target = Target.lucene(Target.SEGMENT_PER_RUN, IndexCheck.SLOW);
    BuildOptions cpu = options("cpu", true, 2);
    BuildReport expected = new Indexing(cpu, target, new BuildProgress(), plan).run();
    BuildReport actual =
        new Indexing(piped(options("gpu", true, 2), pipeline), target, new BuildProgress(), plan)
            .withSorting(this::stage)
            .run();
    assertThat(actual.documents()).isEqualTo(expected.documents()).isEqualTo(DOCUMENTS);
    try (Directory cpus = FSDirectory.open(directory.resolve("cpu"));
        Directory gpus = FSDirectory.open(directory.resolve("gpu"));
        DirectoryReader fromCpu = DirectoryReader.open(cpus);
        DirectoryReader fromGpu = DirectoryReader.open(gpus)) {
      IndexEquality.assertSame(fromCpu, fromGpu);
    }
    assertThat(runsOf(actual.sorting().stage())).isEqualTo(actual.runs()).isGreaterThan(2);
    assertThat(driver.kept()).isZero();
  }

  private static String words(int count) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < count; i++) {
      text.append(Integer.toString(i % 999, 36)).append(' ');
    }
    return text.toString();
  }

  private BuildReport onCpu() throws Exception {
    return build(options("cpu", true, 1), null);
  }

  private BuildReport onGpu(String output, Pipeline pipeline, int threads) throws Exception {
    return build(piped(options(output, true, threads), pipeline), this::stage);
  }

  private static BuildOptions piped(BuildOptions options, Pipeline pipeline) {
    return new BuildOptions(
        options.roots(),
        options.source(),
        options.duplicates(),
        options.output(),
        false,
        HtmlMode.FAST,
        options.text(),
        options.resources().withDevice(DeviceChoice.AUTO, pipeline));
  }

  private BuildReport build(BuildOptions options, @Nullable Supplier<SortStage> stage)
      throws IOException, InterruptedException {
    MemoryPlan plan = new MemoryPlan(1 << 30, SMALL_RUNS, 64 << 20, 256 << 20);
    Indexing build =
        stage == null
            ? new Indexing(options, Target.ownIndex(), new BuildProgress(), plan)
            : new Indexing(options, Target.ownIndex(), new BuildProgress(), plan)
                .withSorting(stage);
    return build.run();
  }

  /** Small parts, so that runs take many passes. */
  private SortStage stage() {
    return stage(new KernelShape("f64_8", 8, 5, 4));
  }

  private SortStage stage(KernelShape shape) {
    return new GpuSortStage(
        driver.probe().devices(), StubDriver.image(), shape, SortStages.onCpu());
  }

  private BuildOptions options(String output, boolean positions, int threads) {
    return new BuildOptions(
        ImmutableList.of(crawl),
        directory.resolve(output),
        false,
        HtmlMode.FAST,
        "standard",
        positions,
        Store.CONTENTS,
        new BuildOptions.Resources(threads, 4L << 30));
  }

  private static long runsOf(SortReport report) {
    return report.devices().stream().mapToLong(SortReport.Device::runs).sum();
  }

  /** Every file of an index but the report, by the hash of its bytes. */
  private static SortedMap<String, Integer> files(BuildReport report) throws IOException {
    SortedMap<String, Integer> files = new TreeMap<>();
    try (Stream<Path> entries = Files.list(Path.of(report.output()))) {
      for (Path file : (Iterable<Path>) entries::iterator) {
        if (!BuildReport.isReport(file)) {
          files.put(file.getFileName().toString(), Arrays.hashCode(Files.readAllBytes(file)));
        }
      }
    }
    return files;
  }
}
