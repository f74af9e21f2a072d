package io.kmodel.indexer.browse;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A server on a free port, and requests to it. */
final class Requests implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  final BrowseServer server;
  final List<String> log = new CopyOnWriteArrayList<>();
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  Requests(BrowsedIndex index) throws IOException {
    server =
        BrowseServer.start(
            index, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), log::add);
  }

  HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return send(HttpRequest.newBuilder(uri(path)).GET());
  }

  HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
    return client.send(request.timeout(Duration.ofSeconds(60)).build(), BodyHandlers.ofString());
  }

  URI uri(String path) {
    return URI.create(server.address() + path.substring(1));
  }

  /** What is answered to a request with these names and values. */
  JsonNode ask(String name, Object... parameters) throws IOException, InterruptedException {
    StringBuilder path = new StringBuilder("/api/" + name);
    for (int i = 0; i < parameters.length; i += 2) {
      path.append(i == 0 ? '?' : '&').append(parameters[i]).append('=');
      path.append(URLEncoder.encode(parameters[i + 1].toString(), StandardCharsets.UTF_8));
    }
    HttpResponse<String> answer = get(path.toString());
    assertThat(answer.statusCode()).as("%s: %s", path, answer.body()).isEqualTo(200);
    return JSON.readTree(answer.body());
  }

  /** Why a request is not answered. */
  String error(int status, String path) throws IOException, InterruptedException {
    HttpResponse<String> answer = get(path);
    assertThat(answer.statusCode()).as("%s: %s", path, answer.body()).isEqualTo(status);
    return JSON.readTree(answer.body()).get("error").asText();
  }

  @Override
  public void close() {
    client.close();
    server.close();
  }
}
