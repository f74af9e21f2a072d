package io.kmodel.indexer.cli.option;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.kmodel.indexer.indexing.report.Json;
import java.io.PrintWriter;
import java.util.Map;
import picocli.CommandLine.Option;

/** The choice of a command between text for people and an object of JSON for each line. */
public final class JsonOption {
  @Option(
      names = "--json",
      fallbackValue = "true",
      description = "Print an object of JSON per line.")
  private boolean json;

  JsonOption() {}

  public boolean isGiven() {
    return json;
  }

  /** Prints an object, whose members keep the order of the map. */
  public static void print(Map<String, ?> members, PrintWriter out) throws JsonProcessingException {
    out.println(Json.MAPPER.writeValueAsString(members));
  }
}
