package io.kmodel.indexer.cli.command;

import io.kmodel.indexer.browse.BrowseServer;
import io.kmodel.indexer.browse.BrowsedIndex;
import io.kmodel.indexer.cli.base.ExitCode;
import io.kmodel.indexer.cli.base.Log;
import io.kmodel.indexer.cli.option.IndexArgument;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code indexer browse}. */
@Command(
    name = "browse",
    mixinStandardHelpOptions = true,
    description = {
      "Show an index in a browser: searches with explained scores, terms, postings lists, documents"
          + " and statistics.",
      "",
      "INDEX may also be a Lucene index. The page is served until Ctrl-C, to this machine only,"
          + " and changes nothing.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {"  indexer browse index", "  indexer browse lucene-index --analyzer english"})
final class BrowseCommand implements Callable<Integer> {
  private static final int MOST_PORTS = 65_535;

  @Spec private CommandSpec spec;
  @Mixin private IndexArgument index;

  @Option(
      names = "--port",
      paramLabel = "N",
      defaultValue = "8483",
      description = "Listen on this port; 0 means any free one (default: ${DEFAULT-VALUE}).")
  private int port;

  @Option(
      names = "--address",
      paramLabel = "ADDRESS",
      description =
          "Listen on this address of the machine; everyone on its network can then read the index"
              + " (default: the loopback address 127.0.0.1).")
  private @Nullable String address;

  @Option(
      names = "--analyzer",
      paramLabel = "NAME",
      description =
          "Analyze queries of a Lucene index by this analyzer, which Lucene does not keep (default:"
              + " standard). Other indexes know theirs.")
  private @Nullable String analyzer;

  @SuppressWarnings("NullAway.Init") // picocli fills the options
  BrowseCommand() {}

  @Override
  public Integer call() throws IOException {
    InetSocketAddress listen = address();
    try (BrowsedIndex opened = BrowsedIndex.open(index.ofEitherKind(), analyzer);
        BrowseServer server = start(opened, listen)) {
      if (!listen.getAddress().isLoopbackAddress()) {
        Log.of(spec)
            .warning("%s: everyone on its network can read the index".formatted(server.address()));
      }
      PrintWriter out = spec.commandLine().getOut();
      out.println(server.address());
      out.flush();
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      // Ctrl-C is the usual end.
      Thread.currentThread().interrupt();
    }
    return ExitCode.OK;
  }

  private InetSocketAddress address() {
    if (port < 0 || port > MOST_PORTS) {
      throw new ParameterException(
          spec.commandLine(), "--port must be 0 to %d; got %d".formatted(MOST_PORTS, port));
    }
    try {
      return new InetSocketAddress(
          InetAddress.getByName(address == null ? "127.0.0.1" : address), port);
    } catch (UnknownHostException e) {
      throw new ParameterException(
          spec.commandLine(), "--address: there is no address '%s'".formatted(address), e);
    }
  }

  private BrowseServer start(BrowsedIndex opened, InetSocketAddress listen) throws IOException {
    try {
      return BrowseServer.start(opened, listen, Log.of(spec)::warning);
    } catch (BindException e) {
      throw new IOException(
          "cannot listen on %s port %d: %s; give another --address or --port (0 means any free port)"
              .formatted(listen.getAddress().getHostAddress(), port, e.getMessage()),
          e);
    }
  }
}
