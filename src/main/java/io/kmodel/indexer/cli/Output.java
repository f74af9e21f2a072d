package io.kmodel.indexer.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Where commands print to. It keeps the first failure to write, which a PrintWriter passes over in
 * silence, and has it count at the end of the call; nothing is written after it.
 */
final class Output extends OutputStream {
  private static final Path STANDARD = Path.of("/dev/stdout");
  private static final int TYPE_OF_FILE = 0170000;
  private static final int FIFO = 0010000;
  private static final int SOCKET = 0140000;

  private final OutputStream stream;
  private final BooleanSupplier isPipe;
  private final PrintWriter writer;
  private @Nullable IOException failure;

  /**
   * Output to a stream.
   *
   * @param isPipe whether somebody reads it, who may stop to
   */
  Output(OutputStream stream, Charset charset, BooleanSupplier isPipe) {
    this.stream = stream;
    this.isPipe = isPipe;
    this.writer = new PrintWriter(this, true, charset);
  }

  /** The process's own. */
  static Output standard() {
    return new Output(
        new FileOutputStream(FileDescriptor.out), System.out.charset(), Output::standardIsPipe);
  }

  /** Prints lines, each of which is seen at once. */
  static Consumer<String> lines(PrintWriter out) {
    return line -> {
      out.println(line);
      out.flush();
    };
  }

  /** What to print to, by one thread at a time; a line is written when it ends. */
  PrintWriter writer() {
    return writer;
  }

  /**
   * What a call ends with that would end with a code: with that; with 141, in silence, if its
   * reader has closed the pipe, as a program ends that SIGPIPE has killed; or with an error.
   */
  int exitCode(int code, Log log) {
    writer.flush();
    if (failure == null || code > ExitCode.INCOMPLETE) {
      return code;
    }
    if (isPipe.getAsBoolean()) {
      return ExitCode.UNREAD;
    }
    log.error("standard output: " + failure.getMessage(), ExitCode.FAILED);
    return ExitCode.FAILED;
  }

  /**
   * A pipe cannot be full for good: writing to it fails only if nobody reads it any more. The
   * failure's message does not tell, since it is in the language of the locale.
   */
  private static boolean standardIsPipe() {
    try {
      int type = (int) Files.getAttribute(STANDARD, "unix:mode") & TYPE_OF_FILE;
      return type == FIFO || type == SOCKET;
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    if (failure != null) {
      throw failure;
    }
    try {
      stream.write(bytes, offset, length);
    } catch (IOException e) {
      failure = e;
      throw e;
    }
  }
}
