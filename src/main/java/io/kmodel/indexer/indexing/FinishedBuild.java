package io.kmodel.indexer.indexing;

import io.kmodel.indexer.indexing.documents.CrawlScan;
import io.kmodel.indexer.indexing.journal.Checkpoints;
import io.kmodel.indexer.indexing.journal.OutputPlace;
import io.kmodel.indexer.indexing.journal.WorkDirectory;
import io.kmodel.indexer.indexing.options.BuildException;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.options.Recovery.Start;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.indexing.report.BuildReport;
import io.kmodel.indexer.indexing.report.BuildReport.Input;
import io.kmodel.indexer.indexing.report.BuildReport.Origin;
import io.kmodel.indexer.store.CorruptIndexException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A complete index, with the report of its build, and without work of an interrupted one. Only the
 * report says which input and options it was made of, so an index without a report does not count.
 */
record FinishedBuild(Path index, BuildReport report, Origin origin) {
  /** The finished build at an output; null without one, or if its origin is unknown. */
  static @Nullable FinishedBuild of(BuildOptions options, Target target) throws IOException {
    Path index = OutputPlace.of(options.output(), null).output();
    if (!Files.isDirectory(index) || !target.isIndex(index)) {
      return null;
    }
    try {
      BuildReport report = BuildReport.read(index);
      Origin origin = report.origin();
      return origin == null || isInterrupted(options, target)
          ? null
          : new FinishedBuild(index, report, origin);
    } catch (CorruptIndexException | NoSuchFileException e) {
      return null;
    }
  }

  private static boolean isInterrupted(BuildOptions options, Target target) throws IOException {
    return WorkDirectory.look(options.output(), target::isIndex, Start.RESUME).options() != null;
  }

  /**
   * Checks that a build would make the same index, and that this one is not damaged.
   *
   * @param directory where the build would work
   * @throws BuildException if options or input differ
   * @throws CorruptIndexException if the index is damaged
   */
  void require(BuildOptions options, Target target, WorkDirectory directory, BuildProgress progress)
      throws IOException, InterruptedException {
    String changes = Resumption.changes(origin.options(), Resumption.identity(options, target));
    if (!changes.isEmpty()) {
      throw refusal("was built with other options: " + changes);
    }
    if (options.readsStandardInput()) {
      throw refusal("was built from standard input, of which no copy is kept to compare");
    }
    try (CrawlScan scan = new CrawlScan(options, directory, Checkpoints.none(), progress)) {
      requireSame(scan.input());
    }
    target.check(index, options.resources().threads());
  }

  private void requireSame(Input now) {
    Input before = origin.input();
    if (now.files() != before.files() || now.bytes() != before.bytes()) {
      throw refusal(
          "was built from %,d files with %,d bytes; now there are %,d files with %,d bytes"
              .formatted(before.files(), before.bytes(), now.files(), now.bytes()));
    }
    if (now.newest() != before.newest()) {
      throw refusal(
          "was built from files of which the newest was modified on %s; now the newest is of %s"
              .formatted(time(before.newest()), time(now.newest())));
    }
    if (!now.equals(before)) {
      throw refusal(
          "was built from files of which one had another path, size, modification time or ETag"
              + " (a complete index does not record which)");
    }
  }

  private BuildException refusal(String how) {
    return new BuildException(
        "%s is complete, but %s; name another output, or replace it with --overwrite"
            .formatted(index, how));
  }

  private static FileTime time(long micros) {
    return FileTime.from(micros, TimeUnit.MICROSECONDS);
  }
}
