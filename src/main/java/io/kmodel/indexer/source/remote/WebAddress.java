package io.kmodel.indexer.source.remote;

import io.kmodel.indexer.source.RemotePath;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;

/** A file of http or https. */
record WebAddress(String name, URI uri) implements Address {
  static WebAddress of(RemotePath path) {
    return new WebAddress(path.toString(), URI.create(ascii(path.url())));
  }

  /** Percent-encodes other characters; unlike URI's method, without normalizing them first. */
  private static String ascii(String url) {
    StringBuilder ascii = new StringBuilder();
    for (byte b : url.getBytes(StandardCharsets.UTF_8)) {
      ascii.append(b < 0 ? "%%%02X".formatted(b) : String.valueOf((char) b));
    }
    return ascii.toString();
  }

  @Override
  public HttpRequest.Builder request() {
    return HttpRequest.newBuilder(uri);
  }

  @Override
  public boolean mayBeRedirected() {
    return true;
  }

  @Override
  public String advice(Answer refusal, String code) {
    return switch (refusal.status()) {
      case 401, 403, 407 ->
          "the server wants a login, or refuses this computer; use a presigned URL, or download the"
              + " file and name its path";
      case 404, 410 -> "there is no such file; check the URL and --base";
      default -> "";
    };
  }
}
