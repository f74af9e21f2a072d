package io.kmodel.indexer.cli;

import io.kmodel.indexer.build.LuceneBuild;
import io.kmodel.indexer.export.ciff.CiffExportOptions;
import io.kmodel.indexer.export.ciff.CiffExporter;
import io.kmodel.indexer.export.ciff.CiffLengths;
import io.kmodel.indexer.export.lucene.ExportCodec;
import io.kmodel.indexer.export.lucene.ExportOptions;
import io.kmodel.indexer.export.lucene.IndexCheck;
import io.kmodel.indexer.export.lucene.LuceneExporter;
import io.kmodel.indexer.export.lucene.TargetDirectory;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.ProgressListener;
import io.kmodel.indexer.index.Schema;
import io.kmodel.indexer.store.Places;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options that say what a build makes besides or in place of an index of ours. */
final class ExportArguments {
  private static final List<String> LUCENE_OPTIONS = List.of("--segments", "--codec", "--check");

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--export",
      paramLabel = "lucene:DIR|ciff:FILE",
      converter = ExportTarget.Converter.class,
      description = {
        "Build a Lucene index in DIR. Without --output nothing else is written: runs go straight into Lucene's"
            + " files. With it, the index is built first and then exported. Or, with --output, export the"
            + " field contents to a CIFF file; 'indexer export ciff' has more options."
      })
  private @Nullable ExportTarget target;

  @Option(
      names = "--segments",
      paramLabel = "N",
      description =
          "Segments of the Lucene index, at most; with more than one, each is a contiguous range of documents"
              + " (default: one for each run, which is the fastest).")
  private @Nullable Integer segments;

  @Option(
      names = "--codec",
      paramLabel = "CODEC",
      defaultValue = "best-speed",
      description =
          "How the Lucene index's stored fields are compressed: best-speed or best-compression (default:"
              + " ${DEFAULT-VALUE}).")
  private ExportCodec codec;

  @Option(
      names = "--check",
      paramLabel = "LEVEL",
      defaultValue = "content",
      description =
          "What CheckIndex looks at in the Lucene index: none, checksums, content or slow (default:"
              + " ${DEFAULT-VALUE}).")
  private IndexCheck check;

  @SuppressWarnings("NullAway.Init") // picocli fills the options
  ExportArguments() {}

  /** What is exported, and where to; null for nothing. */
  @Nullable ExportTarget target() {
    return target;
  }

  /** Whether every run becomes a segment, where there is no index of ours. */
  boolean segmentPerRun() {
    return target != null && segments == null;
  }

  /** How a Lucene index is built at once. */
  LuceneBuild.Target ofBuild() {
    return new LuceneBuild.Target(
        segments == null ? LuceneBuild.SEGMENT_PER_RUN : segments, check, codec);
  }

  /**
   * Looks whether anything would be in the way of the export, which is better heard of before the
   * build.
   *
   * @param inputs of the build
   * @param output where the index will be; null for none
   * @param threads that will export
   * @throws IllegalArgumentException if there is, or if the options do not go together
   * @throws FileSystemException if nothing can be written there, as far as that is told without
   *     writing
   */
  void require(List<Path> inputs, @Nullable Path output, boolean overwrite, int threads)
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
    if (output != null) {
      requireApart(output, target.path());
      requireNoInput(inputs, target.path(), places());
    }
    if (target.engine() == ExportTarget.Engine.CIFF) {
      Given.refuse(spec, LUCENE_OPTIONS, "--export=lucene:DIR");
      requireCiff(output, target.path(), overwrite);
    } else if (output != null) {
      ofExport(threads);
      requireLucene(target.path(), overwrite);
    }
  }

  /**
   * Finds out whether something can be made where the export of an index goes.
   *
   * @param output where the index will be; null for none
   * @throws FileSystemException if not
   */
  void tryMaking(@Nullable Path output) throws IOException {
    if (output != null && target != null) {
      Places.tryMaking(target.path());
    }
  }

  /**
   * An index with something else in it is not taken for one any more.
   *
   * @throws IllegalArgumentException if they would be one, or one inside the other
   */
  static void requireApart(Path index, Path export) throws IOException {
    if (Places.meet(index, export)) {
      throw new IllegalArgumentException(
          "the index %s and what is exported, %s, must not be one place, nor one inside the other"
              .formatted(index, export));
    }
  }

  /** What an export replaces or deletes is not read for it. */
  private static void requireNoInput(List<Path> inputs, Path export, List<Path> places)
      throws IOException {
    for (Path input : inputs) {
      for (Path place : places) {
        if (Places.isWithin(input, place)) {
          throw new IllegalArgumentException(
              "%s cannot be input of a build that exports to %s".formatted(input, export));
        }
      }
    }
  }

  private void requireCiff(@Nullable Path output, Path file, boolean overwrite) throws IOException {
    if (output == null) {
      throw new IllegalArgumentException(
          "--export ciff:FILE is made of an index, which needs --output");
    }
    requireFile(file, overwrite);
    Path directory = Places.real(file).getParent();
    // The build makes those that the index is in.
    if (directory != null
        && !Files.isDirectory(directory)
        && !Places.real(output).startsWith(directory)) {
      throw new IllegalArgumentException(
          "%s: no such directory to export %s into".formatted(directory, file));
    }
    CiffExporter.requireMakable(file);
  }

  /**
   * Looks whether a file may be written there.
   *
   * @throws IllegalArgumentException if not
   */
  static void requireFile(Path file, boolean overwrite) {
    if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      throw new IllegalArgumentException(
          "%s is there, and is no regular file that could be replaced".formatted(file));
    }
    if (!overwrite) {
      throw new IllegalArgumentException("%s exists; --overwrite replaces it".formatted(file));
    }
  }

  /**
   * Looks whether a Lucene index may be made there.
   *
   * @throws IllegalArgumentException if something is there that is not to be lost
   * @throws FileSystemException if it could not be made
   */
  static void requireLucene(Path directory, boolean overwrite) throws IOException {
    try {
      directory(directory, overwrite).requireFree();
    } catch (FileAlreadyExistsException e) {
      throw new IllegalArgumentException(
          overwrite
              ? e.getMessage() + ", and is no Lucene index, or has other files besides"
              : e.getMessage() + "; --overwrite replaces a Lucene index",
          e);
    }
  }

  /** Where something is made of an index. */
  List<Path> places() throws IOException {
    if (target == null) {
      return List.of();
    }
    return switch (target.engine()) {
      case LUCENE -> directory(target.path(), true).places();
      case CIFF -> List.of(target.path(), CiffExporter.work(target.path()));
    };
  }

  /** Where a Lucene index is made. */
  static TargetDirectory directory(Path directory, boolean overwrite) throws IOException {
    return overwrite
        ? TargetDirectory.replacing(directory, LuceneBuild::isIndex)
        : TargetDirectory.absentOrEmpty(directory);
  }

  private ExportOptions ofExport(int threads) {
    int most = segments == null ? threads : segments;
    return new ExportOptions(most, threads, check, codec);
  }

  /** Exports an index that was built. */
  void export(
      InvertedIndex index,
      ExportTarget to,
      boolean overwrite,
      int threads,
      ProgressListener progress)
      throws IOException {
    if (to.engine() == ExportTarget.Engine.CIFF) {
      CiffExporter.export(
          index,
          to.path(),
          new CiffExportOptions(Schema.CONTENTS, CiffLengths.EXACT, overwrite),
          progress);
    } else {
      LuceneExporter.export(index, directory(to.path(), overwrite), ofExport(threads), progress);
    }
  }
}
