package io.kmodel.indexer.parse.text;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.DictionaryFile;
import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Any bytes in any charset: the fast way to UTF-8 and the one through Strings give the same bytes
 * and miss the same ones, and a charset is found, the same one wherever the scan may stop.
 */
class TextDecoderFuzzTest {
  private static final Utf8Text UTF_8 = new Utf8Text();

  @DictionaryFile(resourcePath = "charset.dict")
  @FuzzTest
  void bothWaysOfDecodingAgree(byte[] bytes) {
    assertSame(bytes, TextDecoder.html(bytes, bytes.length), true);
    assertSame(bytes, TextDecoder.plainText(bytes, bytes.length), false);
  }

  @DictionaryFile(resourcePath = "charset.dict")
  @FuzzTest
  void aPageHasACharsetThatReadsItsDeclaration(byte[] bytes) {
    Charset charset = HtmlCharset.of(bytes, bytes.length);
    assertThat(new String("<meta charset".getBytes(StandardCharsets.US_ASCII), charset))
        .isEqualTo("<meta charset");
    byte[] longer = Arrays.copyOf(bytes, Math.max(bytes.length, HtmlCharset.WINDOW_BYTES) + 64);
    System.arraycopy(
        "<meta charset=koi8-r>".getBytes(StandardCharsets.US_ASCII),
        0,
        longer,
        longer.length - 64,
        21);
    assertThat(HtmlCharset.of(longer, bytes.length)).isEqualTo(charset);
  }

  private static void assertSame(byte[] bytes, String expected, boolean html) {
    UTF_8.set(bytes, bytes.length, html);
    String actual =
        new String(UTF_8.bytes(), UTF_8.from(), UTF_8.end() - UTF_8.from(), StandardCharsets.UTF_8);
    assertThat(actual).isEqualTo(expected);
    TextDecoder.Encoding encoding = TextDecoder.encoding(bytes, bytes.length, html);
    assertThat(UTF_8.undecodable())
        .isEqualTo(TextDecoder.undecodable(bytes, bytes.length, encoding, expected));
  }
}
