package io.kmodel.indexer.indexing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.collect.ImmutableMap;
import io.kmodel.indexer.store.disk.Directories;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A Chromium without a window that shows one page at a time, spoken to by the protocol of its
 * developer tools. Errors of the page and of the console are kept. Every wait has a limit. One
 * thread at a time.
 */
public final class Chromium implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int SCREEN_WIDTH = 1240;
  private static final int SCREEN_HEIGHT = 800;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path profile;
  private final Process process;
  private final HttpClient client = HttpClient.newHttpClient();
  private final WebSocket socket;
  private final BlockingQueue<String> messages = new LinkedBlockingQueue<>();
  private final List<String> errors = new ArrayList<>();
  private int lastId;

  private Chromium(ChromiumProgram program) throws IOException, InterruptedException {
    this.profile = Files.createTempDirectory("chromium");
    ProcessBuilder builder =
        new ProcessBuilder(
                program.program().toString(),
                "--headless",
                "--no-sandbox",
                "--no-first-run",
                "--disable-dev-shm-usage",
                "--hide-scrollbars",
                "--remote-debugging-port=0",
                "--user-data-dir=" + profile,
                "about:blank")
            .redirectErrorStream(true)
            .redirectOutput(profile.resolve("log").toFile());
    builder.environment().putAll(program.environment());
    this.process = builder.start();
    try {
      this.socket = connect();
      call("Page.enable", Map.of());
      call("Runtime.enable", Map.of());
      call("Log.enable", Map.of());
    } catch (IOException | InterruptedException | RuntimeException e) {
      stop();
      throw e;
    }
  }

  /** Starts one; the test that asks is skipped where there is none. */
  public static Chromium start() throws IOException, InterruptedException {
    return new Chromium(ChromiumProgram.find());
  }

  private WebSocket connect() throws IOException, InterruptedException {
    Path portFile = profile.resolve("DevToolsActivePort");
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!Files.exists(portFile) || Files.readAllLines(portFile).size() < 2) {
      if (!process.isAlive() || System.nanoTime() > end) {
        throw new IOException(
            "Chromium did not start: " + Files.readString(profile.resolve("log")));
      }
      Thread.sleep(20);
    }
    URI list =
        URI.create("http://127.0.0.1:" + Files.readAllLines(portFile).getFirst() + "/json/list");
    HttpRequest request = HttpRequest.newBuilder(list).timeout(PATIENCE).build();
    for (JsonNode target : JSON.readTree(client.send(request, BodyHandlers.ofString()).body())) {
      if (target.get("type").asText().equals("page")) {
        URI page = URI.create(target.get("webSocketDebuggerUrl").asText());
        return client.newWebSocketBuilder().buildAsync(page, new Listener()).join();
      }
    }
    throw new IOException("Chromium has no page");
  }

  /** Puts the parts of messages together. */
  private final class Listener implements WebSocket.Listener {
    private final StringBuilder message = new StringBuilder();

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
      message.append(data);
      if (last) {
        messages.add(message.toString());
        message.setLength(0);
      }
      from.request(1);
      return null;
    }
  }

  private JsonNode call(String method, Map<String, ?> parameters)
      throws IOException, InterruptedException {
    int id = ++lastId;
    Map<String, ?> request = ImmutableMap.of("id", id, "method", method, "params", parameters);
    socket.sendText(JSON.writeValueAsString(request), true).join();
    JsonNode answer = await(message -> message.path("id").asInt() == id, method);
    if (answer.has("error")) {
      throw new IOException(method + ": " + answer.get("error"));
    }
    return answer.get("result");
  }

  private JsonNode await(Predicate<JsonNode> wanted, String what)
      throws IOException, InterruptedException {
    while (true) {
      String text = messages.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      if (text == null) {
        throw new IOException("no answer of Chromium to " + what);
      }
      JsonNode message = JSON.readTree(text);
      keepError(message);
      if (wanted.test(message)) {
        return message;
      }
    }
  }

  private void keepError(JsonNode message) {
    JsonNode parameters = message.path("params");
    switch (message.path("method").asText()) {
      case "Runtime.exceptionThrown" ->
          errors.add(parameters.at("/exceptionDetails/exception/description").asText());
      case "Runtime.consoleAPICalled" -> errors.add(parameters.get("args").toString());
      case "Log.entryAdded" -> errors.add(parameters.at("/entry/text").asText());
      default -> {}
    }
  }

  /** Opens a page and waits until it is loaded and its scripts have run. */
  public void open(Path page) throws IOException, InterruptedException {
    open(page.toUri());
  }

  /** Opens a page by its address, and waits as well. */
  public void open(URI page) throws IOException, InterruptedException {
    errors.clear();
    call("Page.navigate", Map.of("url", page.toString()));
    await(m -> m.path("method").asText().equals("Page.loadEventFired"), "Page.navigate");
    evaluate("0");
  }

  /** All that went wrong in the page, or was written to the console. */
  public List<String> errors() {
    return List.copyOf(errors);
  }

  /** The value of an expression in the page, as text. */
  public String evaluate(String script) throws IOException, InterruptedException {
    Map<String, ?> parameters = Map.of("expression", script, "returnByValue", true);
    return call("Runtime.evaluate", parameters).at("/result/value").asText();
  }

  /** Waits until an expression is true in the page. */
  public void awaitTrue(String condition) throws IOException, InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!evaluate("String(Boolean(" + condition + "))").equals("true")) {
      if (System.nanoTime() > end) {
        throw new IOException("never true: " + condition + " in " + dom());
      }
      Thread.sleep(20);
    }
  }

  /** Types a key, as it is called in JavaScript, into what has the focus. */
  public void press(String key) throws IOException, InterruptedException {
    boolean isText = key.length() == 1;
    Map<String, ?> down =
        isText
            ? Map.of("type", "keyDown", "key", key, "text", key)
            : key.equals("Enter")
                ? Map.of("type", "keyDown", "key", key, "text", "\r", "windowsVirtualKeyCode", 13)
                : Map.of("type", "keyDown", "key", key);
    call("Input.dispatchKeyEvent", down);
    call("Input.dispatchKeyEvent", Map.of("type", "keyUp", "key", key));
  }

  /** Turns the wheel over the middle of an element by so many pixels. */
  public void wheel(String selector, int pixels) throws IOException, InterruptedException {
    String box = "document.querySelector('%s').getBoundingClientRect()".formatted(selector);
    String middle = evaluate("`${%1$s.x + %1$s.width / 2} ${%1$s.y + 40}`".formatted(box));
    String[] at = middle.split(" ", 2);
    call(
        "Input.dispatchMouseEvent",
        Map.of(
            "type",
            "mouseWheel",
            "x",
            Double.parseDouble(at[0]),
            "y",
            Double.parseDouble(at[1]),
            "deltaX",
            0,
            "deltaY",
            pixels));
  }

  /** The page's elements as they are now. */
  public String dom() throws IOException, InterruptedException {
    return evaluate("document.documentElement.outerHTML");
  }

  /** Takes a picture of the whole page. */
  public void screenshot(Path png) throws IOException, InterruptedException {
    size(SCREEN_WIDTH, SCREEN_HEIGHT);
    int height = Integer.parseInt(evaluate("String(document.documentElement.scrollHeight)"));
    size(SCREEN_WIDTH, height);
    String data = call("Page.captureScreenshot", Map.of("format", "png")).get("data").asText();
    Files.write(png, Base64.getDecoder().decode(data));
  }

  /** Gives the page the size of another screen, such as that of a phone. */
  public void size(int width, int height) throws IOException, InterruptedException {
    call(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
  }

  private void stop() throws IOException, InterruptedException {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    Directories.deleteTree(profile);
  }

  @Override
  public void close() throws IOException {
    try {
      socket.abort();
      client.close();
      stop();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
