package io.kmodel.indexer.source.remote;

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
 * @param signer signs requests; null if no credentials were found
 */
record S3(@Nullable URI endpoint, String region, @Nullable Signer signer) {
  /** Signs requests. */
  @FunctionalInterface
  interface Signer {
    /** The headers that a GET request of this address needs now, without that for the host. */
    Map<String, List<String>> sign(URI uri);
  }

  private static final String UNRESERVED = "-._~";

  /**
   * The settings of this process.
   *
   * @throws IllegalArgumentException if the endpoint is no URL of http or https
   */
  static S3 ofProcess() {
    return of(name -> System.getProperty(name), name -> System.getenv(name), AwsSigner::ofProcess);
  }

  /**
   * Other settings.
   *
   * @param signers gives the signer for a region
   */
  static S3 of(
      Function<String, @Nullable String> properties,
      Function<String, @Nullable String> environment,
      Function<String, @Nullable Signer> signers) {
    String server = properties.apply("aws.endpointUrlS3");
    for (String variable : List.of("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL")) {
      server = server == null ? environment.apply(variable) : server;
    }
    String region = properties.apply("aws.region");
    for (String variable : List.of("AWS_REGION", "AWS_DEFAULT_REGION")) {
      region = region == null ? environment.apply(variable) : region;
    }
    region = region == null ? AwsSigner.regionOfProfile() : region;
    return new S3(endpoint(server), region, signers.apply(region));
  }

  private static @Nullable URI endpoint(@Nullable String server) {
    if (server == null || server.isBlank()) {
      return null;
    }
    if (!server.matches("https?://[^/?#]+/?")) {
      throw new IllegalArgumentException(
          "the endpoint of S3 must be http://HOST:PORT or https://HOST:PORT; got " + server);
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
    } else if (bucket.indexOf('.') >= 0) {
      // The certificate is not for names with more dots.
      start = "https://s3.%s.amazonaws.com/%s/".formatted(region, bucket);
    } else {
      start = "https://%s.s3.%s.amazonaws.com/".formatted(bucket, region);
    }
    return URI.create(start + path + (query.isEmpty() ? "" : "?" + query));
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
    public HttpRequest.Builder request() {
      URI uri = uri();
      HttpRequest.Builder request = HttpRequest.newBuilder(uri);
      if (s3.signer != null) {
        s3.signer
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
    public boolean mayBeRedirected() {
      return false;
    }

    @Override
    public String advice(int status, String code) {
      return switch (status) {
        case 301, 307, 400 ->
            "requests go to the region %s; set AWS_REGION to that of the bucket"
                .formatted(s3.region);
        case 401, 403 ->
            s3.signer == null
                ? "no AWS credentials were found: set AWS_PROFILE, or AWS_ACCESS_KEY_ID and"
                    + " AWS_SECRET_ACCESS_KEY"
                : "the AWS credentials that were found do not allow it, or have expired";
        case 404 -> "to read all keys with a prefix, end it with a slash";
        default -> "";
      };
    }
  }
}
