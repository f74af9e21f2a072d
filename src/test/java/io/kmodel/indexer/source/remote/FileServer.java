package io.kmodel.indexer.source.remote;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A server of files on 127.0.0.1, which can do everything wrong: a test changes its answers. It
 * speaks HTTP on raw sockets, so that it can break connections at any byte and lie about lengths.
 */
public final class FileServer implements AutoCloseable {
  private static final String MODIFIED = "Thu, 29 Feb 2024 12:00:00 GMT";

  /** What was asked. Names of headers are in lower case. */
  public record Request(String target, Map<String, String> headers) {
    public String header(String name) {
      return headers.getOrDefault(name, "");
    }

    /** The path without the query, as it was sent. */
    public String path() {
      return target.replaceFirst("\\?.*", "");
    }
  }

  /**
   * An answer.
   *
   * @param breakAfter bytes of the body after which the connection breaks
   * @param stall whether the connection stays open and silent then
   */
  @SuppressWarnings("ArrayRecordComponent") // replies are not compared
  public record Reply(
      int status, Map<String, String> headers, byte[] body, int breakAfter, boolean stall) {
    public static Reply of(int status, String body) {
      return new Reply(status, Map.of(), body.getBytes(ISO_8859_1), Integer.MAX_VALUE, false)
          .with("Content-Length", String.valueOf(body.length()));
    }

    /** The same with another header; without it if the value is empty. */
    public Reply with(String name, String value) {
      Map<String, String> changed = new LinkedHashMap<>(headers);
      changed.remove(name);
      if (!value.isEmpty()) {
        changed.put(name, value);
      }
      return new Reply(status, changed, body, breakAfter, stall);
    }

    public Reply breaking(int bytes) {
      return new Reply(status, headers, body, bytes, false);
    }

    public Reply stalling(int bytes) {
      return new Reply(status, headers, body, bytes, true);
    }
  }

  /** Changes the usual answer. */
  @FunctionalInterface
  public interface Script {
    Reply answer(Request request, Reply usual);
  }

  private final ServerSocket socket;
  private final Map<String, byte[]> files = new ConcurrentHashMap<>();
  private final Map<String, String> tags = new ConcurrentHashMap<>();
  public final List<Request> requests = new CopyOnWriteArrayList<>();
  private final List<Socket> open = new CopyOnWriteArrayList<>();

  /** Whether a connection that breaks is reset, so that bytes on the way are lost, too. */
  public volatile boolean resets;

  /** Whether parts of files are sent. */
  public volatile boolean ranges = true;

  public volatile Script script = (request, usual) -> usual;

  public FileServer() throws IOException {
    socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  /** Sets a file of the server. */
  public FileServer put(String path, byte[] bytes) {
    files.put(path, bytes);
    tags.put(path, "\"%x-%d\"".formatted(Arrays.hashCode(bytes), bytes.length));
    return this;
  }

  public String url(String path) {
    return "http://127.0.0.1:" + socket.getLocalPort() + path;
  }

  public int port() {
    return socket.getLocalPort();
  }

  /** The path on the server of each request. */
  public List<String> paths() {
    return requests.stream().map(Request::path).toList();
  }

  /** Changes the answers from the n-th request for bytes from an offset on; others are usual. */
  public void at(int first, int count, UnaryOperator<Reply> change) {
    int before = requests.size();
    script =
        (request, usual) -> {
          int number = requests.size() - before;
          return number >= first && number < first + count ? change.apply(usual) : usual;
        };
  }

  private void accept() {
    try {
      while (true) {
        Socket client = socket.accept();
        open.add(client);
        Thread.ofVirtual().start(() -> serve(client));
      }
    } catch (IOException e) {
      // Closed.
    }
  }

  private void serve(Socket client) {
    try (client) {
      client.setTcpNoDelay(true);
      InputStream in = new BufferedInputStream(client.getInputStream());
      Request request = read(in);
      while (request != null) {
        requests.add(request);
        if (!send(script.answer(request, usual(request)), client)) {
          return;
        }
        request = read(in);
      }
    } catch (IOException e) {
      // The client has gone.
    } finally {
      open.remove(client);
    }
  }

  private static @Nullable Request read(InputStream in) throws IOException {
    String first = line(in);
    if (first.isEmpty()) {
      return null;
    }
    Map<String, String> headers = new HashMap<>();
    for (String line = line(in); !line.isEmpty(); line = line(in)) {
      int colon = line.indexOf(':');
      headers.put(
          line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
    }
    return new Request(first.split(" ", -1)[1], headers);
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int b = in.read(); b >= 0 && b != '\n'; b = in.read()) {
      if (b != '\r') {
        line.append((char) b);
      }
    }
    return line.toString();
  }

  /** The answer of a server that does everything right. */
  private Reply usual(Request request) {
    byte[] file = files.get(request.path());
    if (file == null) {
      return Reply.of(404, "not here");
    }
    String tag = tags.get(request.path());
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("ETag", tag);
    headers.put("Last-Modified", MODIFIED);
    String match = request.header("if-match");
    if (!match.isEmpty() && !match.equals(tag)) {
      return Reply.of(412, "");
    }
    String range = request.header("range");
    if (!ranges || range.isEmpty()) {
      headers.put("Content-Length", String.valueOf(file.length));
      return new Reply(200, headers, file, Integer.MAX_VALUE, false);
    }
    String[] borders = range.replace("bytes=", "").split("-", -1);
    int from = Integer.parseInt(borders[0]);
    int to = Math.min(file.length, Integer.parseInt(borders[1]) + 1);
    if (from >= file.length) {
      return Reply.of(416, "").with("Content-Range", "bytes */" + file.length);
    }
    headers.put("Content-Length", String.valueOf(to - from));
    headers.put("Content-Range", "bytes %d-%d/%d".formatted(from, to - 1, file.length));
    return new Reply(206, headers, Arrays.copyOfRange(file, from, to), Integer.MAX_VALUE, false);
  }

  /** Returns whether the connection can be used again. */
  private boolean send(Reply reply, Socket client) throws IOException {
    OutputStream out = client.getOutputStream();
    StringBuilder head = new StringBuilder("HTTP/1.1 %d Some Reason\r\n".formatted(reply.status()));
    reply.headers().forEach((name, value) -> head.append(name + ": " + value + "\r\n"));
    out.write(head.append("\r\n").toString().getBytes(ISO_8859_1));
    int bytes = Math.min(reply.body().length, reply.breakAfter());
    out.write(reply.body(), 0, bytes);
    out.flush();
    if (reply.stall()) {
      // Until the client or the test gives up.
      client.getInputStream().transferTo(OutputStream.nullOutputStream());
      return false;
    }
    if (reply.breakAfter() < Integer.MAX_VALUE) {
      client.setSoLinger(resets, 0);
      return false;
    }
    return reply.headers().containsKey("Content-Length");
  }

  @Override
  public void close() throws IOException {
    socket.close();
    for (Socket client : new ArrayList<>(open)) {
      client.close();
    }
  }
}
