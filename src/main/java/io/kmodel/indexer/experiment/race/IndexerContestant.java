package io.kmodel.indexer.experiment.race;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.analysis.IndexAnalysis;
import io.kmodel.indexer.export.lucene.IndexCheck;
import io.kmodel.indexer.indexing.Indexing;
import io.kmodel.indexer.indexing.Target;
import io.kmodel.indexer.indexing.TokenizeOnlyBuild;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.options.Duplicates;
import io.kmodel.indexer.indexing.options.IndexedText;
import io.kmodel.indexer.indexing.options.Store;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.indexing.report.BuildReport;
import io.kmodel.indexer.parse.html.HtmlMode;
import io.kmodel.indexer.source.SourceOptions;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * This program's builds, run like a user would: of a Lucene index without CheckIndex, and of its
 * own index; and the first part of both on its own.
 */
final class IndexerContestant {
  private final RaceOptions options;

  IndexerContestant(RaceOptions options) {
    this.options = options;
  }

  /** Builds a Lucene index; counting its content is not timed. */
  RaceResult run() throws IOException, InterruptedException {
    Path lucene = options.workPath().resolve("lucene");
    Target target = Target.lucene(options.segments(), IndexCheck.NONE);
    long start = start();
    BuildReport report = new Indexing(buildOptions(lucene), target, new BuildProgress()).run();
    double seconds = (System.nanoTime() - start) / 1e9;
    return Measurements.result(
        "indexer",
        seconds,
        new Measurements.Source(report.sourceBytes(), report.skipped()),
        lucene,
        options.counted(),
        stages(report));
  }

  /** Builds this program's own index; counting its content is not timed. */
  RaceResult runOwn() throws IOException, InterruptedException {
    Path index = options.workPath().resolve("index");
    long start = start();
    BuildReport report =
        new Indexing(buildOptions(index), Target.ownIndex(), new BuildProgress()).run();
    double seconds = (System.nanoTime() - start) / 1e9;
    return Measurements.ownResult(
        seconds,
        new Measurements.Source(report.sourceBytes(), report.skipped()),
        report.indexBytes(),
        index,
        options.counted(),
        stages(report));
  }

  /** Only finds and interns words, which is a lower bound for the builds. */
  RaceResult runWords() throws IOException, InterruptedException {
    Path work = options.workPath().resolve("words");
    long start = start();
    BuildReport report = new TokenizeOnlyBuild(buildOptions(work), new BuildProgress()).run();
    double seconds = (System.nanoTime() - start) / 1e9;
    return Measurements.wordsResult(seconds, report, stages(report));
  }

  /** Now, or when Java started if the rival's Java is timed, too. */
  private long start() {
    long now = System.nanoTime();
    if (!options.rival().kind().isProgram()) {
      return now;
    }
    long millis = System.currentTimeMillis() - ManagementFactory.getRuntimeMXBean().getStartTime();
    return now - TimeUnit.MILLISECONDS.toNanos(millis);
  }

  private static Map<String, Double> stages(BuildReport report) {
    Map<String, Double> stages = new TreeMap<>();
    report.phases().forEach(phase -> stages.put("build: " + phase.name(), phase.seconds()));
    report.work().forEach(work -> stages.put(work.name() + " (threads)", work.threadSeconds()));
    return stages;
  }

  private BuildOptions buildOptions(Path output) {
    return new BuildOptions(
        ImmutableList.of(options.corpusPath()),
        SourceOptions.DEFAULT,
        Duplicates.KEEP,
        output,
        false,
        HtmlMode.FAST,
        new IndexedText(options.fields(), IndexAnalysis.of(options.analyzer()), true, Store.ID),
        new BuildOptions.Resources(options.threads(), options.memoryBytes()));
  }
}
