package io.kmodel.indexer.indexing;

import io.kmodel.indexer.index.model.FormatLimitException;
import io.kmodel.indexer.indexing.documents.DeviceStages;
import io.kmodel.indexer.indexing.documents.DocumentPhase;
import io.kmodel.indexer.indexing.documents.DocumentSource;
import io.kmodel.indexer.indexing.documents.InMemoryRuns;
import io.kmodel.indexer.indexing.documents.InversionChoice;
import io.kmodel.indexer.indexing.documents.Splits;
import io.kmodel.indexer.indexing.journal.Checkpoints;
import io.kmodel.indexer.indexing.journal.OutputPlace;
import io.kmodel.indexer.indexing.journal.OutputValidator;
import io.kmodel.indexer.indexing.journal.WorkDirectory;
import io.kmodel.indexer.indexing.options.BuildException;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.options.DuplicateIdException;
import io.kmodel.indexer.indexing.options.MemoryPlan;
import io.kmodel.indexer.indexing.options.Recovery;
import io.kmodel.indexer.indexing.report.BuildLog;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.indexing.report.BuildProgress.Stage;
import io.kmodel.indexer.indexing.report.BuildReport;
import io.kmodel.indexer.indexing.report.Watchdog;
import io.kmodel.indexer.inversion.InversionStage;
import io.kmodel.indexer.inversion.ListForm;
import io.kmodel.indexer.sort.SortStage;
import io.kmodel.indexer.source.StandardInput;
import io.kmodel.indexer.store.CorruptIndexException;
import io.kmodel.indexer.store.disk.Directories;
import io.kmodel.indexer.store.disk.StagedOutput.Replaceable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Builds an index of a crawl: scan the crawl and cut it into splits, invert each split into sorted
 * runs, merge the runs into the target's files, and publish these under the output's name. {@link
 * #build} is the table of contents.
 *
 * <p>Blocked sort-based indexing: Capannini, Silvestri, Baraglia, §7 and Fig. 7.
 */
public final class Indexing {
  private final BuildOptions options;
  private final Target target;
  private final BuildProgress progress;
  private final MemoryPlan plan;
  private final DeviceStages devices;
  private final Recovery recovery;
  private final DocumentSource source;

  /** A substitute for the standard input of the process; null for none. */
  private @Nullable InputStream input;

  private boolean foundComplete;

  /**
   * Prepares a build.
   *
   * @throws IllegalArgumentException if the memory budget does not suffice
   */
  public Indexing(BuildOptions options, Target target, BuildProgress progress) {
    this(options, target, progress, plan(options, target));
  }

  private static MemoryPlan plan(BuildOptions options, Target target) {
    MemoryPlan plan = MemoryPlan.of(options, target.mergesRuns());
    return target instanceof OwnIndex own && !own.copiesTexts() ? plan.forOwnIndex() : plan;
  }

  /** The same with a memory plan that may exceed the budget. */
  public Indexing(BuildOptions options, Target target, BuildProgress progress, MemoryPlan plan) {
    this(
        options,
        target,
        progress,
        plan,
        DeviceStages.of(options.resources()),
        Recovery.DEFAULT,
        new DocumentSource.Crawl(true));
    // Fails now, not after the crawl is read.
    options.text().analysis().newAnalyzer().close();
  }

  private Indexing(
      BuildOptions options,
      Target target,
      BuildProgress progress,
      MemoryPlan plan,
      DeviceStages devices,
      Recovery recovery,
      DocumentSource source) {
    this.options = options;
    this.target = target;
    this.progress = progress;
    this.plan = plan;
    this.devices = devices;
    this.recovery = recovery;
    this.source = source;
  }

  /** The same build with another way to sort runs. */
  public Indexing withSorting(Supplier<SortStage> chosen) {
    return withDevices(devices.withSorting(chosen));
  }

  /** The same build with other devices. */
  public Indexing withDevices(DeviceStages chosen) {
    return new Indexing(options, target, progress, plan, chosen, recovery, source);
  }

  /** The same build, told how to treat an interrupted one, and its own interruption. */
  public Indexing withRecovery(Recovery chosen) {
    return new Indexing(options, target, progress, plan, devices, chosen, source);
  }

  /** The same build with documents from elsewhere. */
  public Indexing withDocuments(DocumentSource chosen) {
    return new Indexing(options, target, progress, plan, devices, recovery, chosen);
  }

  /** Sets the stream that is read as standard input. Call it last: other builds do not get it. */
  public Indexing setInput(InputStream stream) {
    input = stream;
    return this;
  }

  /**
   * Checks, without writing, whether {@link #run} would refuse the output.
   *
   * @throws BuildException if it would
   * @throws IOException if nothing can be written there
   */
  public void requireOutput() throws IOException {
    requireResumable();
    if (finished() != null) {
      return;
    }
    Resumption.look(options, replaceable(), target.kind(), recovery.start());
  }

  private @Nullable Replaceable replaceable() {
    return options.overwrite() ? target::isIndex : null;
  }

  private void requireResumable() {
    if (!target.mergesRuns() && recovery.start() == Recovery.Start.RESUME) {
      throw new BuildException(
          "--resume needs --output or --segments: a Lucene index with one segment per run cannot be"
              + " resumed");
    }
  }

  /**
   * Builds the index, or continues an interrupted build of it, then runs the target's sequel.
   *
   * @throws BuildException if the options cannot work, or a device was asked for that is not there;
   *     nothing was written then
   * @throws FormatLimitException if Lucene cannot hold the index
   * @throws IOException if reading or writing failed; finished work stays for a build that
   *     continues this one, and {@link Recovery#warnings} says so; nothing half-made stays
   */
  public BuildReport run() throws IOException, InterruptedException {
    requireResumable();
    OutputPlace.requireApart(options.roots(), options.output(), replaceable());
    FinishedBuild finished = finished();
    try (WorkDirectory directory = workDirectory(finished != null)) {
      directory.passOver(target.places());
      if (finished != null && isStillFinished(finished, directory)) {
        return followAgain(finished.report());
      }
      BuildReport report =
          target.mergesRuns() && directory.isComplete(target.form())
              ? resumption(directory).complete(target.form(), progress)
              : build(directory);
      follow(report, directory);
      return report;
    }
  }

  /** Whether the index was complete before the build ran, so that the report is an earlier one. */
  public boolean foundComplete() {
    return foundComplete;
  }

  /** The complete index at the output if this build was told to resume and has nothing else to. */
  private @Nullable FinishedBuild finished() throws IOException {
    return recovery.start() == Recovery.Start.RESUME ? FinishedBuild.of(options, target) : null;
  }

  /**
   * Compares a complete index with what this build would make.
   *
   * @return false if it is not the same, but may be replaced
   * @throws BuildException if it is not the same
   */
  private boolean isStillFinished(FinishedBuild finished, WorkDirectory directory)
      throws IOException, InterruptedException {
    try {
      finished.require(options, target, directory, progress);
    } catch (BuildException | CorruptIndexException e) {
      if (!options.overwrite()) {
        throw e;
      }
      recovery.warnings().accept(e.getMessage() + "; rebuilding it");
      return false;
    }
    recovery.notices().accept(directory.output() + " was already complete");
    progress.enter(Stage.DONE);
    foundComplete = true;
    return true;
  }

  private WorkDirectory workDirectory(boolean isFinished) throws IOException {
    OutputValidator soundness =
        OutputValidator.of(
            index -> target.check(index, options.resources().threads()), recovery.warnings());
    return WorkDirectory.create(
        options.output(),
        isFinished ? target::isIndex : replaceable(),
        recovery.start(),
        soundness);
  }

  private Resumption resumption(WorkDirectory directory) {
    return new Resumption(directory, reading(directory), target.kind(), recovery);
  }

  private BuildReport build(WorkDirectory directory) throws IOException, InterruptedException {
    Resumption resumption = resumption(directory);
    try (BuildLog log = BuildLog.start(progress);
        InMemoryRuns kept = new InMemoryRuns(plan.keptBytes());
        Checkpoints saved = canBeContinued() ? resumption.open() : Checkpoints.none()) {
      try {
        BuildOptions reading = reading(directory);
        if (options.readsStandardInput() && saved.cut() == null) {
          receive(directory, log);
        }
        return build(
            new Job(reading, plan, devices, directory, saved, kept, log, progress, recovery));
      } catch (IOException | InterruptedException | RuntimeException | Error e) {
        resumption.rescue(saved, e);
        throw e;
      }
    }
  }

  private boolean canBeContinued() {
    return target.mergesRuns() && source.isRepeatable();
  }

  /** The options with the place of the copy, if standard input is read. */
  private BuildOptions reading(WorkDirectory directory) {
    return options.readsStandardInput()
        ? options.withSource(
            options.source().withStandardInput(directory.standardInput()), options.duplicates())
        : options;
  }

  /**
   * Copies standard input, unless an interrupted build has left a copy. The copy gets its name when
   * it is complete. The crawl is listed, and recorded in the journal, only then, so a build that is
   * resumed finds all of it.
   */
  private void receive(WorkDirectory directory, BuildLog log) throws IOException {
    Path copy = directory.standardInput();
    if (Files.exists(copy)) {
      recovery.notices().accept("standard input was already copied");
      return;
    }
    Path part = directory.standardInputPart();
    progress.enter(Stage.RECEIVE);
    if (input == null && StandardInput.isTerminal()) {
      throw new BuildException("standard input is a terminal: pipe documents into it");
    }
    InputStream from = input == null ? StandardInput.stream() : input;
    if (StandardInput.copy(from, part, progress::receive) == 0) {
      throw new BuildException("standard input is empty: there is nothing to index");
    }
    if (canBeContinued()) {
      Directories.forceContent(part);
    }
    Files.move(part, copy, StandardCopyOption.ATOMIC_MOVE);
    if (canBeContinued()) {
      Directories.force(copy);
    }
    log.endPhase("standard input");
    progress.enter(Stage.SCAN);
  }

  /** The stages of a build, one after the other. */
  private BuildReport build(Job job) throws IOException, InterruptedException {
    BuildReport report;
    try (Assembly index = target.assemble(job)) {
      try (Watchdog watch = Watchdog.start(progress, recovery.warnings())) {
        Map<String, String> identity = Resumption.identity(options, target);
        try (Splits splits = scan(job)) {
          invert(splits, index, job);
          job.log().madeOf(new BuildReport.Origin(identity, splits.input()));
        }
        index.merge();
        watch.end();
      }
      report = report(index, job);
      complete(index, job);
    }
    job.directory().publish();
    progress.enter(Stage.DONE);
    return report;
  }

  private Splits scan(Job job) {
    InversionChoice choice =
        !target.mergesRuns() && InversionStage.mayHaveDevice()
            ? InversionChoice.of(options, plan, ListForm.LUCENE)
            : InversionChoice.NONE;
    return source.open(job.options(), job.directory(), job.saved(), job.progress(), choice);
  }

  private static void invert(Splits splits, Assembly index, Job job)
      throws IOException, InterruptedException {
    new DocumentPhase(job.options(), job.plan(), job.devices(), job.log(), job.progress())
        .run(splits, job.directory().runs(), index.runs(), index::restore);
  }

  /** Verifies the index and writes the build's reports into it. */
  private static BuildReport report(Assembly index, Job job) throws IOException {
    index.verify();
    job.log().listSkipped(job.directory().index());
    // The report has the time that checkpoints took up to here.
    job.saved().stop();
    Assembly.Merged merged = index.merged();
    return job.log()
        .report(
            job.options(),
            merged.content(),
            merged.runs(),
            job.directory().index(),
            merged.terms());
  }

  /** Records that the index is complete. */
  private void complete(Assembly index, Job job) throws IOException {
    job.saved().complete(index::identifyingFile, target.form());
    if (target.sequel() != null) {
      job.saved().saveComplete();
    }
    index.complete();
  }

  /** Runs the sequel. The record that the index is complete stays until it has ended. */
  private void follow(BuildReport report, WorkDirectory directory)
      throws IOException, InterruptedException {
    Target.Sequel sequel = target.sequel();
    if (sequel == null) {
      return;
    }
    directory.keep(true);
    try {
      Directories.deleteTree(directory.runs());
      sequel.run(report);
      directory.keep(false);
    } catch (FormatLimitException | DuplicateIdException e) {
      // A later attempt would fail, too.
      directory.keep(false);
      throw e;
    } catch (IOException | InterruptedException | RuntimeException | Error e) {
      warnOfSequel();
      throw e;
    }
  }

  /** Runs the sequel of a build that was complete; nothing needs to be kept for a later attempt. */
  private BuildReport followAgain(BuildReport report) throws IOException, InterruptedException {
    Target.Sequel sequel = target.sequel();
    if (sequel != null) {
      try {
        sequel.run(report);
      } catch (FormatLimitException | DuplicateIdException | CorruptIndexException e) {
        // A later attempt would fail, too.
        throw e;
      } catch (IOException | InterruptedException | RuntimeException | Error e) {
        warnOfSequel();
        throw e;
      }
    }
    return report;
  }

  private void warnOfSequel() throws IOException {
    recovery
        .warnings()
        .accept(
            "%s is complete; the same command with --resume does the rest"
                .formatted(OutputPlace.of(options.output(), null).output()));
  }
}
