package io.kmodel.indexer.source.remote;

import io.kmodel.indexer.source.RemotePath;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes requests to S3, or to a server that speaks as S3 does. Settings are those of the AWS SDK: a
 * system property, or else an environment variable. Safe for many threads.
 *
 * @param endpoint of another server than Amazon's; null for Amazon's
 */
record S3(@Nullable URI endpoint, String region, Credentials credentials) {
  /** Signs requests. */
  @FunctionalInterface
  interface Signer {
    /**
     * The headers that a GET request of this address needs now, without that for the host.
     *
     * @throws IOException if credentials have expired and cannot be renewed
     */
    Map<String, List<String>> sign(URI uri) throws IOException;
  }

  /**
   * The credentials that were found.
   *
   * @param signer null if none were found
   * @param problem why the profile has none
   */
  record Credentials(@Nullable Signer signer, String problem) {}

  private static final String UNRESERVED = "-._~";

  /**
   * The settings of this process.
   *
   * @throws IOException as {@link #of} does
   */
  static S3 ofProcess() throws IOException {
    return of(name -> System.getProperty(name), name -> System.getenv(name), AwsSigner::ofProcess);
  }

  /**
   * Settings from these sources.
   *
   * @param credentials gives them for a region
   * @throws IOException if the endpoint or the region cannot be one, or if the environment names a
   *     profile or half of a key and no credentials are found
   */
  static S3 of(
      Function<String, @Nullable String> properties,
      Function<String, @Nullable String> environment,
      Function<String, Credentials> credentials)
      throws IOException {
    String server = properties.apply("aws.endpointUrlS3");
    for (String variable : List.of("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL")) {
      server = server == null ? environment.apply(variable) : server;
    }
    String region = properties.apply("aws.region");
    for (String variable : List.of("AWS_REGION", "AWS_DEFAULT_REGION")) {
      region = region == null ? environment.apply(variable) : region;
    }
    region = region == null ? AwsSigner.regionOfProfile() : region;
    if (!region.matches("[A-Za-z0-9-]+")) {
      throw new IOException("the region of S3 must be a name such as eu-west-1; got " + region);
    }
    Credentials found = credentials.apply(region);
    requireComplete(found, environment);
    return new S3(endpoint(server), region, found);
  }

  /** Refuses credentials that are meant to be used and cannot be; requests would not be signed. */
  private static void requireComplete(
      Credentials found, Function<String, @Nullable String> environment) throws IOException {
    if (found.signer() != null) {
      return;
    }
    boolean hasKey = isSet("AWS_ACCESS_KEY_ID", environment);
    if (hasKey != isSet("AWS_SECRET_ACCESS_KEY", environment)) {
      throw new IOException(
          hasKey
              ? "AWS_ACCESS_KEY_ID is set without AWS_SECRET_ACCESS_KEY; set both or neither"
              : "AWS_SECRET_ACCESS_KEY is set without AWS_ACCESS_KEY_ID; set both or neither");
    }
    if (isSet("AWS_PROFILE", environment)) {
      throw new IOException(
          "the profile in AWS_PROFILE has no AWS credentials: %s; unset it to read public buckets"
              .formatted(found.problem()));
    }
  }

  private static boolean isSet(String variable, Function<String, @Nullable String> environment) {
    String value = environment.apply(variable);
    return value != null && !value.isBlank();
  }

  private static @Nullable URI endpoint(@Nullable String server) throws IOException {
    if (server == null || server.isBlank()) {
      return null;
    }
    if (!server.matches("https?://([A-Za-z0-9.-]+|\\[[0-9A-Fa-f:.]+])(:[0-9]{1,5})?/?")) {
      throw new IOException(
          "the endpoint of S3 must be http://HOST:PORT or https://HOST:PORT; got "
              + RemotePath.withoutLogin(server));
    }
    return URI.create(server);
  }

  /** An object. */
  Address object(String bucket, String key) {
    return new Request(this, bucket, key, "", key);
  }

  /**
   * A page of the list of a bucket's keys.
   *
   * @param prefix that they start with
   * @param next the token of the previous page; empty for the first one
   */
  Address list(String bucket, String prefix, String next) {
    // In order of their names, as signatures need them.
    String query =
        (next.isEmpty() ? "" : "continuation-token=" + escape(next, UNRESERVED) + "&")
            + "encoding-type=url&list-type=2"
            + (prefix.isEmpty() ? "" : "&prefix=" + escape(prefix, UNRESERVED));
    return new Request(this, bucket, "", query, prefix);
  }

  private URI uri(String bucket, String key, String query) {
    String path = escape(key, UNRESERVED + "/");
    String start;
    if (endpoint != null) {
      String server = endpoint.toString();
      start = server + (server.endsWith("/") ? "" : "/") + bucket + "/";
    } else if (bucket.matches("[a-z0-9-]+")) {
      start = "https://%s.s3.%s.%s/".formatted(bucket, region, domain());
    } else {
      // Certificates are not for names with more dots, and hosts have no underscores.
      start = "https://s3.%s.%s/%s/".formatted(region, domain(), bucket);
    }
    return URI.create(start + path + (query.isEmpty() ? "" : "?" + query));
  }

  private String domain() {
    return region.startsWith("cn-") ? "amazonaws.com.cn" : "amazonaws.com";
  }

  /** Percent-encodes a text as signatures require it. */
  private static String escape(String text, String kept) {
    StringBuilder escaped = new StringBuilder();
    for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
      boolean isPlain = b > 0 && (Character.isLetterOrDigit(b) || kept.indexOf(b) >= 0);
      escaped.append(isPlain ? String.valueOf((char) b) : "%%%02X".formatted(b));
    }
    return escaped.toString();
  }

  /**
   * A request for an object or a list.
   *
   * @param named the key or the prefix
   */
  private record Request(S3 s3, String bucket, String key, String query, String named)
      implements Address {
    @Override
    public URI uri() {
      return s3.uri(bucket, key, query);
    }

    @Override
    public HttpRequest.Builder request() throws IOException {
      URI uri = uri();
      HttpRequest.Builder request = HttpRequest.newBuilder(uri);
      Signer signer = s3.credentials.signer();
      if (signer != null) {
        signer
            .sign(uri)
            .forEach((name, values) -> values.forEach(value -> request.header(name, value)));
      }
      return request;
    }

    @Override
    public String name() {
      return "s3://" + bucket + "/" + named;
    }

    @Override
    public String route() {
      URI uri = uri();
      return s3.endpoint == null
          ? "requests go to %s; set AWS_REGION, or AWS_ENDPOINT_URL for another server than Amazon's"
              .formatted(uri.getRawAuthority())
          : "requests go to %s, as AWS_ENDPOINT_URL says".formatted(uri.getRawAuthority());
    }

    @Override
    public boolean mayBeRedirected() {
      return false;
    }

    @Override
    public String advice(Answer refusal, String code) {
      return switch (code) {
        case "ExpiredToken", "InvalidToken", "TokenRefreshRequired" ->
            "renew the AWS credentials, which have expired or are not valid";
        case "RequestTimeTooSkewed" -> "set the clock of this computer";
        case "AuthorizationHeaderMalformed" -> wrongRegion(refusal);
        case "NoSuchBucket" -> "there is no bucket " + bucket;
        case Answer.ARCHIVED -> "the object is in an archive, such as Glacier; restore it first";
        default ->
            switch (refusal.status()) {
              case 301, 307 -> wrongRegion(refusal);
              case 401, 403 -> notAllowed();
              case 404 ->
                  query.isEmpty()
                      ? "to read all keys with a prefix, end it with a slash"
                      : "it has no bucket %s, or is no server of S3; %s".formatted(bucket, route());
              default -> "";
            };
      };
    }

    private String wrongRegion(Answer refusal) {
      String region = refusal.header("x-amz-bucket-region");
      return "requests go to the region %s; set AWS_REGION to that of the bucket%s"
          .formatted(s3.region, region.isEmpty() ? "" : ", " + region);
    }

    private String notAllowed() {
      return s3.credentials.signer() == null
          ? "no AWS credentials were found: set AWS_PROFILE, or AWS_ACCESS_KEY_ID and"
              + " AWS_SECRET_ACCESS_KEY (of the profile, the AWS SDK says: %s)"
                  .formatted(s3.credentials.problem())
          : "the AWS credentials that were found do not allow it";
    }
  }
}
