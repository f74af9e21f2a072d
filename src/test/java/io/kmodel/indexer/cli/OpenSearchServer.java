package io.kmodel.indexer.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A node of OpenSearch in another process, because it needs another Lucene. Maven fetches its
 * libraries, 52 MB, when a machine starts one first.
 */
final class OpenSearchServer implements AutoCloseable {
  private static final Path PROJECT = Path.of("src", "test", "opensearch");
  private static final String CLASSPATH =
      "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath";
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final Process process;
  private final String address;
  private final HttpClient client = HttpClient.newHttpClient();
  private final Path repositories;

  /** Starts a node with an empty cluster. */
  OpenSearchServer(Path directory) throws Exception {
    Path classpath = directory.resolve("classpath");
    requireOk(
        new ProcessBuilder(
            List.of(
                "mvn",
                "-B",
                "-q",
                "-f",
                PROJECT.resolve("pom.xml").toString(),
                CLASSPATH,
                "-Dmdep.outputFile=" + classpath)),
        directory.resolve("maven.log"));
    Path home = directory.resolve("home");
    Files.createDirectories(home.resolve("config"));
    repositories = Files.createDirectory(directory.resolve("repositories"));
    process =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:TieredStopAtLevel=1",
                    "-XX:+UseSerialGC",
                    "-Xmx512m",
                    "--enable-native-access=ALL-UNNAMED",
                    "-cp",
                    Files.readString(classpath).strip(),
                    PROJECT.resolve("OpenSearchNode.java").toString(),
                    home.toString(),
                    repositories.toString()))
            .redirectError(directory.resolve("node.log").toFile())
            .start();
    BufferedReader out = process.inputReader(UTF_8);
    String line = out.readLine();
    while (line != null && !line.startsWith("port ")) {
      line = out.readLine();
    }
    if (line == null) {
      throw new AssertionError(Files.readString(directory.resolve("node.log")));
    }
    address = "http://127.0.0.1:" + line.substring("port ".length()) + "/";
  }

  private static void requireOk(ProcessBuilder builder, Path log) throws Exception {
    Process process = builder.redirectErrorStream(true).redirectOutput(log.toFile()).start();
    if (process.waitFor() != 0) {
      throw new AssertionError(Files.readString(log));
    }
  }

  /** Where repositories may be. */
  Path repositories() {
    return repositories;
  }

  /** Restores the index of an export below {@link #repositories}. */
  JsonNode restore(Path export) throws Exception {
    String name = export.getFileName().toString();
    request(
        "PUT",
        "_snapshot/" + name,
        """
        {"type": "fs", "settings": {"location": "%s"}}
        """
            .formatted(export));
    return request(
        "POST",
        "_snapshot/%s/indexer/_restore?wait_for_completion=true".formatted(name),
        """
        {"index_settings": {"index.number_of_replicas": 0}}
        """);
  }

  /** Sends a request, which must succeed. */
  JsonNode request(String method, String path, String body) throws Exception {
    HttpResponse<String> response =
        client.send(
            HttpRequest.newBuilder(URI.create(address + path))
                .header("Content-Type", "application/json")
                .method(
                    method,
                    body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                .build(),
            BodyHandlers.ofString());
    if (response.statusCode() / 100 != 2) {
      throw new AssertionError(
          "%s %s: %d %s".formatted(method, path, response.statusCode(), response.body()));
    }
    return MAPPER.readTree(response.body());
  }

  @Override
  public void close() throws IOException {
    process.getOutputStream().close();
    try {
      if (!process.waitFor(30, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
