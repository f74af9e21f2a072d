package io.kmodel.indexer.indexing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.Tier;
import io.kmodel.indexer.analysis.AnalysisDefinition;
import io.kmodel.indexer.analysis.IndexAnalysis;
import io.kmodel.indexer.equality.IndexEquality;
import io.kmodel.indexer.equality.MetadataEquality;
import io.kmodel.indexer.equality.SampleDocuments;
import io.kmodel.indexer.export.lucene.IndexCheck;
import io.kmodel.indexer.gpu.StubDriver;
import io.kmodel.indexer.gpu.StubDriverExtension;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.indexing.documents.DeviceStages;
import io.kmodel.indexer.indexing.options.BuildException;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.options.IndexedText;
import io.kmodel.indexer.indexing.options.MemoryPlan;
import io.kmodel.indexer.indexing.options.Pipeline;
import io.kmodel.indexer.indexing.options.Store;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.indexing.report.BuildReport;
import io.kmodel.indexer.inversion.InversionStage;
import io.kmodel.indexer.inversion.InvertedFields;
import io.kmodel.indexer.inversion.ListForm;
import io.kmodel.indexer.parse.field.FieldPlan;
import io.kmodel.indexer.parse.field.MetadataPlan;
import io.kmodel.indexer.parse.html.HtmlMode;
import io.kmodel.indexer.sort.DeviceChoice;
import io.kmodel.indexer.sort.SortReport;
import io.kmodel.indexer.source.SparseFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Builds whose texts are inverted by a device: the same index as from the CPU, whatever it does.
 */
@ExtendWith(StubDriverExtension.class)
@ResourceLock(StubDriver.LOCK)
@Timeout(300)
class InvertingBuildTest {
  private static final int DOCUMENTS = Tier.pick(80, 400);

  private static final MemoryPlan PLAN =
      new MemoryPlan(1 << 30, Tier.pick(300, 600) << 10, 64 << 20, 256 << 20);

  private static final MetadataPlan METADATA =
      MetadataPlan.parse(List.of("length", "content-type"), List.of("named=title:string"));

  private final StubDriver driver;
  @TempDir Path directory;
  private Path crawl = Path.of("");

  InvertingBuildTest(StubDriver driver) {
    this.driver = driver;
  }

  @BeforeEach
  void prepare() throws Exception {
    crawl = Files.createDirectory(directory.resolve("crawl"));
    Crawls.write(crawl, SampleDocuments.random(5, DOCUMENTS, 120));
    Files.writeString(
        crawl.resolve("unusual.jsonl"),
        """
        {"id":"a","title":"","contents":"\\ud800 half \\u0661,\\u0662 caf\\u00e9s #\\ufe0f\\u20e3"}
        {"id":"b","title":"only a title"}
        {"id":"c","contents":""}
        {"id":"d","contents":"The dogs' and dog\\u2019s connections \\ud800 are a connected thing"}
        {"id":"e","title":"Of the","contents":"and THE internationalizations of internationalization"}
        """);
  }

  private BuildOptions options(
      String output, Pipeline pipeline, String analyzer, boolean positions) {
    return options(output, DeviceChoice.AUTO, pipeline, analyzer, positions);
  }

  /** With titles and contents that are analyzed as said, and with metadata. */
  private BuildOptions options(String output, Pipeline pipeline, IndexAnalysis analysis) {
    BuildOptions usual = options(output, pipeline, "standard", true);
    return new BuildOptions(
        usual.roots(),
        usual.source(),
        usual.duplicates(),
        usual.output(),
        usual.overwrite(),
        usual.html(),
        new IndexedText(FieldPlan.DEFAULT, analysis, true, Store.CONTENTS).withMetadata(METADATA),
        usual.resources());
  }

  private BuildOptions options(
      String output, DeviceChoice device, Pipeline pipeline, String analyzer, boolean positions) {
    return new BuildOptions(
        ImmutableList.of(crawl),
        directory.resolve(output),
        false,
        HtmlMode.FAST,
        analyzer,
        positions,
        Store.CONTENTS,
        new BuildOptions.Resources(2, 4L << 30).withDevice(device, pipeline));
  }

  private InversionStage open(Schema schema, InvertedFields fields, int blockBytes, ListForm form) {
    return new InversionStage(
        driver::probe,
        StubDriver.image(),
        schema,
        fields,
        blockBytes,
        form,
        Duration.ofSeconds(60));
  }

  private BuildReport build(BuildOptions options, Target target)
      throws IOException, InterruptedException {
    DeviceStages devices = DeviceStages.of(options.resources()).withInversion(this::open);
    return new Indexing(options, target, new BuildProgress(), PLAN).withDevices(devices).run();
  }

  private BuildReport onCpu(boolean positions) throws Exception {
    return build(options("cpu", Pipeline.OVERLAPPED, "standard", positions), Target.ownIndex());
  }

  private BuildReport inverted(boolean positions) throws Exception {
    return build(options("gpu", Pipeline.INVERTED, "standard", positions), Target.ownIndex());
  }

  private void assertSameFiles() throws IOException {
    assertThat(IndexFilesHash.of(directory.resolve("gpu")))
        .isEqualTo(IndexFilesHash.of(directory.resolve("cpu")));
  }

  private static long inverted(SortReport report) {
    return report.devices().stream().mapToLong(SortReport.Device::runs).sum();
  }

  @ParameterizedTest
  @CsvSource({"standard,true", "standard,false", "english,true", "english,false"})
  void theIndexIsTheSame(String analyzer, boolean positions) throws Exception {
    build(options("cpu", Pipeline.OVERLAPPED, analyzer, positions), Target.ownIndex());
    BuildReport gpu =
        build(options("gpu", Pipeline.INVERTED, analyzer, positions), Target.ownIndex());
    assertSameFiles();
    SortReport report = gpu.sorting().stage();
    assertThat(report.cpuReasons()).isEmpty();
    assertThat(inverted(report)).isEqualTo(gpu.runs()).isGreaterThan(2);
    assertThat(driver.kept()).as("what was not given back").isZero();
  }

  @ParameterizedTest
  @CsvSource({"0,standard", "2,standard", "0,english"})
  void aLuceneIndexIsTheSame(int segments, String analyzer) throws Exception {
    Target target = Target.lucene(segments, IndexCheck.SLOW);
    build(options("cpu", Pipeline.OVERLAPPED, analyzer, true), target);
    BuildReport gpu = build(options("gpu", Pipeline.INVERTED, analyzer, true), target);
    assertThat(inverted(gpu.sorting().stage())).isPositive();
    try (Directory cpus = FSDirectory.open(directory.resolve("cpu"));
        Directory gpus = FSDirectory.open(directory.resolve("gpu"));
        DirectoryReader fromCpu = DirectoryReader.open(cpus);
        DirectoryReader fromGpu = DirectoryReader.open(gpus)) {
      IndexEquality.assertSame(fromCpu, fromGpu);
    }
  }

  @Test
  void metadataIsInTheSegmentsThatADeviceMakes() throws Exception {
    Target target = Target.lucene(0, IndexCheck.SLOW);
    IndexAnalysis analysis = IndexAnalysis.of("standard");
    build(options("cpu", Pipeline.OVERLAPPED, analysis), target);
    BuildReport gpu = build(options("gpu", Pipeline.INVERTED, analysis), target);
    assertThat(inverted(gpu.sorting().stage())).isPositive();
    try (Directory cpus = FSDirectory.open(directory.resolve("cpu"));
        Directory gpus = FSDirectory.open(directory.resolve("gpu"));
        DirectoryReader fromCpu = DirectoryReader.open(cpus);
        DirectoryReader fromGpu = DirectoryReader.open(gpus)) {
      IndexEquality.assertSame(fromCpu, fromGpu);
      MetadataEquality.assertSame(fromCpu, fromGpu, METADATA.columns());
      assertThat(fromGpu.getDocCount("named")).isPositive();
    }
  }

  @Test
  void fieldsOfDifferentAnalyzersAreTheSame() throws Exception {
    for (String contents : List.of("standard", "english")) {
      IndexAnalysis analysis =
          IndexAnalysis.of(contents)
              .with(
                  Schema.TITLE,
                  AnalysisDefinition.of(contents.equals("english") ? "standard" : "english"));
      String cpu = "cpu-" + contents;
      String gpu = "gpu-" + contents;
      build(options(cpu, Pipeline.OVERLAPPED, analysis), Target.ownIndex());
      BuildReport report = build(options(gpu, Pipeline.INVERTED, analysis), Target.ownIndex());
      assertThat(IndexFilesHash.of(directory.resolve(gpu)))
          .isEqualTo(IndexFilesHash.of(directory.resolve(cpu)));
      assertThat(inverted(report.sorting().stage())).isEqualTo(report.runs());
    }
  }

  @Test
  void anAnalyzerWithParametersStaysOnTheCpu() throws Exception {
    driver.reset(0, 0);
    IndexAnalysis analysis =
        IndexAnalysis.of(AnalysisDefinition.of("english").withStemmer("krovetz"));
    BuildReport report = build(options("gpu", Pipeline.INVERTED, analysis), Target.ownIndex());
    assertThat(report.sorting().stage().cpuReasons().keySet())
        .anyMatch(reason -> reason.contains("without parameters"));
  }

  @Test
  void aDocumentThatNoBlockHoldsIsMadeByTheCpu() throws Exception {
    Files.writeString(
        crawl.resolve("long.txt"), "internationalization standardization ".repeat(3000));
    onCpu(true);
    BuildReport gpu = inverted(true);
    assertSameFiles();
    assertThat(inverted(gpu.sorting().stage())).isPositive().isLessThan(gpu.runs());
  }

  /** It is left out, and the builder is empty again where its run would have been sealed. */
  @Test
  void aDocumentThatNoMemoryHoldsIsSkippedAsByTheCpu() throws Exception {
    Files.writeString(crawl.resolve("huge.txt"), "a b c d e f ".repeat(Tier.pick(10_000, 40_000)));
    BuildReport cpu = onCpu(true);
    BuildReport gpu = inverted(true);
    assertSameFiles();
    assertThat(gpu.skippedDocuments()).isEqualTo(cpu.skippedDocuments()).isPositive();
  }

  @Test
  void duplicatesAreLeftOutAsByTheCpu() throws Exception {
    Files.writeString(
        crawl.resolve("twice.jsonl"),
        "{\"id\":\"a\",\"contents\":\"first\"}\n{\"id\":\"a\",\"contents\":\"second\"}\n");
    onCpu(true);
    inverted(true);
    assertSameFiles();
  }

  @Test
  void whatTheDeviceFailsToDoTheCpuDoes() throws Exception {
    onCpu(true);
    driver.fail("cuLaunchKernel", 30, 1000, StubDriver.LAUNCH_FAILED);
    BuildReport gpu = inverted(true);
    assertSameFiles();
    assertThat(gpu.sorting().stage().cpuRuns()).isPositive();
    assertThat(gpu.sorting().stage().cpuReasons().keySet())
        .anyMatch(reason -> reason.contains("cuLaunchKernel"));
  }

  @Test
  void anotherAnalyzerStaysOnTheCpuAndTheReportSaysSo() throws Exception {
    driver.reset(0, 0);
    BuildReport report =
        build(options("gpu", Pipeline.INVERTED, "french", true), Target.ownIndex());
    assertThat(report.sorting().stage().cpuReasons())
        .containsKey(
            "devices only have the analyzers 'standard' and 'english', without parameters");
    assertThat(driver.calls("cuLaunchKernel")).isZero();
  }

  @Test
  void leftToChooseABuildUsesADeviceThatWasAskedFor() throws Exception {
    Target target = Target.lucene(Target.SEGMENT_PER_RUN, IndexCheck.SLOW);
    DeviceChoice gpu = DeviceChoice.parse("gpu");
    BuildReport report = build(options("gpu", gpu, Pipeline.AUTO, "standard", true), target);
    assertThat(report.sorting().pipeline()).isEqualTo("inverted");
    assertThat(inverted(report.sorting().stage())).isPositive();
  }

  /** Most of the crawl is one file that is too large for a document. */
  @Test
  void leftToChooseALargeBuildUsesDevices() throws Exception {
    assumeThat(InversionStage.mayHaveDevice()).as("kernels in the program").isTrue();
    driver.reset(1, 1L << 30);
    SparseFile.create(crawl.resolve("huge.html"), 1100L << 20);
    BuildOptions options = options("gpu", Pipeline.AUTO, "standard", true);
    DeviceStages devices = DeviceStages.of(options.resources()).withInversion(this::open);
    BuildReport report =
        new Indexing(
                options,
                Target.lucene(Target.SEGMENT_PER_RUN, IndexCheck.SLOW),
                new BuildProgress(),
                new MemoryPlan(1 << 30, 1 << 28, 64 << 20, 256 << 20))
            .withDevices(devices)
            .run();
    assertThat(report.sorting().pipeline()).isEqualTo("inverted");
    assertThat(inverted(report.sorting().stage())).isPositive();
    assertThat(report.documents()).isGreaterThan(DOCUMENTS);
  }

  @Test
  void theEstimateHasTheRunsOfADevice() throws Exception {
    assumeThat(InversionStage.mayHaveDevice()).as("kernels in the program").isTrue();
    DeviceChoice gpu = DeviceChoice.parse("gpu");
    BuildOptions options = options("gpu", gpu, Pipeline.AUTO, "standard", true);
    BuildEstimate estimate = BuildEstimate.of(options, List.of(), false, new BuildProgress());
    assertThat(estimate.runs()).isEqualTo(estimate.splits()).isLessThanOrEqualTo(3);
    assertThat(estimate.runMemoryBytes()).isBetween(2L << 25, 2L << 26);
  }

  @Test
  void leftToChooseASmallBuildUsesNoDeviceAndTheReportSaysWhy() throws Exception {
    Target target = Target.lucene(Target.SEGMENT_PER_RUN, IndexCheck.SLOW);
    BuildReport report = build(options("gpu", Pipeline.AUTO, "standard", true), target);
    assertThat(report.sorting().pipeline()).isEqualTo("overlapped");
    assertThat(report.sorting().stage().devices()).isEmpty();
    assertThat(report.sorting().stage().cpuReasons().keySet())
        .singleElement()
        .asString()
        .containsAnyOf("--memory", "built without an nvcc");
  }

  @Test
  void aDeviceThatWasAskedForMustBeThere() {
    DeviceChoice gpu = DeviceChoice.parse("gpu");
    BuildOptions asked = options("gpu", gpu, Pipeline.INVERTED, "standard", true);
    driver.reset(0, 0);
    assertThatThrownBy(
            () -> new Indexing(asked, Target.ownIndex(), new BuildProgress(), PLAN).run())
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("--device gpu is not available: ");
  }
}
