package io.kmodel.indexer.source.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.util.concurrent.Uninterruptibles;
import io.kmodel.indexer.source.FileBytes;
import io.kmodel.indexer.source.RemotePath;
import io.kmodel.indexer.source.remote.FileServer.Reply;
import io.kmodel.indexer.source.remote.RemoteListing.RemoteFile;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The bytes of a file of a server that fails, throttles, lies and changes. */
@Timeout(60)
class RemoteBytesTest {
  private static final int SIZE = 3_000_000;
  private static final byte[] BYTES = bytes();

  /** A tenth of the usual tries, a thousandth of the usual delays. */
  private static final Patience IMPATIENT =
      new Patience(
          4,
          2,
          Duration.ofMillis(1),
          Duration.ofMillis(4),
          Duration.ofSeconds(5),
          Duration.ofSeconds(5),
          Duration.ofMillis(400));

  private FileServer server;

  @BeforeEach
  void start() throws IOException {
    server = new FileServer().put("/a/file", BYTES);
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  private static byte[] bytes() {
    byte[] bytes = new byte[SIZE];
    new Random(4).nextBytes(bytes);
    return bytes;
  }

  private RemoteListing listing(String... paths) throws IOException {
    return new RemoteListing(
        Arrays.stream(paths).<Path>map(path -> RemotePath.of(server.url(path))).toList(),
        IMPATIENT,
        S3::ofProcess);
  }

  private RemoteFile file(RemoteListing listing) throws IOException {
    return listing.next().files().getFirst();
  }

  private static byte[] read(FileBytes file, long from, int length) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(length);
    while (bytes.hasRemaining()) {
      int n = file.read(bytes, from + bytes.position());
      if (n < 0) {
        break;
      }
      assertThat(n).isPositive();
    }
    return Arrays.copyOf(bytes.array(), bytes.position());
  }

  /** Lists the file, and reads all of it. */
  private byte[] all() throws IOException {
    try (RemoteListing listing = listing("/a/file");
        FileBytes file = file(listing).path().open()) {
      return read(file, 0, SIZE + 1);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anyPartOfAFileIsReadFromServersOfBothKinds(boolean ranges) throws IOException {
    server.ranges = ranges;
    try (RemoteListing listing = listing("/a/file")) {
      RemoteFile listed = file(listing);
      assertThat(listed.size()).isEqualTo(SIZE);
      assertThat(new String(listed.name(), StandardCharsets.UTF_8)).isEqualTo("a/file");
      try (FileBytes file = listed.path().open()) {
        assertThat(file.startsAnywhere()).isEqualTo(ranges);
        Random random = new Random(5);
        for (int i = 0; i < 12; i++) {
          int from = random.nextInt(SIZE);
          int length = Math.min(random.nextInt(1 << random.nextInt(1, 20)), SIZE - from);
          assertThat(read(file, from, length))
              .isEqualTo(Arrays.copyOfRange(BYTES, from, from + length));
        }
        assertThat(file.read(ByteBuffer.allocate(1), SIZE)).isEqualTo(-1);
      }
      assertThat(listing.counts().retries()).isZero();
      assertThat(listing.counts().requests()).isEqualTo(server.requests.size());
    }
  }

  @Test
  void readingOnTakesFewRequests() throws IOException {
    assertThat(all()).isEqualTo(BYTES);
    assertThat(server.requests.stream().map(request -> request.header("range")))
        .containsExactly("bytes=0-0", "bytes=0-524287", "bytes=524288-2999999");
    assertThat(server.requests.get(2).header("if-match")).startsWith("\"");
  }

  @Test
  void threadsReadPlacesOfOneFileAtATime() throws Exception {
    try (RemoteListing listing = listing("/a/file");
        FileBytes file = file(listing).path().open();
        ExecutorService threads = Executors.newFixedThreadPool(4)) {
      List<Callable<byte[]>> tasks =
          List.of(0, 700_000, 1_400_000, 2_100_000).stream()
              .map(from -> (Callable<byte[]>) () -> read(file, from, 700_000))
              .toList();
      int from = 0;
      for (Future<byte[]> part : threads.invokeAll(tasks)) {
        assertThat(part.get()).isEqualTo(Arrays.copyOfRange(BYTES, from, from + 700_000));
        from += 700_000;
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"true, 0", "true, 1", "true, 131073", "true, 524287", "false, 0", "false, 131073"})
  void aBrokenConnectionIsContinued(boolean ranges, int broken) throws IOException {
    server.ranges = ranges;
    server.at(2, 2, usual -> usual.breaking(broken));
    assertThat(all()).isEqualTo(BYTES);
    if (ranges) {
      // The client may lose bytes that arrive together with the end of the connection.
      String from = server.requests.get(2).header("range").replaceAll("bytes=|-.*", "");
      assertThat(Integer.parseInt(from)).isBetween(0, broken);
    }
  }

  @Test
  void aBreakAtEveryRequestCostsOnlyTime() throws IOException {
    server.resets = true;
    server.script = (request, usual) -> usual.breaking(200_000);
    assertThat(all()).isEqualTo(BYTES);
  }

  @Test
  void aServerThatFallsSilentIsAskedAgain() throws IOException {
    server.at(3, 1, usual -> usual.stalling(1000));
    assertThat(all()).isEqualTo(BYTES);
    assertThat(server.requests).hasSize(4);
    assertThat(server.requests.getLast().header("range")).isEqualTo("bytes=525288-2999999");
  }

  @ParameterizedTest
  @ValueSource(ints = {429, 500, 502, 503, 408})
  void errorsThatMayPassAreTriedAgain(int status) throws IOException {
    server.at(1, 2, usual -> Reply.of(status, "<Error><Code>SlowDown</Code></Error>"));
    assertThat(all()).isEqualTo(BYTES);
    server.at(2, 3, usual -> Reply.of(status, ""));
    assertThat(all()).isEqualTo(BYTES);
  }

  @Test
  void theServerSaysWhenToComeBack() throws IOException {
    server.at(1, 1, usual -> Reply.of(429, "").with("Retry-After", "1"));
    long start = System.nanoTime();
    assertThat(all()).isEqualTo(BYTES);
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(990));
    String tomorrow =
        DateTimeFormatter.RFC_1123_DATE_TIME.format(
            Instant.now().plusSeconds(86_400).atOffset(ZoneOffset.UTC));
    server.at(1, 1, usual -> Reply.of(503, "").with("Retry-After", tomorrow));
    assertThatThrownBy(this::all).hasMessageContaining("503").hasMessageContaining("to wait for");
  }

  @Test
  void aServerThatStaysAwayEndsTheReading() throws IOException {
    server.at(3, 100, usual -> Reply.of(503, "<Error><Code>SlowDown</Code></Error>"));
    assertThatThrownBy(this::all)
        .isInstanceOf(UnavailableException.class)
        .hasMessage(
            server.url("/a/file") + ": 503 (SlowDown) from the server; gave up after 4 tries");
    server.at(2, 100, usual -> usual.breaking(0));
    assertThatThrownBy(this::all)
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining("gave up after 4 tries");
  }

  @Test
  void theLastFailureIsKnownUntilAServerAnswers() throws IOException {
    List<String> failures = new CopyOnWriteArrayList<>();
    try (RemoteListing listing = listing("/a/file");
        FileBytes file = file(listing).path().open()) {
      server.script =
          (request, usual) -> {
            failures.add(listing.counts().failure());
            return failures.size() == 1 ? Reply.of(503, "") : usual;
          };
      read(file, 0, 1000);
      String host = URI.create(server.url("/")).getAuthority();
      assertThat(failures).startsWith("", host + ": 503 from the server; try 2 of 4 is next");
      assertThat(listing.counts().failure()).isEmpty();
    }
  }

  @Test
  void noServerAtAllIsFoundOutSoon() throws IOException {
    String url = server.url("/a/file");
    server.close();
    assertThatThrownBy(this::all)
        .isInstanceOf(IOException.class)
        .hasMessage(url + ": no connection; gave up after 2 tries");
    // As the JDK's client reports it; tests ask no name server.
    IOException unknown = new ConnectException();
    unknown.initCause(new ConnectException().initCause(new UnresolvedAddressException()));
    assertThat(Web.message(unknown)).isEqualTo("no host has this name");
  }

  @Test
  void aFileThatChangesIsAnErrorAndNeverAMixture() throws IOException {
    byte[] other = BYTES.clone();
    other[2_000_000]++;
    server.script =
        (request, usual) -> {
          if (server.requests.size() == 2) {
            server.put("/a/file", other);
          }
          return usual;
        };
    assertThatThrownBy(this::all)
        .isInstanceOf(RemoteFileException.class)
        .hasMessageContaining("has changed while it was read: its ETag was \"");
  }

  @ParameterizedTest
  @CsvSource({
    "ETag, W/\"1\", W/\"2\"",
    "ETag, \"1\", \"2\"",
    "Last-Modified, 'Thu, 29 Feb 2024 12:00:00 GMT', 'Thu, 29 Feb 2024 12:00:01 GMT'"
  })
  void everyKindOfVersionIsCompared(String header, String before, String after) throws IOException {
    server.script =
        (request, usual) ->
            usual
                .with("ETag", "")
                .with("Last-Modified", "")
                .with(header, server.requests.size() < 3 ? before : after);
    assertThatThrownBy(this::all).hasMessageContaining("has changed while it was read");
    server.script =
        (request, usual) -> usual.with("ETag", "").with("Last-Modified", "").with(header, before);
    if (!before.startsWith("\"")) {
      assertThat(all()).isEqualTo(BYTES);
    }
  }

  @Test
  void lengthsThatLieAreErrors() throws IOException {
    // The list says more than there is.
    server.at(1, 1, usual -> usual.with("Content-Range", "bytes 0-0/3000001"));
    assertThatThrownBy(this::all)
        .hasMessageContaining("it had 3,000,001 bytes, and now has 3,000,000");
    // The list says less.
    server.at(1, 1, usual -> usual.with("Content-Range", "bytes 0-0/2999999"));
    assertThatThrownBy(this::all)
        .hasMessageContaining("it had 2,999,999 bytes, and now has 3,000,000");
    // The body is shorter than it says, at every try.
    server.at(
        3,
        100,
        usual -> usual.with("Content-Length", String.valueOf(usual.body().length + 1)).breaking(0));
    assertThatThrownBy(this::all).isInstanceOf(UnavailableException.class);
    // It is longer.
    server.at(2, 1, usual -> usual.with("Content-Length", "524287"));
    assertThat(all()).isEqualTo(BYTES);
    // It is another part.
    server.at(3, 1, usual -> usual.with("Content-Range", "bytes 524289-2999999/3000000"));
    assertThatThrownBy(this::all).hasMessageContaining("other bytes than it was asked for");
  }

  @Test
  void fewerBytesThanAskedForAreFollowedByOthers() throws IOException {
    server.script =
        (request, usual) -> {
          String range = usual.headers().getOrDefault("Content-Range", "");
          int from = Integer.parseInt(range.replaceAll("bytes (\\d+)-.*", "$1"));
          int length = Math.min(usual.body().length, 300_000);
          return new Reply(
                  206,
                  usual.headers(),
                  Arrays.copyOf(usual.body(), length),
                  Integer.MAX_VALUE,
                  false)
              .with("Content-Length", String.valueOf(length))
              .with("Content-Range", "bytes %d-%d/%d".formatted(from, from + length - 1, SIZE));
        };
    assertThat(all()).isEqualTo(BYTES);
  }

  @ParameterizedTest
  @CsvSource({
    "404, there is no such file; check the URL and --base",
    "401, the server wants a login",
    "403, use a presigned URL",
    "400, the server answers 400",
    "304, the server answers 304 (//***@a/b)"
  })
  void refusalsSayWhatWouldHelp(int status, String advice) throws IOException {
    server.at(1, 1, usual -> Reply.of(status, "").with("Location", "//me:secret@a/b?secret"));
    assertThatThrownBy(this::all)
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith(server.url("/a/file"))
        .hasMessageContaining(advice)
        .hasMessageNotContaining("secret");
    assertThat(server.requests).hasSize(1);
  }

  @Test
  void aFileThatIsGoneIsNoFailureOfTheServer() throws IOException {
    server.at(3, 1, usual -> Reply.of(404, ""));
    assertThatThrownBy(this::all).isInstanceOf(RemoteFileException.class);
    server.at(3, 1, usual -> Reply.of(403, ""));
    assertThatThrownBy(this::all).isInstanceOf(UnavailableException.class);
  }

  @Test
  void redirectionsAreFollowed() throws IOException {
    server.put("/moved", BYTES);
    server.script =
        (request, usual) ->
            request.path().equals("/a/file")
                ? Reply.of(302, "").with("Location", server.url("/moved?secret"))
                : usual;
    assertThat(all()).isEqualTo(BYTES);
    assertThat(server.requests).anyMatch(request -> request.target().equals("/moved?secret"));
  }

  @Test
  void filesWithoutLengthVersionOrKnownEncodingAreRefused() throws IOException {
    server.ranges = false;
    server.at(1, 1, usual -> usual.with("Content-Length", ""));
    assertThatThrownBy(this::all).hasMessageContaining("does not tell the file's size");
    server.at(1, 1, usual -> usual.with("ETag", "").with("Last-Modified", ""));
    assertThatThrownBy(this::all).hasMessageContaining("no ETag and no Last-Modified");
    server.at(1, 1, usual -> usual.with("Content-Encoding", "br"));
    assertThatThrownBy(this::all).hasMessageContaining("Content-Encoding br, unasked");
    server.at(1, 1, usual -> usual.with("Content-Encoding", "gzip"));
    assertThat(all()).isEqualTo(BYTES);
    assertThat(server.requests)
        .allMatch(request -> request.header("accept-encoding").equals("identity"));
  }

  @Test
  void aNameIsSentAsItWasGiven() throws IOException {
    server.put("/e%CC%81", BYTES);
    try (RemoteListing listing = listing("/e\u0301")) {
      assertThat(file(listing).name()).isEqualTo("e\u0301".getBytes(StandardCharsets.UTF_8));
    }
    assertThat(server.paths()).containsExactly("/e%CC%81");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anEmptyFileHasNoBytes(boolean told) throws IOException {
    server.put("/empty", new byte[0]);
    server.script =
        (request, usual) ->
            usual.status() == 416 && !told ? usual.with("Content-Range", "") : usual;
    try (RemoteListing listing = listing("/empty");
        FileBytes file = file(listing).path().open()) {
      assertThat(file.size()).isZero();
      assertThat(file.read(ByteBuffer.allocate(1), 0)).isEqualTo(-1);
    }
  }

  @Test
  void manyFilesAreListedInOrderAndSideBySide() throws IOException {
    String[] paths = new String[200];
    for (int i = 0; i < paths.length; i++) {
      paths[i] = "/%d%%20x".formatted(i);
      server.put(paths[i], new byte[i]);
    }
    CountDownLatch two = new CountDownLatch(2);
    server.script =
        (request, usual) -> {
          two.countDown();
          return Uninterruptibles.awaitUninterruptibly(two, Duration.ofSeconds(20))
              ? usual
              : Reply.of(404, "");
        };
    try (RemoteListing listing = listing(paths)) {
      for (int i = 0; i < paths.length; i++) {
        RemoteFile file = file(listing);
        assertThat(file.size()).isEqualTo(i);
        assertThat(new String(file.name(), StandardCharsets.UTF_8)).isEqualTo(i + " x");
      }
    }
  }

  @Test
  void anInterruptedThreadEndsAtOnce() throws Exception {
    server.at(2, 100, usual -> usual.stalling(100));
    try (RemoteListing listing = listing("/a/file");
        FileBytes file = file(listing).path().open()) {
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> read(file, 0, 1000)).isInstanceOf(ClosedByInterruptException.class);
      assertThat(Thread.interrupted()).isTrue();
    }
  }
}
