package io.kmodel.indexer.parse.html;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.function.IntUnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The pieces of a page that hold no text against the standard's states byte by byte, and against
 * regular expressions, from every offset of small pages; what stands behind the end does not count.
 */
class HtmlScanTest {
  private static final String ENDS_NAME = "[\t\n\f\r />]";
  private static final Pattern COMMENT = Pattern.compile("(?s)-?>|.*?--!?>");
  private static final Pattern SCRIPT_DATA = Pattern.compile("(?i)<!--|</script" + ENDS_NAME);
  private static final Pattern ESCAPED = Pattern.compile("(?i)-->|<(/?)script" + ENDS_NAME);

  private static final String[] TAG_PARTS = {
    "\"",
    "'",
    "=",
    "/",
    ">",
    " ",
    "\t",
    "a",
    "class",
    "!",
    "#",
    "&",
    "(",
    "\0",
    "\u00A2",
    "\u00FF",
    "=\"",
    "='",
    "\" ",
    "' ",
    "/>",
    "a long value of words"
  };
  private static final String[] COMMENT_PARTS = {
    "-",
    "--",
    "-->",
    "--!>",
    "->",
    ">",
    "!",
    ",",
    "<",
    "<!--",
    "\u00AD",
    "\u00FF",
    "\0",
    "a",
    "words in between"
  };
  private static final String[] SCRIPT_PARTS = {
    "<",
    "=",
    "<!--",
    "-->",
    "--",
    "-",
    ">",
    "<!-->",
    "<!--->",
    "<script ",
    "<script",
    "<SCRIPT>",
    "</script",
    "</Script ",
    "</script/",
    "</scripty>",
    "<scripts ",
    "</",
    "/",
    " ",
    "\u00BC",
    "\0",
    "var x = 1;"
  };

  private static final Pattern[] RAW = new Pattern[3];
  private static final String[] RAW_NAMES = {"title", "style", "textarea"};

  static {
    for (int i = 0; i < RAW.length; i++) {
      RAW[i] = Pattern.compile("(?i)</" + RAW_NAMES[i] + ENDS_NAME);
    }
  }

  private static final String[] RAW_PARTS = {
    "<",
    "=",
    "</",
    "</title",
    "</TITLE>",
    "</Style ",
    "</style\f",
    "</textarea/",
    "</textareas>",
    "<title>",
    "</title\u000B",
    "title",
    ">",
    "\u00BC",
    "\0",
    "some words"
  };

  @Property(tries = 4_000, shrinking = ShrinkingMode.OFF)
  void tagsEndWhereTheStandardSaysWhateverTheirQuotedValuesHold(@ForAll long seed) {
    Page page = new Page(TAG_PARTS, seed);
    page.assertEnds(from -> HtmlScan.tag(page.bytes, from, page.end), from -> tag(page.text, from));
  }

  @Property(tries = 4_000, shrinking = ShrinkingMode.OFF)
  void commentsEndWhereTheStandardSays(@ForAll long seed) {
    Page page = new Page(COMMENT_PARTS, seed);
    Matcher comment = COMMENT.matcher(page.text);
    page.assertEnds(
        from -> HtmlScan.comment(page.bytes, from, page.end),
        from -> comment.region(from, page.end).lookingAt() ? comment.end() : page.end);
  }

  @Property(tries = 4_000, shrinking = ShrinkingMode.OFF)
  void rawTextEndsAtItsOwnEndTag(@ForAll long seed) {
    Page page = new Page(RAW_PARTS, seed);
    for (int i = 0; i < RAW.length; i++) {
      Matcher endTag = RAW[i].matcher(page.text);
      byte[] name = RAW_NAMES[i].getBytes(ISO_8859_1);
      page.assertEnds(
          from -> HtmlScan.raw(page.bytes, from, page.end, name),
          from -> endTag.find(from) ? endTag.start() : page.end);
    }
  }

  @Property(tries = 4_000, shrinking = ShrinkingMode.OFF)
  void scriptsEndAtTheEndTagThatNoCommentHides(@ForAll long seed) {
    Page page = new Page(SCRIPT_PARTS, seed);
    page.assertEnds(
        from -> HtmlScan.script(page.bytes, from, page.end), from -> script(page.text, from));
  }

  @Test
  void aByteIsFoundAtEveryPlaceBeforeEveryEnd() {
    for (int length = 0; length <= 20; length++) {
      for (int place = 0; place < length + 4; place++) {
        byte[] page = "#".repeat(length + 4).getBytes(ISO_8859_1);
        page[place] = '"';
        for (int from = 0; from <= length; from++) {
          boolean there = place >= from && place < length;
          assertThat(HtmlScan.behind((byte) '"', page, from, length))
              .isEqualTo(there ? place + 1 : length);
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        " a=\"^\" b='c^^' | 3",
        " a = \"^\"b\t=\f'^' | 2",
        "/a/=\"^\"//b='^' | 1",
        " =\"^\" c='^' | 1",
        " a=^ b=c^ ^ d^=e f='&^' g=\"h&amp;^\" | 0",
        " a='b\"^' c=\"'^ | 2",
        " a='\u00EF\u00BF\u00BF\uFF21\uFEFF\uFFFD' | 0"
      })
  void nonCharactersAreCountedInQuotedAttributes(String attributes, int expected) {
    byte[] tag = attributes.replace('^', '\uFFFF').getBytes(UTF_8);
    assertThat(HtmlScan.nonCharactersInTag(tag, 0, tag.length)).isEqualTo(expected);
  }

  /** A page with bytes behind its end that would go on with whatever is open. */
  private static final class Page {
    private final byte[] bytes;
    private final String text;
    private final int end;

    private Page(String[] parts, long seed) {
      Random random = new Random(seed);
      String all = joined(parts, random);
      text = all.substring(Math.max(0, all.length() - random.nextInt(60)));
      end = text.length();
      bytes = (text + joined(parts, random)).getBytes(ISO_8859_1);
    }

    /** What begins anywhere in the page ends where the standard says. */
    private void assertEnds(IntUnaryOperator scan, IntUnaryOperator standard) {
      for (int from = 0; from <= end; from++) {
        assertThat(scan.applyAsInt(from))
            .as("from %d of %s", from, text)
            .isEqualTo(standard.applyAsInt(from));
      }
    }

    private static String joined(String[] parts, Random random) {
      StringBuilder text = new StringBuilder();
      for (int i = random.nextInt(16); i >= 0; i--) {
        text.append(parts[random.nextInt(parts.length)]);
      }
      return text.toString();
    }
  }

  private enum State {
    BEFORE_NAME,
    SELF_CLOSING,
    NAME,
    AFTER_NAME,
    BEFORE_VALUE,
    UNQUOTED,
    SINGLE_QUOTED,
    DOUBLE_QUOTED
  }

  /** The standard's states 13.2.5.32 to 13.2.5.40. */
  private static int tag(String page, int from) {
    State state = State.BEFORE_NAME;
    for (int at = from; at < page.length(); at++) {
      char c = page.charAt(at);
      boolean quoted = state == State.SINGLE_QUOTED || state == State.DOUBLE_QUOTED;
      if (c == '>' && !quoted) {
        return state == State.SELF_CLOSING ? ~at : at;
      }
      state = next(state, c);
    }
    return page.length();
  }

  private static State next(State state, char c) {
    boolean space = " \t\n\f\r".indexOf(c) >= 0;
    return switch (state) {
      case BEFORE_NAME, SELF_CLOSING ->
          space ? State.BEFORE_NAME : c == '/' ? State.SELF_CLOSING : State.NAME;
      case NAME, AFTER_NAME ->
          switch (c) {
            case '=' -> State.BEFORE_VALUE;
            case '/' -> State.SELF_CLOSING;
            default -> space ? State.AFTER_NAME : State.NAME;
          };
      case BEFORE_VALUE ->
          switch (c) {
            case '\'' -> State.SINGLE_QUOTED;
            case '"' -> State.DOUBLE_QUOTED;
            default -> space ? State.BEFORE_VALUE : State.UNQUOTED;
          };
      case UNQUOTED -> space ? State.BEFORE_NAME : State.UNQUOTED;
      case SINGLE_QUOTED -> c == '\'' ? State.BEFORE_NAME : State.SINGLE_QUOTED;
      case DOUBLE_QUOTED -> c == '"' ? State.BEFORE_NAME : State.DOUBLE_QUOTED;
    };
  }

  private static int script(String page, int from) {
    Matcher data = SCRIPT_DATA.matcher(page);
    Matcher escaped = ESCAPED.matcher(page);
    int at = from;
    while (data.find(at)) {
      if (data.end() - data.start() != "<!--".length()) {
        return data.start();
      }
      // The dashes that open a comment may close it.
      at = data.end() - 2;
      boolean twice = false;
      boolean open = true;
      while (open) {
        if (!escaped.find(at)) {
          return page.length();
        }
        at = escaped.end();
        boolean endTag = "/".equals(escaped.group(1));
        if (escaped.group(1) == null) {
          open = false;
        } else if (endTag && !twice) {
          return escaped.start();
        } else {
          twice = !endTag;
        }
      }
    }
    return page.length();
  }
}
