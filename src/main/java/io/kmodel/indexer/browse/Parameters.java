package io.kmodel.indexer.browse;

import com.google.common.base.Splitter;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/** The parameters of a request: each is known, given at most once, and within its limits. */
final class Parameters {
  /** Characters of a text. */
  private static final int MOST_CHARACTERS = 4000;

  private final Map<String, String> values = new HashMap<>();

  /**
   * Reads the query of a URI.
   *
   * @param query not decoded; null without one
   */
  Parameters(@Nullable String query, Set<String> known) throws RefusedRequestException {
    if (query == null || query.isEmpty()) {
      return;
    }
    for (String pair : Splitter.on('&').split(query)) {
      int equals = pair.indexOf('=');
      String name = equals < 0 ? pair : pair.substring(0, equals);
      if (!known.contains(name)) {
        throw new RefusedRequestException(
            "unknown parameter '%s'; the parameters are %s".formatted(name, new TreeSet<>(known)));
      }
      if (values.put(name, decode(pair.substring(equals + 1))) != null) {
        throw new RefusedRequestException("parameter '%s' is given twice".formatted(name));
      }
    }
  }

  private static String decode(String value) throws RefusedRequestException {
    String text;
    try {
      text = URLDecoder.decode(value, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw new RefusedRequestException("'%s' is not percent-encoded".formatted(value));
    }
    if (text.length() > MOST_CHARACTERS) {
      throw new RefusedRequestException(
          "a parameter has at most %,d characters; got %,d"
              .formatted(MOST_CHARACTERS, text.length()));
    }
    return text;
  }

  /** A text that must be given. */
  String text(String name) throws RefusedRequestException {
    String value = values.get(name);
    if (value == null) {
      throw new RefusedRequestException("parameter '%s' is missing".formatted(name));
    }
    return value;
  }

  /** A text that may be missing, which is as if it were empty. */
  String textOrEmpty(String name) {
    return values.getOrDefault(name, "");
  }

  /** A number within limits, which must be given. */
  long number(String name, long least, long most) throws RefusedRequestException {
    String value = text(name);
    try {
      long number = Long.parseLong(value);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // The message is the same.
    }
    throw new RefusedRequestException(
        "parameter '%s' must be a number from %d to %d; got '%s'"
            .formatted(name, least, most, value));
  }

  /** The same with a default. */
  long number(String name, long otherwise, long least, long most) throws RefusedRequestException {
    return values.containsKey(name) ? number(name, least, most) : otherwise;
  }

  /** A term: as text in {@code term}, or, if it is not UTF-8, in hexadecimal in {@code hex}. */
  BytesRef term() throws RefusedRequestException {
    if (values.containsKey("term") == values.containsKey("hex")) {
      throw new RefusedRequestException("give either 'term' or 'hex'");
    }
    String hex = values.get("hex");
    if (hex == null) {
      return new BytesRef(text("term"));
    }
    try {
      return new BytesRef(HexFormat.of().parseHex(hex));
    } catch (IllegalArgumentException e) {
      throw new RefusedRequestException("'%s' is not hexadecimal".formatted(hex));
    }
  }
}
