package io.kmodel.indexer.source.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.source.FileBytes;
import io.kmodel.indexer.source.RemotePath;
import io.kmodel.indexer.source.remote.FileServer.Reply;
import io.kmodel.indexer.source.remote.RemoteListing.Listed;
import io.kmodel.indexer.source.remote.RemoteListing.RemoteFile;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.core.exception.SdkClientException;

/** Keys and objects of a server that speaks as S3 does. */
@Timeout(60)
class S3Test {
  private static final Patience IMPATIENT =
      new Patience(
          3,
          2,
          Duration.ofMillis(1),
          Duration.ofMillis(4),
          Duration.ofSeconds(5),
          Duration.ofSeconds(5),
          Duration.ofSeconds(5));

  private static final AwsBasicCredentials CREDENTIALS =
      AwsBasicCredentials.create(S3Server.ACCESS, S3Server.SECRET);

  private static final S3.Credentials NONE = new S3.Credentials(null, "no profile");

  private S3Server server;

  @BeforeEach
  void start() throws IOException {
    server = new S3Server("bucket");
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private S3 s3() {
    return new S3(
        URI.create(server.endpoint()),
        S3Server.REGION,
        server.signed
            ? new S3.Credentials(new AwsSigner(() -> CREDENTIALS, S3Server.REGION), "")
            : NONE);
  }

  private Listed list(String url) throws IOException {
    try (RemoteListing listing =
        new RemoteListing(List.of(RemotePath.of(url)), IMPATIENT, this::s3)) {
      return listing.next();
    }
  }

  private static List<String> names(Listed listed) {
    return listed.files().stream()
        .map(file -> new String(file.name(), StandardCharsets.UTF_8))
        .toList();
  }

  private static String text(RemoteFile file) throws IOException {
    try (FileBytes bytes = file.path().open()) {
      ByteBuffer all = ByteBuffer.allocate(100);
      int n = bytes.read(all, 0);
      return new String(all.array(), 0, Math.max(0, n), StandardCharsets.UTF_8);
    }
  }

  @ParameterizedTest
  @CsvSource({"true, false", "false, false", "true, true"})
  void allKeysWithAPrefixAreListedInByteOrder(boolean signed, boolean backwards)
      throws IOException {
    server.signed = signed;
    server.backwards = backwards;
    String[] keys = {"a b+c%20=&.txt", "a//b", "a/b", "a.txt", "é*~(1)", "\uFFFD", "\uD83D\uDE00"};
    for (String key : keys) {
      server.put("crawl/" + key, bytes("text of " + key));
    }
    server.put("crawl/", bytes("")).put("crawl/a/", bytes("")).put("crawl/odd/", bytes("x"));
    server.put("crawler", bytes("other"));
    Listed listed = list("s3://bucket/crawl/");
    assertThat(names(listed))
        .containsExactly(
            "a b+c%20=&.txt", "a.txt", "a//b", "a/b", "é*~(1)", "\uFFFD", "\uD83D\uDE00");
    for (RemoteFile file : listed.files()) {
      String name = new String(file.name(), StandardCharsets.UTF_8);
      assertThat(text(file)).isEqualTo("text of " + name);
      assertThat(file.tag()).startsWith("\"").endsWith("\"");
    }
    assertThat(listed.leftOut()).containsExactly("s3://bucket/crawl/odd/");
    assertThat(list("s3://bucket").files()).hasSize(8);
  }

  @Test
  void anObjectIsReadByItsKey() throws IOException {
    server.put("a b/c?d#e.txt", bytes("text"));
    Listed listed = list("S3://bucket/a b/c?d#e.txt");
    assertThat(names(listed)).containsExactly("a b/c?d#e.txt");
    assertThat(listed.root()).hasToString("s3://bucket");
    assertThat(text(listed.files().getFirst())).isEqualTo("text");
  }

  @Test
  void credentialsOfASessionAreSent() throws IOException {
    AwsSigner signer =
        new AwsSigner(
            () -> AwsSessionCredentials.create(S3Server.ACCESS, S3Server.SECRET, "session"),
            S3Server.REGION);
    Map<String, List<String>> headers = signer.sign(URI.create("https://b.s3.amazonaws.com/k"));
    assertThat(headers).containsEntry("X-Amz-Security-Token", List.of("session"));
    assertThat(headers).doesNotContainKeys("host", "Host");
  }

  @Test
  void amazonsServersAreNamedByBucketAndRegion() {
    S3 s3 = new S3(null, "eu-west-1", NONE);
    assertThat(s3.object("bucket", "a b/c").uri())
        .hasToString("https://bucket.s3.eu-west-1.amazonaws.com/a%20b/c");
    assertThat(s3.object("my.bucket", "k").uri())
        .hasToString("https://s3.eu-west-1.amazonaws.com/my.bucket/k");
    assertThat(s3.object("my_bucket", "k").uri())
        .hasToString("https://s3.eu-west-1.amazonaws.com/my_bucket/k");
    assertThat(new S3(null, "cn-north-1", NONE).object("bucket", "k").uri())
        .hasToString("https://bucket.s3.cn-north-1.amazonaws.com.cn/k");
    assertThat(s3.list("bucket", "p/", "").uri().getRawQuery())
        .isEqualTo("encoding-type=url&list-type=2&prefix=p%2F");
  }

  @Test
  void settingsComeFromPropertiesAndThenFromTheEnvironment() throws IOException {
    Map<String, String> environment =
        Map.of(
            "AWS_ENDPOINT_URL", "http://127.0.0.1:1",
            "AWS_ENDPOINT_URL_S3", "http://127.0.0.1:2/",
            "AWS_DEFAULT_REGION", "eu-1");
    S3 s3 = S3.of(name -> null, environment::get, region -> NONE);
    assertThat(s3.endpoint()).hasToString("http://127.0.0.1:2/");
    assertThat(s3.region()).isEqualTo("eu-1");
    assertThat(s3.object("b", "k").uri()).hasToString("http://127.0.0.1:2/b/k");
    Map<String, String> properties =
        Map.of("aws.endpointUrlS3", "https://host", "aws.region", "eu-2");
    S3 other = S3.of(properties::get, environment::get, region -> NONE);
    assertThat(other.endpoint()).hasToString("https://host");
    assertThat(other.region()).isEqualTo("eu-2");
  }

  @ParameterizedTest
  @CsvSource({
    "AWS_ACCESS_KEY_ID, AWS_ACCESS_KEY_ID is set without AWS_SECRET_ACCESS_KEY",
    "AWS_SECRET_ACCESS_KEY, AWS_SECRET_ACCESS_KEY is set without AWS_ACCESS_KEY_ID",
    "AWS_PROFILE, the profile in AWS_PROFILE has no AWS credentials: no profile"
  })
  void credentialsThatAreNamedAndNotFoundAreAnError(String variable, String message)
      throws IOException {
    Map<String, String> environment = Map.of("AWS_REGION", "eu-1", variable, "value");
    assertThatThrownBy(() -> S3.of(name -> null, environment::get, region -> NONE))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith(message)
        .hasMessageNotContaining("value");
    S3.Credentials some = new S3.Credentials(new AwsSigner(() -> CREDENTIALS, "eu-1"), "");
    assertThat(S3.of(name -> null, environment::get, region -> some).credentials()).isSameAs(some);
    Map<String, String> blank = Map.of("AWS_REGION", "eu-1", variable, "");
    assertThat(S3.of(name -> null, blank::get, region -> NONE).credentials()).isSameAs(NONE);
  }

  @Test
  void theSdkDoesNotDescribeProfiles() {
    assertThat(AwsSigner.problem("no credentials for 'x': ProfileFile(sections=[])"))
        .isEqualTo("no credentials for 'x'");
    assertThat(AwsSigner.problem("other")).isEqualTo("other");
  }

  @Test
  void aServerThatIsNotThereIsNamedWithTheSettingsThatChooseIt() throws IOException {
    server.close();
    String host = URI.create(server.endpoint()).getAuthority();
    assertThatThrownBy(() -> list("s3://bucket/a"))
        .hasMessage(
            "s3://bucket/a: no connection; gave up after 2 tries; requests go to %s, as"
                + " AWS_ENDPOINT_URL says",
            host);
    assertThat(new S3(null, "eu-1", NONE).object("bucket", "a").route())
        .startsWith("requests go to bucket.s3.eu-1.amazonaws.com; set AWS_REGION, or AWS_ENDPOINT");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"localhost:9000", "http://my host:1", "http://my_host", "http://a/b", "me@host"})
  void anEndpointThatIsNoneIsAnError(String endpoint) {
    Map<String, String> environment = Map.of("AWS_ENDPOINT_URL", endpoint, "AWS_REGION", "eu-1");
    assertThatThrownBy(() -> S3.of(name -> null, environment::get, region -> NONE))
        .isInstanceOf(IOException.class)
        .hasMessageEndingWith(
            "must be http://HOST:PORT or https://HOST:PORT; got "
                + endpoint.replace("me@", "***@"));
  }

  @Test
  void aRegionThatIsNoneIsAnError() {
    assertThatThrownBy(() -> S3.of(name -> null, name -> "eu west", region -> NONE))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("such as eu-west-1; got eu west");
  }

  @Test
  void credentialsThatCannotBeRenewedStopTheReadingAfterSomeTries() throws IOException {
    server.put("a/1", bytes("text"));
    int[] asked = new int[1];
    AwsCredentialsProvider expiring =
        () -> {
          if (asked[0]++ > 0) {
            throw SdkClientException.create("the session is over");
          }
          return CREDENTIALS;
        };
    AwsSigner signer = new AwsSigner(expiring, S3Server.REGION);
    S3 s3 = new S3(URI.create(server.endpoint()), S3Server.REGION, new S3.Credentials(signer, ""));
    try (RemoteListing listing =
        new RemoteListing(List.of(RemotePath.of("s3://bucket/a/")), IMPATIENT, () -> s3)) {
      RemoteFile file = listing.next().files().getFirst();
      assertThatThrownBy(() -> text(file))
          .isInstanceOf(UnavailableException.class)
          .hasMessageContaining("cannot be renewed: the session is over; gave up after 3 tries");
    }
    assertThat(asked[0]).isEqualTo(4);
  }

  @Test
  void refusalsSayWhatWouldHelp() throws IOException {
    assertThatThrownBy(() -> list("s3://bucket/none"))
        .hasMessage(
            "s3://bucket/none: the server answers 404 (NoSuchKey); to read all keys with a prefix,"
                + " end it with a slash");
    server.script = (request, usual) -> Reply.of(404, "");
    assertThatThrownBy(() -> list("s3://bucket/a/"))
        .hasMessageStartingWith(
            "s3://bucket/a/: the server answers 404; it has no bucket bucket, or is no server of"
                + " S3; requests go to 127.0.0.1:");
    server.script = (request, usual) -> Reply.of(403, "<Error><Code>AccessDenied</Code></Error>");
    assertThatThrownBy(() -> list("s3://bucket/a"))
        .hasMessageContaining("403 (AccessDenied); the AWS credentials that were found");
    server.signed = false;
    assertThatThrownBy(() -> list("s3://bucket/a/"))
        .hasMessageContaining("no AWS credentials were found: set AWS_PROFILE")
        .hasMessageContaining("of the profile, the AWS SDK says: no profile");
    server.script =
        (request, usual) ->
            Reply.of(301, "<Error><Code>PermanentRedirect</Code></Error>")
                .with("x-amz-bucket-region", "eu-9");
    assertThatThrownBy(() -> list("s3://bucket/a/"))
        .hasMessageEndingWith(
            "the server answers 301 (PermanentRedirect); requests go to the region eu-test-1; set"
                + " AWS_REGION to that of the bucket, eu-9");
  }

  @ParameterizedTest
  @CsvSource({
    "400, ExpiredToken, renew the AWS credentials",
    "400, AuthorizationHeaderMalformed, set AWS_REGION to that of the bucket",
    "400, InvalidArgument, the server answers 400 (InvalidArgument)",
    "403, RequestTimeTooSkewed, set the clock",
    "403, InvalidObjectState, restore it first",
    "404, NoSuchBucket, there is no bucket bucket"
  })
  void theCodeOfARefusalDecidesWhatWouldHelp(int status, String code, String advice) {
    server.script =
        (request, usual) -> Reply.of(status, "<Error><Code>%s</Code></Error>".formatted(code));
    assertThatThrownBy(() -> list("s3://bucket/a")).hasMessageContaining(advice);
  }

  @Test
  void anObjectInAnArchiveIsOneFileThatCannotBeRead() throws IOException {
    server.put("a", bytes("text"));
    RemoteFile file = list("s3://bucket/a").files().getFirst();
    server.script =
        (request, usual) -> Reply.of(403, "<Error><Code>InvalidObjectState</Code></Error>");
    assertThatThrownBy(() -> text(file)).isInstanceOf(RemoteFileException.class);
  }

  @Test
  void aPageOfTheListIsAskedForAgain() throws IOException {
    server.put("a/1", bytes("1")).put("a/2", bytes("2")).put("a/3", bytes("3"));
    server.script =
        (request, usual) ->
            switch (server.files.requests.size()) {
              case 1 -> usual.breaking(20);
              case 2 -> Reply.of(503, "<Error><Code>SlowDown</Code></Error>");
              case 4 -> Reply.of(500, "");
              default -> usual;
            };
    assertThat(names(list("s3://bucket/a/"))).containsExactly("1", "2", "3");
    assertThat(server.files.requests).hasSize(5);
  }

  @ParameterizedTest
  @CsvSource({
    "<ListBucketResult><Contents><Key>a/1</Key></Contents></ListBucketResult>",
    "<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>",
    "<!DOCTYPE x [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><ListBucketResult>&e;</ListBucketResult>",
    "no XML"
  })
  void aListThatCannotBeReadIsAnError(String xml) {
    server.script = (request, usual) -> Reply.of(200, xml);
    assertThatThrownBy(() -> list("s3://bucket/a/"))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("s3://bucket/a/: the server's list of keys cannot be read");
  }

  @Test
  void aListThatDoesNotEndIsAnError() {
    server.script =
        (request, usual) ->
            Reply.of(
                200,
                "<L><IsTruncated>true</IsTruncated><NextContinuationToken>t</NextContinuationToken></L>");
    assertThatThrownBy(() -> list("s3://bucket/a/")).hasMessageContaining("does not end");
  }
}
