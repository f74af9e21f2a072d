package io.kmodel.indexer.browse;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/** Writes answers as one JSON object in UTF-8. */
final class JsonAnswer {
  /** Shared; must not be reconfigured. */
  private static final JsonFactory FACTORY = new JsonFactory();

  private JsonAnswer() {}

  /** Writes the members of an object. */
  @FunctionalInterface
  interface Members {
    void write(JsonGenerator out) throws IOException;
  }

  /** An object whose members are known; only a defect of the program can fail it. */
  static byte[] of(Members members) {
    try {
      return write(members);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** An object whose members are read from an index. */
  static byte[] write(Members members) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator out = FACTORY.createGenerator(bytes)) {
      out.writeStartObject();
      members.write(out);
      out.writeEndObject();
    }
    return bytes.toByteArray();
  }

  /** Writes a term as text, and also in hexadecimal if it is not UTF-8. */
  static void term(BytesRef term, JsonGenerator out) throws IOException {
    out.writeStringField("term", name(term));
    if (text(term) == null) {
      out.writeStringField("hex", hex(term));
    }
  }

  /** A term as text; in hexadecimal if it is not UTF-8. */
  static String name(BytesRef term) {
    String text = text(term);
    return text == null ? hex(term) : text;
  }

  private static @Nullable String text(BytesRef term) {
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(term.bytes, term.offset, term.length))
          .toString();
    } catch (CharacterCodingException e) {
      return null;
    }
  }

  private static String hex(BytesRef term) {
    return HexFormat.of().formatHex(term.bytes, term.offset, term.offset + term.length);
  }
}
