package io.kmodel.indexer.source.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import java.io.IOException;

/**
 * Creates a parser for each JSON object. Parsers share a table of member names. A parser that meets
 * a new name first copies the table, with up to 6,000 names. If each line has a new name, as the
 * terms of a sparse vector are, that took some 40 µs per line instead of 3. The table is therefore
 * replaced once it has a few hundred names. Names are not interned, either.
 *
 * <p>Memory: some 30 KB. Not thread-safe.
 */
final class JsonParsers {
  /** Most collections have about ten. */
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

  /** Number of names in the table. */
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
      // The document size limit applies instead.
      settings.streamReadConstraints(
          StreamReadConstraints.builder().maxStringLength(Integer.MAX_VALUE).build());
      settings.disable(Feature.INTERN_FIELD_NAMES);
      // Python writes these for missing numbers.
      settings.enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS);
      return settings;
    }

    int names() {
      return _byteSymbolCanonicalizer.size();
    }
  }
}
