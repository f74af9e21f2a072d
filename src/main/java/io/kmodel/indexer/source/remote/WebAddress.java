package io.kmodel.indexer.source.remote;

import io.kmodel.indexer.source.RemotePath;
import java.net.URI;
import java.net.http.HttpRequest;

/** A file of http or https. */
record WebAddress(String name, URI uri) implements Address {
  static WebAddress of(RemotePath path) {
    return new WebAddress(path.toString(), URI.create(URI.create(path.url()).toASCIIString()));
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
  public String advice(int status, String code) {
    return switch (status) {
      case 401, 403, 407 ->
          "the server wants a login, or refuses this computer; use a presigned URL, or download the"
              + " file and name its path";
      case 404, 410 -> "there is no such file; check the URL and --base";
      default -> "";
    };
  }
}
