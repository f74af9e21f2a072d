package io.kmodel.indexer.browse;

import com.google.common.collect.ImmutableMap;
import com.google.common.io.ByteSource;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.kmodel.indexer.task.Workers;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Serves a page over HTTP that shows an index, and the answers that the page asks for. Only GET is
 * answered, and nothing is written. Requests must name the server as {@link HostNames} says, so
 * that no page of another site can reach it.
 *
 * <p>Threads: {@value #THREADS}. Memory: that of the index, and for each thread a few times the
 * largest document it shows.
 */
public final class BrowseServer implements AutoCloseable {
  private static final int THREADS = 8;
  private static final int BACKLOG = 50;
  private static final int LONGEST_ADDRESS = 16_384;

  /**
   * Read by Java when the first server starts: the seconds in which a request must have arrived,
   * and be answered and read, so that no slow reader keeps a thread; and how many may be connected.
   */
  private static final ImmutableMap<String, String> LIMITS =
      ImmutableMap.of(
          "sun.net.httpserver.maxReqTime", "30",
          "sun.net.httpserver.maxRspTime", "900",
          "jdk.httpserver.maxConnections", "200");

  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self';"
          + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  /** The report has its script inside; the sandbox keeps it from asking for anything. */
  private static final String REPORT_POLICY =
      "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline';"
          + " style-src 'unsafe-inline'; base-uri 'none'; form-action 'none';"
          + " frame-ancestors 'none'";

  private static final String REPORT = "report.html";
  private static final String JSON = "application/json";
  private static final String HTML = "text/html; charset=utf-8";

  /** The page's own files, by path. */
  private static final ImmutableMap<String, Resource> RESOURCES =
      ImmutableMap.of(
          "/", new Resource("browse.html", HTML),
          "/browse.css", new Resource("browse.css", "text/css; charset=utf-8"),
          "/browse.js", new Resource("browse.js", "text/javascript; charset=utf-8"),
          "/list.js", new Resource("list.js", "text/javascript; charset=utf-8"),
          "/charts.js", new Resource("charts.js", "text/javascript; charset=utf-8"),
          "/icon.svg", new Resource("icon.svg", "image/svg+xml"));

  private record Resource(String name, String type) {}

  /** An answer in HTTP. */
  private record Reply(int status, String type, String policy, ByteSource body) {}

  private final HttpServer server;
  private final Workers workers = new Workers("browse", THREADS);
  private final Answers answers;
  private final @Nullable Path report;
  private final Consumer<String> log;
  private final HostNames names;

  private BrowseServer(BrowsedIndex index, InetSocketAddress address, Consumer<String> log)
      throws IOException {
    Path report = index.directory().resolve(REPORT);
    this.report = Files.isRegularFile(report) ? report : null;
    this.answers = new Answers(index, this.report != null);
    this.log = log;
    LIMITS.forEach((name, value) -> System.setProperty(name, System.getProperty(name, value)));
    this.server = HttpServer.create(address, BACKLOG);
    this.names = new HostNames(address.getHostString());
  }

  /**
   * Starts a server.
   *
   * @param index the caller keeps ownership, and closes it after the server
   * @param address port 0 is any free port; a name that it has is answered to
   * @param log receives a line for each defect of the program or the index
   */
  public static BrowseServer start(
      BrowsedIndex index, InetSocketAddress address, Consumer<String> log) throws IOException {
    BrowseServer browse = new BrowseServer(index, address, log);
    browse.server.setExecutor(browse.workers);
    browse.server.createContext("/", browse::handle);
    browse.server.start();
    return browse;
  }

  /** The address of the page. */
  public URI address() {
    InetAddress address = server.getAddress().getAddress();
    String host = address.getHostAddress();
    return URI.create(
        "http://%s:%d/"
            .formatted(
                host.contains(":") ? "[" + host + "]" : host, server.getAddress().getPort()));
  }

  private void handle(HttpExchange exchange) {
    try (exchange) {
      Reply reply = reply(exchange);
      Headers headers = exchange.getResponseHeaders();
      headers.set("Content-Type", reply.type());
      headers.set("Content-Security-Policy", reply.policy());
      headers.set("X-Content-Type-Options", "nosniff");
      headers.set("Referrer-Policy", "no-referrer");
      headers.set("Cross-Origin-Resource-Policy", "same-origin");
      headers.set("Cache-Control", "no-store");
      if (reply.status() == 405) {
        headers.set("Allow", "GET");
      }
      boolean isHead = exchange.getRequestMethod().equals("HEAD");
      exchange.sendResponseHeaders(reply.status(), isHead ? -1 : reply.body().size());
      if (!isHead) {
        reply.body().copyTo(exchange.getResponseBody());
      }
    } catch (IOException e) {
      // The browser has closed the connection.
    }
  }

  private Reply reply(HttpExchange exchange) {
    try {
      require(exchange);
      return answer(exchange.getRequestURI());
    } catch (RefusedRequestException e) {
      return error(e.status(), String.valueOf(e.getMessage()));
    } catch (IllegalArgumentException e) {
      // A query that cannot be parsed, an unknown field and the like.
      return error(400, String.valueOf(e.getMessage()));
    } catch (IOException e) {
      log.accept(String.valueOf(e.getMessage()));
      return error(500, String.valueOf(e.getMessage()));
    } catch (RuntimeException | StackOverflowError e) {
      log.accept("cannot answer %s: %s".formatted(exchange.getRequestURI(), e));
      return error(500, "the program failed; its terminal says how");
    } catch (OutOfMemoryError e) {
      String message = "not enough memory; set INDEXER_JAVA_OPTIONS=-Xmx... in the environment";
      log.accept("cannot answer %s: %s".formatted(exchange.getRequestURI(), message));
      return error(500, message);
    }
  }

  private void require(HttpExchange exchange) throws RefusedRequestException {
    if (!exchange.getRequestMethod().equals("GET")) {
      throw new RefusedRequestException(405, "only GET is answered");
    }
    if (exchange.getRequestURI().toString().length() > LONGEST_ADDRESS) {
      throw new RefusedRequestException(414, "the address is too long");
    }
    if (!names.include(exchange.getRequestHeaders().getFirst("Host"))) {
      throw new RefusedRequestException(
          403,
          "open this page as localhost, by a numeric address, or by the name given to --address");
    }
  }

  private Reply answer(URI uri) throws IOException, RefusedRequestException {
    String path = uri.getPath();
    Resource resource = RESOURCES.get(path);
    if (resource != null) {
      return new Reply(200, resource.type(), POLICY, ByteSource.wrap(read(resource.name())));
    }
    if (path.equals("/report") && report != null) {
      return report(report);
    }
    return new Reply(200, JSON, POLICY, ByteSource.wrap(answers.answer(path, uri.getRawQuery())));
  }

  private static Reply report(Path report) throws IOException, RefusedRequestException {
    try {
      return new Reply(200, HTML, REPORT_POLICY, ByteSource.wrap(Files.readAllBytes(report)));
    } catch (NoSuchFileException e) {
      throw new RefusedRequestException(404, report + " was deleted or moved");
    }
  }

  private static Reply error(int status, String message) {
    byte[] body = JsonAnswer.of(out -> out.writeStringField("error", message));
    return new Reply(status, JSON, POLICY, ByteSource.wrap(body));
  }

  private static byte[] read(String resource) throws IOException {
    try (InputStream in = BrowseServer.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException("the program lacks its resource " + resource);
      }
      return in.readAllBytes();
    }
  }

  /** Stops listening, and waits for the requests that are being answered. */
  @Override
  public void close() {
    server.stop(0);
    workers.close();
  }
}
