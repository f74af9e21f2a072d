package io.kmodel.indexer.source.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.source.RemotePath;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Servers of https whose handshakes fail. */
@Timeout(60)
class HandshakeTest {
  private static final Patience IMPATIENT =
      new Patience(
          4,
          2,
          Duration.ofMillis(1),
          Duration.ofMillis(4),
          Duration.ofSeconds(5),
          Duration.ofSeconds(5),
          Duration.ofSeconds(5));

  private static final String PASSWORD = "changeit";

  @TempDir private Path directory;

  /** Answers each connection by reading some bytes and closing it; counts them. */
  private static AtomicInteger serve(ServerSocket socket) {
    AtomicInteger connections = new AtomicInteger();
    Thread.ofVirtual()
        .start(
            () -> {
              while (!socket.isClosed()) {
                try (Socket client = socket.accept()) {
                  connections.incrementAndGet();
                  client.getInputStream().readNBytes(10);
                } catch (IOException e) {
                  // The client or the test has gone.
                }
              }
            });
    return connections;
  }

  private static void assertFails(ServerSocket socket, String how) throws IOException {
    Path url = RemotePath.of("https://127.0.0.1:%d/a".formatted(socket.getLocalPort()));
    try (RemoteListing listing = new RemoteListing(List.of(url), IMPATIENT, S3::ofProcess)) {
      assertThatThrownBy(listing::next).isInstanceOf(IOException.class).hasMessageContaining(how);
    }
  }

  @Test
  void aHandshakeThatBreaksIsTriedAgain() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      AtomicInteger connections = serve(socket);
      assertFails(socket, "gave up after 2 tries");
      assertThat(connections).hasValueGreaterThan(1);
    }
  }

  @Test
  void aCertificateThatIsNotTrustedIsRefusedAtOnce() throws Exception {
    Path store = directory.resolve("keys");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keyalg",
                "EC",
                "-dname",
                "CN=127.0.0.1",
                "-ext",
                "SAN=IP:127.0.0.1",
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD,
                "-keystore",
                store.toString())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("log").toFile())
            .start();
    assertThat(keytool.waitFor(30, TimeUnit.SECONDS)).isTrue();
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    KeyManagerFactory managers =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(keys, PASSWORD.toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    try (ServerSocket socket =
        context
            .getServerSocketFactory()
            .createServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      AtomicInteger connections = serve(socket);
      assertFails(socket, "-Djavax.net.ssl.trustStore=FILE");
      assertThat(connections).hasValue(1);
    }
  }
}
