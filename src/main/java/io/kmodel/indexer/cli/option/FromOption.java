package io.kmodel.indexer.cli.option;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.store.disk.NamingInput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A list of paths in a file, which follow the paths of the command line. */
public final class FromOption {
  private static final char NUL = '\0';

  @Option(
      names = "--from",
      paramLabel = "FILE",
      converter = PathArgument.Input.class,
      description =
          "Also index the paths that FILE lists, one per line, after those given here; - is standard"
              + " input. If FILE has a NUL character, paths end with it, as those of find -print0.")
  private @Nullable Path file;

  /** The command that has this option. */
  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  @SuppressWarnings("NullAway.Init") // picocli fills the option
  FromOption() {}

  /**
   * The paths of the command line, then those of the list.
   *
   * @throws ParameterException if nothing is named, or the list is not text in UTF-8
   */
  public ImmutableList<Path> paths(List<Path> given) throws IOException {
    ImmutableList.Builder<Path> all = ImmutableList.builder();
    for (Path path : given) {
      if (path.toString().isEmpty()) {
        throw new ParameterException(command.commandLine(), PathArgument.EMPTY);
      }
      all.add(path);
    }
    requireOneReader(given);
    if (file != null) {
      addListed(file, all);
    }
    ImmutableList<Path> paths = all.build();
    requireOneReader(paths);
    if (paths.isEmpty()) {
      throw new ParameterException(
          command.commandLine(),
          file == null
              ? "nothing to index: give one or more PATHs, or a list of them with --from"
              : "nothing to index: %s lists no path".formatted(file));
    }
    return paths;
  }

  /** Refuses standard input among the paths for an option that reads before the build. */
  public void refuseStandardInput(List<Path> paths, String option) {
    if (paths.stream().anyMatch(PathArgument::isStandardInput)) {
      throw new ParameterException(
          command.commandLine(),
          option + " cannot estimate standard input (-), which can be read only once");
    }
  }

  /** Refuses to read standard input twice. */
  private void requireOneReader(List<Path> paths) {
    long readers = paths.stream().filter(PathArgument::isStandardInput).count();
    if (file != null && PathArgument.isStandardInput(file)) {
      readers++;
    }
    if (readers > 1) {
      throw new ParameterException(
          command.commandLine(),
          "standard input (-) can be read only once, as a PATH or by --from");
    }
  }

  private void addListed(Path list, ImmutableList.Builder<Path> paths) throws IOException {
    String text = text(list);
    boolean lines = text.indexOf(NUL) < 0;
    int number = 0;
    for (String entry : Splitter.on(lines ? '\n' : NUL).split(text)) {
      number++;
      String path = lines && entry.endsWith("\r") ? entry.substring(0, entry.length() - 1) : entry;
      if (!path.isEmpty()) {
        paths.add(path(list, path, number));
      }
    }
  }

  private Path path(Path list, String path, int number) {
    try {
      return Path.of(path);
    } catch (InvalidPathException e) {
      throw new ParameterException(
          command.commandLine(), "%s: entry %d is no path: %s".formatted(list, number, path), e);
    }
  }

  private String text(Path list) throws IOException {
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(NamingInput.readAll(list)))
          .toString();
    } catch (CharacterCodingException e) {
      throw new ParameterException(command.commandLine(), list + ": the list is not in UTF-8", e);
    }
  }
}
