package io.kmodel.indexer.indexing.report;

import com.fasterxml.jackson.databind.ObjectMapper;

/**
 * JSON of records. One for all: a mapper learns a class when it first writes one, which takes
 * longer than to write it, and it is made where JSON is wanted first, which may be after the build,
 * or never. Nobody may configure it.
 */
public final class Json {
  public static final ObjectMapper MAPPER = new ObjectMapper();

  private Json() {}
}
