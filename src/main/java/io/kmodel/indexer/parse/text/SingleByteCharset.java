package io.kmodel.indexer.parse.text;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CoderResult;

/**
 * A charset that the JDK lacks: bytes below 0xA0 are those of ISO-8859-1, and a table has the
 * others. It only decodes. Thread-safe.
 */
final class SingleByteCharset extends Charset {
  /** The charset of the Nordic languages. */
  static final Charset ISO_8859_10 =
      new SingleByteCharset(
          "ISO-8859-10",
          """
          \u00A0ĄĒĢĪĨĶ§ĻĐŠŦŽ\u00ADŪŊ°ąēģīĩķ·ļđšŧž―ūŋ\
          ĀÁÂÃÄÅÆĮČÉĘËĖÍÎÏÐŅŌÓÔÕÖŨØŲÚÛÜÝÞßāáâãäåæįčéęëėíîïðņōóôõöũøųúûüýþĸ\
          """);

  /** The charset of the Celtic languages. */
  static final Charset ISO_8859_14 =
      new SingleByteCharset(
          "ISO-8859-14",
          """
          \u00A0Ḃḃ£ĊċḊ§Ẁ©ẂḋỲ\u00AD®ŸḞḟĠġṀṁ¶ṖẁṗẃṠỳẄẅṡ\
          ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏŴÑÒÓÔÕÖṪØÙÚÛÜÝŶßàáâãäåæçèéêëìíîïŵñòóôõöṫøùúûüýŷÿ\
          """);

  private static final int TABLE_START = 0xA0;

  private final String table;

  /** Creates a charset; the table has a character for each byte from 0xA0 on. */
  private SingleByteCharset(String name, String table) {
    super(name, new String[0]);
    if (table.length() != 0x100 - TABLE_START) {
      throw new IllegalArgumentException(
          "%s: expected 96 characters but was %d".formatted(name, table.length()));
    }
    this.table = table;
  }

  @Override
  public boolean contains(Charset other) {
    return other.equals(this);
  }

  @Override
  public boolean canEncode() {
    return false;
  }

  @Override
  public CharsetEncoder newEncoder() {
    throw new UnsupportedOperationException(name() + " cannot encode");
  }

  @Override
  public CharsetDecoder newDecoder() {
    return new CharsetDecoder(this, 1, 1) {
      @Override
      protected CoderResult decodeLoop(ByteBuffer in, CharBuffer out) {
        while (in.hasRemaining()) {
          if (!out.hasRemaining()) {
            return CoderResult.OVERFLOW;
          }
          int b = in.get() & 0xFF;
          out.put(b < TABLE_START ? (char) b : table.charAt(b - TABLE_START));
        }
        return CoderResult.UNDERFLOW;
      }
    };
  }
}
