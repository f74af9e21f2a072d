package io.kmodel.indexer.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine;

/**
 * Reads a path from the command line. None at all, which a variable of the shell that is not set
 * comes to, would be the current directory.
 */
final class PathArgument implements CommandLine.ITypeConverter<Path> {
  /** Standard input or output, as other programs have it, too. */
  private static final String STANDARD = "-";

  private static final Path STANDARD_INPUT = Path.of("/dev/stdin");
  private static final Path STANDARD_OUTPUT = Path.of("/dev/stdout");

  @Override
  public Path convert(String value) {
    if (value.isEmpty()) {
      throw new CommandLine.TypeConversionException("a path is empty; the current directory is .");
    }
    return Path.of(value);
  }

  /** A file that will be read, from its start to its end, or standard input. */
  static Path toBeRead(String value) {
    return value.equals(STANDARD) ? STANDARD_INPUT : new PathArgument().convert(value);
  }

  /** Whether a path is that of standard input, which can be read once. */
  static boolean isStandardInput(Path path) {
    return path.equals(STANDARD_INPUT);
  }

  /** The same of a file that will be read, from its start to its end. */
  static final class Input implements CommandLine.ITypeConverter<Path> {
    /** Java opens directories, and says of reading one only that it is one. */
    @Override
    public Path convert(String value) {
      Path path = toBeRead(value);
      if (Files.isDirectory(path)) {
        throw new CommandLine.TypeConversionException(
            "'%s' is a directory, not a file".formatted(value));
      }
      return path;
    }
  }

  /** The same of what will be written, under its own name or not at all. */
  static final class Output implements CommandLine.ITypeConverter<Path> {
    private final PathArgument any = new PathArgument();

    /** Java has decoded it: what was not UTF-8 would be written by another name. */
    @Override
    public Path convert(String value) {
      if (value.equals(STANDARD)) {
        throw new CommandLine.TypeConversionException(
            "'-' is standard output, where this cannot go; a path that is called so is ./-");
      }
      if (value.indexOf('\uFFFD') >= 0) {
        throw new CommandLine.TypeConversionException(
            "'%s' cannot be written: its name is not in UTF-8".formatted(value));
      }
      return any.convert(value);
    }
  }

  /** The same of a file that is written from its start to its end. */
  static final class Stream implements CommandLine.ITypeConverter<Path> {
    private final Output output = new Output();

    @Override
    public Path convert(String value) {
      return value.equals(STANDARD) ? STANDARD_OUTPUT : output.convert(value);
    }
  }
}
