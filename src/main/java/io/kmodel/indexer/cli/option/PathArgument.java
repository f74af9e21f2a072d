package io.kmodel.indexer.cli.option;

import io.kmodel.indexer.source.RemotePath;
import io.kmodel.indexer.source.StandardInput;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine;

/**
 * Parses a path from the command line. It refuses an empty path, e.g. from an unset shell variable,
 * which would mean the current directory.
 */
public final class PathArgument implements CommandLine.ITypeConverter<Path> {
  /** Standard input or output, as in other programs. */
  private static final String STANDARD = "-";

  private static final Path STANDARD_OUTPUT = Path.of("/dev/stdout");

  static final String EMPTY = "empty path; use . for the current directory";

  @Override
  public Path convert(String value) {
    if (value.isEmpty()) {
      throw new CommandLine.TypeConversionException(EMPTY);
    }
    if (RemotePath.isUrl(value)) {
      throw url(value, "only paths on disk can be opened here");
    }
    return Path.of(value);
  }

  /**
   * Parses one of several paths, of which there may be none: picocli takes one that is refused for
   * no path at all, so {@link FromOption} refuses empty ones, and URLs that are wrong. A hyphen is
   * standard input.
   */
  public static final class OneOfMany implements CommandLine.ITypeConverter<Path> {
    @Override
    public Path convert(String value) {
      if (RemotePath.isUrl(value)) {
        return ofUrl(value);
      }
      return value.equals(STANDARD) ? StandardInput.PATH : Path.of(value);
    }
  }

  /** The path of a URL, which may be that of a file on disk, as Hadoop writes them. */
  private static Path ofUrl(String url) {
    return url.startsWith("file:///") ? Path.of(URI.create(url)) : RemotePath.of(url);
  }

  /** Parses the path of an output, or a URL, which only builds on a cluster can write to. */
  public static final class PerhapsStored implements CommandLine.ITypeConverter<Path> {
    private final Output output = new Output();

    @Override
    public Path convert(String value) {
      return RemotePath.isUrl(value) ? ofUrl(value) : output.convert(value);
    }
  }

  private static CommandLine.TypeConversionException url(String value, String why) {
    return new CommandLine.TypeConversionException(
        "'%s' is a URL: %s".formatted(RemotePath.of(value), why));
  }

  /** Parses the path of a file that is read once from start to end, or standard input. */
  static Path toBeRead(String value) {
    return value.equals(STANDARD) ? StandardInput.PATH : new PathArgument().convert(value);
  }

  /** Whether a path is standard input, which can be read only once. */
  public static boolean isStandardInput(Path path) {
    return StandardInput.is(path);
  }

  /** Whether a path is standard output, which can be written only once. */
  public static boolean isStandardOutput(Path path) {
    return path.equals(STANDARD_OUTPUT);
  }

  /** Parses the path of a file that is read once from start to end. */
  public static final class Input implements CommandLine.ITypeConverter<Path> {
    /** Refuses directories: Java opens them, and the read error does not name them. */
    @Override
    public Path convert(String value) {
      if (RemotePath.isUrl(value)) {
        throw url(value, "download it and name its path");
      }
      Path path = toBeRead(value);
      if (Files.isDirectory(path)) {
        throw new CommandLine.TypeConversionException(
            "'%s' is a directory, not a file".formatted(value));
      }
      return path;
    }
  }

  /** Parses the path of an output that must be created under exactly this name. */
  public static final class Output implements CommandLine.ITypeConverter<Path> {
    private final PathArgument any = new PathArgument();

    /** Refuses names that Java could not decode as UTF-8: the output would get another name. */
    @Override
    public Path convert(String value) {
      if (value.equals(STANDARD)) {
        throw new CommandLine.TypeConversionException(
            "'-' means standard output, which is not possible here; use ./- for a file named -");
      }
      if (value.indexOf('\uFFFD') >= 0) {
        throw new CommandLine.TypeConversionException(
            "'%s' cannot be written: its name is not in UTF-8".formatted(value));
      }
      if (RemotePath.isUrl(value)) {
        throw url(value, "only paths on disk can be written");
      }
      return any.convert(value);
    }
  }

  /** Parses the path of a file that is written once from start to end, or standard output. */
  public static final class Stream implements CommandLine.ITypeConverter<Path> {
    private final Output output = new Output();

    @Override
    public Path convert(String value) {
      return value.equals(STANDARD) ? STANDARD_OUTPUT : output.convert(value);
    }
  }
}
