package io.kmodel.indexer.experiment;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.build.BuildOptions;
import io.kmodel.indexer.build.BuildProgress;
import io.kmodel.indexer.build.BuildReport;
import io.kmodel.indexer.build.IndexBuild;
import io.kmodel.indexer.build.Store;
import io.kmodel.indexer.export.lucene.ExportOptions;
import io.kmodel.indexer.export.lucene.ExportPath;
import io.kmodel.indexer.export.lucene.IndexCheck;
import io.kmodel.indexer.export.lucene.LuceneExporter;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.parse.HtmlMode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** Our build followed by our export, as a user would run them, without the export's CheckIndex. */
final class IndexerContestant {
  private final RaceOptions options;

  IndexerContestant(RaceOptions options) {
    this.options = options;
  }

  /** Builds and exports; counting what is in the result is not timed. */
  RaceResult run() throws IOException, InterruptedException {
    Path index = options.workPath().resolve("index");
    Path lucene = options.workPath().resolve("lucene");
    long start = System.nanoTime();
    BuildReport report = new IndexBuild(buildOptions(index), new BuildProgress()).run();
    double indexSeconds = (System.nanoTime() - start) / 1e9;
    try (InvertedIndex built = InvertedIndex.open(index)) {
      int segments = options.segments() == 0 ? options.threads() : options.segments();
      LuceneExporter.export(
          built,
          lucene,
          new ExportOptions(segments, options.threads(), IndexCheck.NONE, ExportPath.DIRECT));
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    Map<String, Double> stages = new TreeMap<>();
    report.phases().forEach(phase -> stages.put("build: " + phase.name(), phase.seconds()));
    report.work().forEach(work -> stages.put(work.name() + " (threads)", work.threadSeconds()));
    stages.put("export", seconds - indexSeconds);
    return Measurements.result(
        "indexer",
        seconds,
        indexSeconds,
        new Measurements.Source(report.sourceBytes(), report.skipped()),
        lucene,
        stages);
  }

  private BuildOptions buildOptions(Path index) {
    return new BuildOptions(
        ImmutableList.of(options.corpusPath()),
        index,
        false,
        HtmlMode.FAST,
        options.analyzer(),
        true,
        Store.ID,
        new BuildOptions.Resources(options.threads(), options.memoryBytes()));
  }
}
