package io.kmodel.indexer.source.remote;

import com.google.common.base.Throwables;
import io.kmodel.indexer.source.RemotePath;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpTimeoutException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.UnresolvedAddressException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests to servers, again if they fail in a way that may pass: no connection, no answer,
 * too many requests, or an error of the server.
 *
 * <p>It speaks HTTP/1.1, so that each reading has a connection to itself: over one connection of
 * HTTP/2, all threads would share its speed. Redirections are followed, but never from https to
 * http. Proxies and trusted certificates are those of Java's system properties. Safe for many
 * threads; the threads of the JDK's client end when it is not used any more.
 */
final class Web {
  private static final int TIMEOUT = 408;
  private static final int TOO_MANY_REQUESTS = 429;
  private static final int SERVER_ERROR = 500;
  private static final int NOT_IMPLEMENTED = 501;

  private final Patience patience;
  private final RemoteCounts counts = new RemoteCounts();

  /** Hosts that have answered. */
  private final Set<String> answered = ConcurrentHashMap.newKeySet();

  /** Created on demand; guarded by this, as is the next one. */
  private @Nullable HttpClient following;

  private @Nullable HttpClient strict;

  Web(Patience patience) {
    this.patience = patience;
  }

  Patience patience() {
    return patience;
  }

  RemoteCounts counts() {
    return counts;
  }

  boolean hasAnswered(Address address) {
    return answered.contains(address.uri().getRawAuthority());
  }

  /**
   * Asks until there is an answer that another try would not change.
   *
   * @param headers besides the usual ones
   * @throws UnavailableException after too many failures
   */
  Answer get(Address address, Map<String, String> headers, Retry retry) throws IOException {
    while (true) {
      Answer answer;
      try {
        answer = send(address, headers);
      } catch (ClosedByInterruptException e) {
        throw e;
      } catch (IOException e) {
        if (isUntrusted(e)) {
          throw new UnavailableException(
              address,
              "%s; Java trusts other certificates with INDEXER_JAVA_OPTIONS=-Djavax.net.ssl.trustStore=FILE"
                  .formatted(message(e)),
              e);
        }
        retry.again(e, Duration.ZERO);
        continue;
      }
      if (!isPassing(answer.status())) {
        counts.answered();
        return answer;
      }
      String why;
      try (answer) {
        why = "%d%s from the server".formatted(answer.status(), bracketed(answer.errorCode()));
      }
      retry.again(new IOException(why), answer.retryAfter());
    }
  }

  private Answer send(Address address, Map<String, String> headers) throws IOException {
    HttpRequest.Builder request =
        address
            .request()
            .timeout(patience.silence())
            .header("Accept-Encoding", "identity")
            .header("User-Agent", "indexer");
    headers.forEach(request::header);
    counts.request();
    try {
      Answer answer =
          new Answer(
              client(address.mayBeRedirected())
                  .send(request.build(), info -> new BodyQueue(patience.silence())));
      answered.add(String.valueOf(address.uri().getRawAuthority()));
      return answer;
    } catch (InterruptedException e) {
      throw Patience.interrupted();
    }
  }

  private synchronized HttpClient client(boolean follows) {
    HttpClient made = follows ? following : strict;
    if (made == null) {
      made =
          HttpClient.newBuilder()
              .version(Version.HTTP_1_1)
              .followRedirects(follows ? Redirect.NORMAL : Redirect.NEVER)
              .connectTimeout(patience.connect())
              .build();
      if (follows) {
        following = made;
      } else {
        strict = made;
      }
    }
    return made;
  }

  private static boolean isPassing(int status) {
    return status == TIMEOUT
        || status == TOO_MANY_REQUESTS
        || (status >= SERVER_ERROR && status != NOT_IMPLEMENTED);
  }

  /** Whether the server's certificate is not trusted, which another try would not change. */
  private static boolean isUntrusted(IOException e) {
    return Throwables.getCausalChain(e).stream()
        .anyMatch(
            cause ->
                cause instanceof CertificateException
                    || cause instanceof CertPathBuilderException
                    || cause instanceof CertPathValidatorException);
  }

  private static String bracketed(String detail) {
    return detail.isEmpty() ? "" : " (" + detail + ")";
  }

  /**
   * The failure that an answer without a file means.
   *
   * @throws UnavailableException if the server refuses all files, or may do so
   */
  RemoteFileException refused(Address address, Answer answer) {
    int status = answer.status();
    String code = answer.errorCode();
    String advice = address.advice(answer, code);
    String why = "the server answers %d%s".formatted(status, bracketed(code));
    if (status >= 300 && status < 400) {
      // The rest may be secret.
      String to = RemotePath.withoutLogin(answer.header("location")).replaceFirst("[?#].*", "");
      why +=
          to.startsWith("http:")
              ? ", a redirection to http, which is not encrypted"
              : bracketed(to);
    }
    String message = advice.isEmpty() ? why : why + "; " + advice;
    boolean isOfFile = status == 404 || status == 410 || code.equals(Answer.ARCHIVED);
    if (!isOfFile) {
      throw new UnavailableException(address, message);
    }
    return new RemoteFileException(address, message);
  }

  /** A failure in words: exceptions of the JDK's client often have no message. */
  static String message(Throwable e) {
    List<Throwable> chain = Throwables.getCausalChain(e);
    if (chain.stream().anyMatch(UnresolvedAddressException.class::isInstance)) {
      return "no host has this name";
    }
    for (Throwable cause : chain) {
      if (cause instanceof ConnectException) {
        return cause.getMessage() == null ? "no connection" : cause.getMessage();
      }
      if (cause instanceof HttpTimeoutException) {
        return String.valueOf(cause.getMessage());
      }
    }
    Throwable first = chain.getLast();
    return first.getMessage() == null ? first.getClass().getSimpleName() : first.getMessage();
  }
}
