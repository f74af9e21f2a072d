package io.kmodel.indexer.cli.option;

import io.kmodel.indexer.cli.view.ExportText;
import io.kmodel.indexer.export.ciff.CiffExportOptions;
import io.kmodel.indexer.export.ciff.CiffExporter;
import io.kmodel.indexer.export.ciff.CiffLengths;
import io.kmodel.indexer.export.ciff.MalformedCiffException;
import io.kmodel.indexer.export.lucene.ExportOptions;
import io.kmodel.indexer.export.lucene.IndexCheck;
import io.kmodel.indexer.export.lucene.LuceneExporter;
import io.kmodel.indexer.export.lucene.TargetDirectory;
import io.kmodel.indexer.export.lucene.segment.ExportCodec;
import io.kmodel.indexer.export.lucene.version.LuceneVersion;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.model.ProgressListener;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.indexing.Target;
import io.kmodel.indexer.source.RemotePath;
import io.kmodel.indexer.source.StandardInput;
import io.kmodel.indexer.store.CorruptIndexException;
import io.kmodel.indexer.store.disk.DiskSpace;
import io.kmodel.indexer.store.disk.Places;
import io.kmodel.indexer.store.disk.StagedOutput;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * The options that make a build or merge write a Lucene index or CIFF file besides its index, or a
 * build instead of it.
 */
public final class ExportArguments {
  private static final List<String> LUCENE_OPTIONS =
      List.of("--segments", "--codec", "--check", "--lucene-version", TermVectorsOption.NAME);

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--export",
      paramLabel = "lucene:DIR|ciff:FILE",
      converter = ExportTarget.Converter.class,
      description = {
        "Also write a Lucene index in DIR or a CIFF file of the field contents, once the index is"
            + " complete. 'build' without --output puts its runs straight into the files of Lucene's"
            + " index and writes nothing else. The command 'indexer export ciff' has more options."
      })
  private @Nullable ExportTarget target;

  @Option(
      names = "--segments",
      paramLabel = "N",
      description =
          "Write at most N Lucene segments, each a contiguous range of documents (default: one per"
              + " run or thread, the fastest).")
  private @Nullable Integer segments;

  @Option(
      names = "--codec",
      paramLabel = "CODEC",
      defaultValue = "best-speed",
      description =
          "Compress the Lucene index's stored fields for best-speed or best-compression (default:"
              + " ${DEFAULT-VALUE}).")
  private ExportCodec codec;

  @Option(
      names = "--check",
      paramLabel = "LEVEL",
      defaultValue = "content",
      description =
          "Run CheckIndex on the Lucene index at this level: none, checksums, content or slow"
              + " (default: ${DEFAULT-VALUE}).")
  private IndexCheck check;

  @Mixin private VersionOption version;
  @Mixin private TermVectorsOption vectors;
  @Mixin private SpaceOption space;

  @SuppressWarnings("NullAway.Init") // picocli fills the options
  ExportArguments() {}

  /** Returns the export's target; null if nothing is exported. */
  @Nullable
  public ExportTarget target() {
    return target;
  }

  /** How the Lucene index is checked. */
  public IndexCheck check() {
    return check;
  }

  /** How the Lucene index's stored fields are compressed. */
  public ExportCodec codec() {
    return codec;
  }

  /** Whether the disk must have room, for the build and the export. */
  public DiskSpace space() {
    return space.space();
  }

  /** Whether a Lucene index is written. */
  public boolean writesLucene() {
    return target != null && target.engine() == ExportTarget.Engine.LUCENE;
  }

  /** Whether a Lucene index gets term vectors. */
  public boolean writesVectors() {
    return writesLucene() && vectors.isWanted();
  }

  /** Whether every run becomes a segment if the build writes only a Lucene index. */
  public boolean segmentPerRun() {
    return target != null && segments == null;
  }

  /** Returns the target of a build that writes Lucene's files directly. */
  public Target ofBuild() {
    return Target.lucene(segments == null ? Target.SEGMENT_PER_RUN : segments, check, codec);
  }

  /**
   * Checks, before the build starts, that nothing prevents the export.
   *
   * @param inputs the inputs of the build
   * @param output where the index will be; null for none
   * @param threads the threads of the export
   * @param resumes whether the export of the index that is there may be there, too
   * @throws IllegalArgumentException if something does, or if the options conflict
   * @throws FileSystemException if the target is not writable, as far as can be told without
   *     writing
   */
  public void require(
      List<Path> inputs, @Nullable Path output, boolean overwrite, int threads, boolean resumes)
      throws IOException {
    if (target == null) {
      Given.refuse(spec, LUCENE_OPTIONS, "--export");
    }
    if (segments != null && segments < 1) {
      throw new IllegalArgumentException("--segments must be at least 1; got " + segments);
    }
    if (target == null) {
      return;
    }
    if (output == null && version.version() != LuceneVersion.NEWEST) {
      throw new IllegalArgumentException(
          "an index for Lucene %s is made from an index of our own: give --output, too"
              .formatted(version.version()));
    }
    if (output == null && writesVectors()) {
      throw new IllegalArgumentException(
          "term vectors are made from an index of our own: give --output, too");
    }
    if (output != null) {
      requireApart(output, target.path());
      requireNoInput(inputs, target.path(), places());
    }
    boolean isFree = overwrite || (resumes && output != null && isMade(output, target, threads));
    if (target.engine() == ExportTarget.Engine.CIFF) {
      Given.refuse(spec, LUCENE_OPTIONS, "--export=lucene:DIR");
      requireCiff(output, target.path(), isFree);
    } else if (output != null) {
      ofExport(threads);
      requireLucene(target.path(), isFree);
    }
  }

  /** Whether the export of an index is in place. */
  private boolean isMade(Path output, ExportTarget to, int threads) throws IOException {
    Path directory = Places.real(output);
    if (!Files.exists(to.path()) || !Files.isDirectory(directory)) {
      return false;
    }
    try (InvertedIndex index = InvertedIndex.open(directory)) {
      return isMade(index, to, threads);
    } catch (CorruptIndexException | NoSuchFileException e) {
      return false;
    }
  }

  private boolean isMade(InvertedIndex index, ExportTarget to, int threads) throws IOException {
    return to.engine() == ExportTarget.Engine.CIFF
        ? CiffExporter.isExport(index, to.path(), ofCiff(false))
        : LuceneExporter.isExport(index, to.path(), ofExport(threads), segments == null);
  }

  /**
   * Whether the export of an index is in place, complete and not damaged.
   *
   * @param overwrite whether a damaged one may be replaced
   * @throws CorruptIndexException if it is damaged and may not be replaced
   */
  public boolean isComplete(
      InvertedIndex index,
      ExportTarget to,
      boolean overwrite,
      int threads,
      ProgressListener progress)
      throws IOException {
    if (!isMade(index, to, threads)) {
      return false;
    }
    try {
      if (to.engine() == ExportTarget.Engine.CIFF) {
        CiffExporter.check(index, to.path(), ofCiff(false), progress);
      } else {
        LuceneExporter.check(to.path(), ofExport(threads));
      }
      return true;
    } catch (CorruptIndexException | MalformedCiffException e) {
      if (overwrite) {
        return false;
      }
      throw new CorruptIndexException(
          to.path().toString(),
          "the export is damaged; replace it with --overwrite: " + e.getMessage(),
          e);
    }
  }

  private CiffExportOptions ofCiff(boolean overwrite) {
    return new CiffExportOptions(Schema.CONTENTS, CiffLengths.EXACT, overwrite, space());
  }

  /**
   * Checks that something can be created at the export's target.
   *
   * @param output where the index will be; null for none
   * @throws FileSystemException if it cannot
   */
  public void tryMaking(@Nullable Path output) throws IOException {
    if (output != null && target != null) {
      Places.tryMaking(target.path());
    }
  }

  /** Requires that nothing is exported into an index. */
  public void requireApartFrom(Path index) throws IOException {
    if (target != null) {
      requireApart(index, target.path());
    }
  }

  /**
   * Requires that an index and its export do not overlap: a directory with foreign files is not
   * recognized as an index.
   *
   * @throws IllegalArgumentException if they are the same or one contains the other
   */
  public static void requireApart(Path index, Path export) throws IOException {
    if (Places.meet(index, export)) {
      throw new IllegalArgumentException(
          "the index %s and the export %s must not be the same or contain each other"
              .formatted(index, export));
    }
  }

  /** Refuses inputs that the export would replace or delete. */
  private static void requireNoInput(List<Path> inputs, Path export, List<Path> places)
      throws IOException {
    for (Path input : inputs) {
      for (Path place : places) {
        boolean isOnDisk = !StandardInput.is(input) && !(input instanceof RemotePath);
        if (isOnDisk && Places.isWithin(input, place)) {
          throw new IllegalArgumentException(
              "%s cannot be input if %s is exported to".formatted(input, export));
        }
      }
    }
  }

  private void requireCiff(@Nullable Path output, Path file, boolean overwrite) throws IOException {
    if (output == null) {
      throw new IllegalArgumentException(
          "--export ciff:FILE is made from an index: give --output, too");
    }
    requireFile(file, overwrite);
    Path directory = Places.real(file).getParent();
    // The build creates the directories that contain the index.
    if (directory != null
        && !Files.isDirectory(directory)
        && !Places.real(output).startsWith(directory)) {
      throw new IllegalArgumentException(
          "%s: no such directory to export %s to".formatted(directory, file));
    }
    CiffExporter.target(file, overwrite).requireMakable();
  }

  /**
   * Checks that a file may be written at this path.
   *
   * @throws IllegalArgumentException if not
   */
  public static void requireFile(Path file, boolean overwrite) {
    if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      throw new IllegalArgumentException(
          "%s exists and is not a regular file, so it cannot be replaced".formatted(file));
    }
    if (!overwrite) {
      throw new IllegalArgumentException("%s exists; --overwrite replaces it".formatted(file));
    }
  }

  /**
   * Checks that a Lucene index may be created in a directory.
   *
   * @throws IllegalArgumentException if the directory holds something that must not be lost
   * @throws FileSystemException if the index could not be created
   */
  public static void requireLucene(Path directory, boolean overwrite) throws IOException {
    try {
      directory(directory, overwrite).requireFree();
    } catch (FileAlreadyExistsException e) {
      if (!overwrite && Files.isDirectory(directory) && Target.isLuceneIndex(directory)) {
        throw new IllegalArgumentException(
            "%s already has a Lucene index; --overwrite replaces it".formatted(directory), e);
      }
      throw new IllegalArgumentException(
          overwrite
              ? e.getMessage() + ", and is not a Lucene index or has other files in it"
              : e.getMessage() + "; --overwrite replaces a Lucene index",
          e);
    }
  }

  /** Returns the paths to which the export writes. */
  public List<Path> places() throws IOException {
    if (target == null) {
      return List.of();
    }
    return switch (target.engine()) {
      case LUCENE -> directory(target.path(), true).places();
      case CIFF -> CiffExporter.target(target.path(), true).places();
    };
  }

  /** Returns the output of an export to Lucene. */
  public static StagedOutput directory(Path directory, boolean overwrite) throws IOException {
    return overwrite
        ? TargetDirectory.replacing(directory, Target::isLuceneIndex)
        : TargetDirectory.absentOrEmpty(directory);
  }

  private ExportOptions ofExport(int threads) {
    // Every segment of an older version is written from the whole index.
    int usual = version.version() == LuceneVersion.NEWEST ? threads : 1;
    int most = segments == null ? usual : segments;
    return new ExportOptions(most, threads, check, codec, version.version(), space())
        .withVectors(vectors.isWanted());
  }

  /**
   * Exports a finished index.
   *
   * @return a line about the export
   */
  public String export(
      InvertedIndex index,
      ExportTarget to,
      boolean overwrite,
      int threads,
      ProgressListener progress)
      throws IOException {
    if (to.engine() == ExportTarget.Engine.CIFF) {
      return ExportText.of(
          to.path(), CiffExporter.export(index, to.path(), ofCiff(overwrite), progress));
    }
    return ExportText.of(
        to.path(),
        LuceneExporter.export(index, directory(to.path(), overwrite), ofExport(threads), progress));
  }
}
