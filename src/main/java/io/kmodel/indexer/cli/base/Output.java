package io.kmodel.indexer.cli.base;

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
 * The output of commands. It keeps the first write failure, which a PrintWriter hides, and reports
 * it at the end of the call. After a failure it writes nothing.
 */
public final class Output extends OutputStream {
  private static final Path STANDARD = Path.of("/dev/stdout");
  private static final int TYPE_OF_FILE = 0170000;
  private static final int FIFO = 0010000;
  private static final int SOCKET = 0140000;

  private final OutputStream stream;
  private final BooleanSupplier isPipe;
  private final PrintWriter writer;
  private @Nullable IOException failure;

  /**
   * Creates output to a stream.
   *
   * @param isPipe whether a reader may close the other end
   */
  Output(OutputStream stream, Charset charset, BooleanSupplier isPipe) {
    this.stream = stream;
    this.isPipe = isPipe;
    this.writer = new PrintWriter(this, true, charset);
  }

  /** Returns the standard output of the process. */
  public static Output standard() {
    return new Output(
        new FileOutputStream(FileDescriptor.out), System.out.charset(), Output::standardIsPipe);
  }

  /** Returns a consumer that prints and flushes lines. */
  public static Consumer<String> lines(PrintWriter out) {
    return line -> {
      out.println(line);
      out.flush();
    };
  }

  /** Returns the writer, for one thread at a time; it writes a line when the line ends. */
  public PrintWriter writer() {
    return writer;
  }

  /**
   * Returns the exit code of a call. It is the given code if all output was written or the call had
   * failed before. If the reader has closed the pipe, it is 141 without a message, as for a program
   * killed by SIGPIPE. Otherwise the write failure is reported.
   */
  public int exitCode(int code, Log log) {
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
   * Whether standard output is a pipe or socket. Writing to one fails only if its reader has closed
   * it. The failure's message cannot tell, because it is localized.
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
