package io.kmodel.indexer.indexing.journal;

import io.kmodel.indexer.indexing.options.BuildException;
import io.kmodel.indexer.source.RemotePath;
import io.kmodel.indexer.source.StandardInput;
import io.kmodel.indexer.store.OutputFile;
import io.kmodel.indexer.store.disk.Directories;
import io.kmodel.indexer.store.disk.Places;
import io.kmodel.indexer.store.disk.StagedOutput;
import io.kmodel.indexer.store.disk.StagedOutput.Replaceable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where an index is built and appears. Links are followed, so that the index is made on the disk
 * that was meant.
 */
public final class OutputPlace {
  /** Entries of a build's work directory, see {@link WorkDirectory}. */
  static final String JOURNAL = "journal";

  static final String INPUT = "input";
  static final String RUNS = "runs";
  static final String STANDARD_INPUT = "stdin";

  /** The same while it is copied. */
  static final String STANDARD_INPUT_PART = "stdin.part";

  private static final StagedOutput.Names NAMES =
      new StagedOutput.Names(
          ".building",
          "index",
          Set.of(
              JOURNAL,
              INPUT,
              OutputFile.temporary(Path.of(INPUT)).toString(),
              RUNS,
              STANDARD_INPUT,
              STANDARD_INPUT_PART));

  private OutputPlace() {}

  /**
   * The output that a path names.
   *
   * @param replaceable what may be replaced there; null for nothing
   * @throws BuildException if no index can be there
   */
  public static StagedOutput of(Path path, @Nullable Replaceable replaceable) throws IOException {
    Path output = target(path);
    if (output.getFileName() == null) {
      throw new BuildException("an index cannot take the place of " + output);
    }
    return new StagedOutput(
        output, output, NAMES, there -> requireReplaceable(there, output, replaceable));
  }

  private static Path target(Path path) throws IOException {
    Path absolute = path.toAbsolutePath();
    if (Files.isSymbolicLink(absolute) && !Files.exists(absolute)) {
      throw new BuildException(
          "%s is a link to %s, which is not there; make a directory there, or name another output"
              .formatted(path, Files.readSymbolicLink(absolute)));
    }
    return Places.real(absolute);
  }

  private static void requireReplaceable(Path there, Path output, @Nullable Replaceable replaceable)
      throws IOException {
    if (!Directories.isOccupied(there)) {
      return;
    }
    if (replaceable == null) {
      String replacing = Files.isDirectory(there) ? ", or replace it with --overwrite" : "";
      throw new BuildException(output + " exists already; name another output" + replacing);
    }
    if (!Files.isDirectory(there) || !replaceable.test(there)) {
      throw new BuildException(
          output
              + " is not an index, or holds other files besides; it is not replaced even with"
              + " --overwrite");
    }
  }

  /**
   * Checks that a build does not read what it deletes: its work directory, and the index that it
   * replaces.
   *
   * @param output where the index appears
   * @param replaceable what may be replaced there; null for nothing
   * @throws BuildException if it would, or if no index can be there
   */
  public static void requireApart(List<Path> inputs, Path output, @Nullable Replaceable replaceable)
      throws IOException {
    StagedOutput out = of(output, replaceable);
    for (Path input : inputs) {
      if (StandardInput.is(input) || input instanceof RemotePath) {
        continue; // an open file can be read although its name is deleted
      }
      if (Places.isWithin(input, out.work())) {
        throw new BuildException(
            "%s cannot be input of a build of %s, which works in %s and deletes it; choose another output"
                .formatted(input, out.output(), out.work()));
      }
      if (replaceable != null
          && Files.isDirectory(out.output())
          && Places.isWithin(input, out.output())
          && replaceable.test(out.output())) {
        throw new BuildException(
            "%s cannot be input of a build of %s, which takes its place; choose another output"
                .formatted(input, out.output()));
      }
    }
  }
}
