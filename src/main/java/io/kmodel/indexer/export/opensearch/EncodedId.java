package io.kmodel.indexer.export.opensearch;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * A document's id as OpenSearch's field {@code _id} holds it:
 *
 * <pre>
 * digits                    0xfe, then two digits a byte; an odd last one with 0xf
 * base64 for URLs, unpadded the decoded bytes, after 0xfd if their first byte is 0xfd or more
 * anything else             0xff, then UTF-8
 * </pre>
 *
 * Base64 counts only if the decoded bytes encode to the same id. Example: 123 is {@code fe 12 3f}.
 */
final class EncodedId {
  private static final int UTF8 = 0xff;
  private static final int NUMERIC = 0xfe;
  private static final int ESCAPE = 0xfd;

  private EncodedId() {}

  /**
   * Encodes an id.
   *
   * @param id not empty
   */
  static byte[] of(String id) {
    if (id.chars().allMatch(c -> c >= '0' && c <= '9')) {
      return digits(id);
    }
    if (id.chars().allMatch(EncodedId::isBase64)) {
      try {
        byte[] bytes = Base64.getUrlDecoder().decode(id);
        if (Base64.getUrlEncoder().withoutPadding().encodeToString(bytes).equals(id)) {
          return Byte.toUnsignedInt(bytes[0]) >= ESCAPE ? prefixed(ESCAPE, bytes) : bytes;
        }
      } catch (IllegalArgumentException e) {
        // No length that base64 has.
      }
    }
    return prefixed(UTF8, id.getBytes(StandardCharsets.UTF_8));
  }

  private static boolean isBase64(int c) {
    return (c >= '0' && c <= '9')
        || (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || c == '-'
        || c == '_';
  }

  private static byte[] digits(String id) {
    byte[] encoded = new byte[1 + (id.length() + 1) / 2];
    encoded[0] = (byte) NUMERIC;
    for (int i = 0; i < id.length(); i += 2) {
      int second = i + 1 < id.length() ? id.charAt(i + 1) - '0' : 0xf;
      encoded[1 + i / 2] = (byte) ((id.charAt(i) - '0') << 4 | second);
    }
    return encoded;
  }

  private static byte[] prefixed(int first, byte[] bytes) {
    byte[] encoded = new byte[1 + bytes.length];
    encoded[0] = (byte) first;
    System.arraycopy(bytes, 0, encoded, 1, bytes.length);
    return encoded;
  }
}
