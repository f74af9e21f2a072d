package io.kmodel.indexer.source.remote;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;

/** Where a file is on a server, and how to ask for it. */
interface Address {
  /**
   * A GET request without headers for ranges, signed now if it has to be.
   *
   * @throws IOException if credentials have expired and cannot be renewed
   */
  HttpRequest.Builder request() throws IOException;

  /** The address that a request is sent to. */
  URI uri();

  /** The URL without secrets, for messages. */
  String name();

  /** Where requests go and which settings decide that; empty if the URL says it. */
  default String route() {
    return "";
  }

  /** Whether a server may redirect requests. */
  boolean mayBeRedirected();

  /**
   * What helps if the server refuses a request; may be empty.
   *
   * @param code of S3; may be empty
   */
  String advice(Answer refusal, String code);
}
