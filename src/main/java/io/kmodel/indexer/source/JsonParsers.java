package io.kmodel.indexer.source;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import java.io.IOException;

/**
 * Makes a parser for each object of JSON. Parsers share a table of the names of members that they
 * have met, and who meets another one copies it first, with up to 6,000 names: where each line has
 * a new one, as the terms of a sparse vector are, that took some 40 µs a line, in place of 3. So
 * the table is begun anew when it has some hundred. Nor is a name looked up among Java's own
 * strings.
 *
 * <p>Memory: some 30 KB. Not thread-safe.
 */
final class JsonParsers {
  /** Most collections have some ten. */
  private static final int MOST_NAMES = 256;

  private Factory factory = new Factory();

  /** A parser of the first bytes of an array; the caller closes it. */
  JsonParser parser(byte[] bytes, int length) throws IOException {
    if (factory.names() > MOST_NAMES) {
      factory = new Factory();
    }
    return factory.createParser(bytes, 0, length);
  }

  /** A parser of a text; the caller closes it. */
  JsonParser parser(String text) throws IOException {
    return factory.createParser(text);
  }

  /** Names that are remembered. */
  int names() {
    return factory.names();
  }

  private static final class Factory extends JsonFactory {
    private static final long serialVersionUID = 1;

    Factory() {
      super(settings());
    }

    private static JsonFactoryBuilder settings() {
      JsonFactoryBuilder settings = new JsonFactoryBuilder();
      // The limit of a document is ours.
      settings.streamReadConstraints(
          StreamReadConstraints.builder().maxStringLength(Integer.MAX_VALUE).build());
      settings.disable(Feature.INTERN_FIELD_NAMES);
      // Python writes them where it has no number.
      settings.enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS);
      return settings;
    }

    int names() {
      return _byteSymbolCanonicalizer.size();
    }
  }
}
