package io.kmodel.indexer.source.remote;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kmodel.indexer.source.remote.FileServer.Reply;
import io.kmodel.indexer.source.remote.FileServer.Request;
import java.io.IOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A server that speaks as S3 does: it lists keys, two a page, and checks signatures by the rules of
 * Signature Version 4, which are written out here once more.
 */
public final class S3Server implements AutoCloseable {
  public static final String ACCESS = "AKIDEXAMPLE";
  public static final String SECRET = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";
  public static final String REGION = "eu-test-1";

  private static final Pattern AUTHORIZATION =
      Pattern.compile(
          "AWS4-HMAC-SHA256 Credential=([^/]+)/(\\d{8})/([^/]+)/s3/aws4_request, ?"
              + "SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})");

  public final FileServer files = new FileServer();
  private final String bucket;
  private final Map<String, byte[]> objects = new ConcurrentSkipListMap<>();

  /** Whether requests must be signed. */
  public volatile boolean signed = true;

  /** Whether keys are listed in the wrong order. */
  public volatile boolean backwards;

  /** Takes the next answer, if the request may have one. */
  public volatile FileServer.Script script = (request, usual) -> usual;

  public S3Server(String bucket) throws IOException {
    this.bucket = bucket;
    files.script = (request, usual) -> script.answer(request, answer(request, usual));
  }

  public S3Server put(String key, byte[] bytes) {
    objects.put(key, bytes);
    files.put("/" + bucket + "/" + escape(key).replace("%2F", "/"), bytes);
    return this;
  }

  public String endpoint() {
    return files.url("");
  }

  private Reply answer(Request request, Reply usual) {
    if (signed && !isSigned(request)) {
      return Reply.of(403, "<Error><Code>SignatureDoesNotMatch</Code></Error>");
    }
    if (!signed && !request.header("authorization").isEmpty()) {
      return Reply.of(400, "<Error><Code>UnexpectedSignature</Code></Error>");
    }
    if (request.path().equals("/" + bucket + "/")) {
      return list(query(request.target()));
    }
    return usual.status() == 404
        ? Reply.of(404, "<?xml version=\"1.0\"?><Error><Code>NoSuchKey</Code></Error>")
        : usual;
  }

  private Reply list(Map<String, String> query) {
    String prefix = query.getOrDefault("prefix", "");
    String token = query.getOrDefault("continuation-token", "");
    Comparator<String> order = Comparator.naturalOrder();
    var keys =
        objects.keySet().stream()
            .filter(key -> key.startsWith(prefix))
            .sorted(backwards ? order.reversed() : order)
            .toList();
    int from = token.isEmpty() ? 0 : Integer.parseInt("0" + token.replaceAll("\\D", ""));
    int to = Math.min(keys.size(), from + 2);
    StringBuilder xml =
        new StringBuilder(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<ListBucketResult><Name>b</Name>");
    for (String key : keys.subList(from, to)) {
      byte[] bytes = Objects.requireNonNull(objects.get(key));
      xml.append("<Contents><Key>")
          .append(URLEncoder.encode(key, UTF_8))
          .append("</Key><LastModified>2024-02-29T12:00:00.000Z</LastModified><ETag>&quot;")
          .append("%x-%d".formatted(Arrays.hashCode(bytes), bytes.length))
          .append("&quot;</ETag><Size>" + bytes.length + "</Size>")
          .append("<StorageClass>STANDARD</StorageClass></Contents>");
    }
    boolean more = to < keys.size();
    xml.append("<IsTruncated>" + more + "</IsTruncated>");
    if (more) {
      // As real ones, it has characters that must be escaped.
      xml.append("<NextContinuationToken>t/+=" + to + "</NextContinuationToken>");
    }
    return Reply.of(200, xml.append("</ListBucketResult>").toString());
  }

  private static Map<String, String> query(String target) {
    Map<String, String> query = new TreeMap<>();
    int at = target.indexOf('?');
    for (String part : at < 0 ? new String[0] : target.substring(at + 1).split("&", -1)) {
      int equals = part.indexOf('=');
      query.put(part.substring(0, equals), URLDecoder.decode(part.substring(equals + 1), UTF_8));
    }
    return query;
  }

  /** Percent-encodes all but unreserved characters. */
  private static String escape(String text) {
    return URLEncoder.encode(text, UTF_8)
        .replace("+", "%20")
        .replace("*", "%2A")
        .replace("%7E", "~");
  }

  private static boolean isSigned(Request request) {
    Matcher parts = AUTHORIZATION.matcher(request.header("authorization"));
    if (!parts.matches()
        || !parts.group(1).equals(ACCESS)
        || !parts.group(3).equals(REGION)
        || !parts.group(4).contains("host")) {
      return false;
    }
    String headers =
        parts
            .group(4)
            .lines()
            .flatMap(line -> Pattern.compile(";").splitAsStream(line))
            .map(name -> name + ":" + request.header(name) + "\n")
            .collect(Collectors.joining());
    String query =
        query(request.target()).entrySet().stream()
            .map(e -> escape(e.getKey()) + "=" + escape(e.getValue()))
            .collect(Collectors.joining("&"));
    String canonical =
        String.join(
            "\n",
            "GET",
            request.path(),
            query,
            headers,
            parts.group(4),
            request.header("x-amz-content-sha256"));
    String scope = parts.group(2) + "/" + REGION + "/s3/aws4_request";
    try {
      String toSign =
          String.join(
              "\n",
              "AWS4-HMAC-SHA256",
              request.header("x-amz-date"),
              scope,
              hex(MessageDigest.getInstance("SHA-256").digest(canonical.getBytes(UTF_8))));
      byte[] key = ("AWS4" + SECRET).getBytes(UTF_8);
      for (String part : scope.split("/", -1)) {
        key = hmac(key, part);
      }
      return hex(hmac(key, toSign)).equals(parts.group(5));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] hmac(byte[] key, String text) throws GeneralSecurityException {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(key, "HmacSHA256"));
    return mac.doFinal(text.getBytes(UTF_8));
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  @Override
  public void close() throws IOException {
    files.close();
  }
}
