package io.kmodel.indexer.cli.option;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.source.RemotePath;
import io.kmodel.indexer.source.unpack.GzipInput;
import io.kmodel.indexer.source.unpack.InputBytes;
import io.kmodel.indexer.store.disk.NamingInput;
import java.io.IOException;
import java.io.InputStream;
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

/** A list of paths and URLs in a file, which follow those of the command line. */
public final class FromOption {
  private static final char NUL = '\0';

  @Option(
      names = "--from",
      paramLabel = "FILE",
      converter = PathArgument.Input.class,
      description =
          "Also index the paths and URLs that FILE lists, one per line, after those given here; - is"
              + " standard input. FILE may be in gzip. If it has a NUL character, paths end with it,"
              + " as those of find -print0.")
  private @Nullable Path file;

  @Option(
      names = "--base",
      paramLabel = "URL",
      description =
          "Put URL before the entries of --from that are no URLs, such as"
              + " https://data.commoncrawl.org/ before those of warc.paths.gz.")
  private @Nullable String base;

  /** The command that has this option. */
  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  @SuppressWarnings("NullAway.Init") // picocli fills the option
  FromOption() {}

  /**
   * The paths of the command line, then those of the list.
   *
   * @throws ParameterException if nothing is named, a URL is wrong, or the list is not text in
   *     UTF-8
   */
  public ImmutableList<Path> paths(List<Path> given) throws IOException {
    ImmutableList.Builder<Path> all = ImmutableList.builder();
    for (Path path : given) {
      if (path.toString().isEmpty()) {
        throw usage(PathArgument.EMPTY);
      }
      requireUsable(path, "");
      all.add(path);
    }
    requireOneReader(given);
    requireBase();
    if (file != null) {
      addListed(file, all);
    }
    ImmutableList<Path> paths = all.build();
    requireOneReader(paths);
    if (paths.isEmpty()) {
      throw usage(
          file == null
              ? "nothing to index: give one or more PATHs, or a list of them with --from"
              : "nothing to index: %s lists no path".formatted(file));
    }
    return paths;
  }

  /** Refuses standard input among the paths for an option that reads before the build. */
  public void refuseStandardInput(List<Path> paths, String option) {
    if (paths.stream().anyMatch(PathArgument::isStandardInput)) {
      throw usage(option + " cannot estimate standard input (-), which can be read only once");
    }
  }

  /** Refuses to read standard input twice. */
  private void requireOneReader(List<Path> paths) {
    long readers = paths.stream().filter(PathArgument::isStandardInput).count();
    if (file != null && PathArgument.isStandardInput(file)) {
      readers++;
    }
    if (readers > 1) {
      throw usage("standard input (-) can be read only once, as a PATH or by --from");
    }
  }

  private void requireBase() {
    String start = base;
    if (start == null) {
      return;
    }
    if (file == null) {
      throw usage("--base is for the entries of a list; name it with --from");
    }
    if (!RemotePath.isUrl(start)) {
      throw usage(
          "--base must be a URL, such as https://data.commoncrawl.org/; got "
              + RemotePath.withoutLogin(start));
    }
    RemotePath url = RemotePath.of(start);
    if (!url.isS3() && start.indexOf('?') >= 0) {
      throw usage("--base %s has a query (?…), which entries would be added to".formatted(url));
    }
    String problem = RemotePath.of(joined(start, "host/file")).problem();
    if (problem != null) {
      throw usage("--base %s cannot be used: %s".formatted(url, problem));
    }
  }

  /** Refuses a URL that cannot be read. */
  private void requireUsable(Path path, String where) {
    if (path instanceof RemotePath url && url.problem() != null) {
      throw usage("%s%s cannot be read: %s".formatted(where, url, url.problem()));
    }
  }

  private ParameterException usage(String message) {
    return new ParameterException(command.commandLine(), message);
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

  private Path path(Path list, String entry, int number) {
    String path = base == null || RemotePath.isUrl(entry) ? entry : joined(base, entry);
    if (RemotePath.isUrl(path)) {
      Path url = RemotePath.of(path);
      String comment = entry.startsWith("#") ? " (lists have no comments)" : "";
      requireUsable(url, "%s: entry %d%s: ".formatted(list, number, comment));
      return url;
    }
    try {
      return Path.of(path);
    } catch (InvalidPathException e) {
      throw new ParameterException(
          command.commandLine(), "%s: entry %d is no path: %s".formatted(list, number, path), e);
    }
  }

  private static String joined(String start, String entry) {
    String left = start.endsWith("/") ? start : start + "/";
    return left + (entry.startsWith("/") ? entry.substring(1) : entry);
  }

  /** The bytes of a list, decompressed. */
  private static byte[] bytes(Path list) throws IOException {
    byte[] bytes = NamingInput.readAll(list);
    if (!GzipInput.isGzip(bytes, 0, bytes.length)) {
      return bytes;
    }
    InputBytes packed = InputBytes.of(bytes, 0, bytes.length);
    try (InputStream in = new GzipInput(packed, "list", GzipInput.NEVER_AT_ONCE)) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new IOException(
          "%s: the list cannot be decompressed: %s".formatted(list, e.getMessage()), e);
    }
  }

  private String text(Path list) throws IOException {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes(list))).toString();
    } catch (CharacterCodingException e) {
      throw new ParameterException(
          command.commandLine(),
          list + ": the list is not in UTF-8; if it is compressed, only gzip is read",
          e);
    }
  }
}
