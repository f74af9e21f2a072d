package io.kmodel.indexer.source.json;

import io.kmodel.indexer.source.record.EightBytes;
import java.util.Arrays;

/**
 * The strings of a JSON object that have escapes, without these, in UTF-8, one after the other.
 * Text between escapes is copied eight bytes at a time. Memory: as much as the object once it has
 * an escape; up to {@value #KEPT_BYTES} bytes are kept for the next object. Not thread-safe.
 */
final class UnescapedStrings {
  private static final int KEPT_BYTES = 1 << 20;

  private byte[] bytes = {};
  private int length;

  /** Starts an object of so many bytes, without strings. */
  void start(int objectBytes) {
    length = 0;
    if (bytes.length > KEPT_BYTES && objectBytes <= KEPT_BYTES) {
      bytes = new byte[] {};
    }
  }

  /** Holds the strings; a later string may replace the array by one with the same strings. */
  byte[] bytes() {
    return bytes;
  }

  /** The end of the last string. */
  int length() {
    return length;
  }

  /** Starts a string of an object of so many bytes; returns the offset of its first byte. */
  int startString(int objectBytes) {
    // Strings only become shorter, so there is room for eight bytes wherever the object has them.
    if (bytes.length < objectBytes) {
      bytes = Arrays.copyOf(bytes, objectBytes);
    }
    return length;
  }

  /** Appends bytes of the object. */
  void put(byte[] object, int from, int to) {
    for (int at = from; at < to; at++) {
      bytes[length++] = object[at];
    }
  }

  /**
   * Appends the bytes of the object before the next one at which {@link JsonScanner} stops; returns
   * its offset.
   */
  int putPlain(byte[] object, int from, int end) {
    int at = from;
    int to = length;
    for (; at <= end - Long.BYTES; at += Long.BYTES) {
      long eight = EightBytes.at(object, at);
      EightBytes.put(bytes, to, eight);
      long stops = EightBytes.stopsOfAsciiString(eight);
      if (stops != 0) {
        length = to + EightBytes.first(stops);
        return at + EightBytes.first(stops);
      }
      to += Long.BYTES;
    }
    while (at < end && !JsonScanner.isStop(object[at])) {
      bytes[to++] = object[at++];
    }
    length = to;
    return at;
  }

  /** Appends UTF-8, which is shorter than the escape. */
  void putCharacter(int character) {
    if (character < 0x80) {
      put(character);
    } else if (character < 0x800) {
      put(0xC0 | character >> 6);
      put(0x80 | (character & 0x3F));
    } else {
      if (character < 0x10000) {
        put(0xE0 | character >> 12);
      } else {
        put(0xF0 | character >> 18);
        put(0x80 | (character >> 12 & 0x3F));
      }
      put(0x80 | (character >> 6 & 0x3F));
      put(0x80 | (character & 0x3F));
    }
  }

  private void put(int b) {
    bytes[length++] = (byte) b;
  }
}
