package io.kmodel.indexer.indexing.report;

import com.fasterxml.jackson.databind.ObjectMapper;

/**
 * The shared JSON mapper for records. A mapper analyzes a class when it first writes one, which
 * takes longer than writing it; it is created on first use, which may be never. Must not be
 * reconfigured.
 */
public final class Json {
  public static final ObjectMapper MAPPER = new ObjectMapper();

  private Json() {}
}
