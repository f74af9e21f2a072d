package io.kmodel.indexer.parse.html;

import java.util.Random;

/** Pages that nobody would write, of the pieces that parsers of HTML stumble over. */
public final class TagSoup {
  private static final String[] TAGS =
      ("html head body title p p div div span a a b b i em code font nobr u tt h1 h2 ul ol li li dl"
              + " dt dd table table tr tr td td th tbody thead tfoot caption col colgroup form input"
              + " select option optgroup button textarea br hr img pre listing xmp plaintext script"
              + " style noscript template svg math mi mtext mn annotation-xml mglyph malignmark"
              + " foreignObject desc title iframe noframes noembed frameset frame object applet"
              + " marquee name ruby rb rt rp rtc address section main summary details video unknown"
              + " x-y image keygen isindex base link meta label svg")
          .split(" ", -1);

  private static final String[] ATTRIBUTES = {
    "",
    "",
    "",
    "",
    "",
    " a",
    " a=b",
    " a=\"b>c\"",
    " a='<p>'",
    " a = b",
    "/",
    " /",
    " a=b/",
    " a=\"",
    " a='x'b='y'",
    " =a",
    " \"",
    " a=>",
    "\n",
    " color=red",
    " type=hidden",
    " a=&lt",
    " <",
    " \0",
    "/a"
  };

  private static final String[] PIECES = {
    "a",
    "b c",
    " ",
    "\n",
    "\t",
    "x\u00A0y",
    "\u00AD",
    "\u200B",
    "soft\u00ADhyphen",
    "\u2019s",
    "é",
    "漢字",
    "😀",
    "\0",
    "\r\n",
    "<",
    ">",
    "&",
    "&amp;",
    "&lt;",
    "&nbsp;",
    "&eacute",
    "&notit;",
    "&not",
    "&ampx",
    "&#65;",
    "&#x41",
    "&#0;",
    "&#128;",
    "&#x9f;",
    "&#160;",
    "&#xAD;",
    "&#13;",
    "&#32;",
    "&#x110000;",
    "&#xD83D;&#xDE00;",
    "&#xDC00;",
    "&#99999999999;",
    "&#;",
    "&#x;",
    "&;",
    "&nGt;",
    "&bogus;",
    "&CounterClockwise" + "ContourIntegral;",
    "&ThickSpace;",
    "&NewLine;",
    "<!-- c -->",
    "<!-->",
    "<!--->",
    "<!---->",
    "<!-- --!>",
    "<!-- -- >",
    "<!--",
    "-->",
    "--",
    "<!x>",
    "<?php a > b ?>",
    "</>",
    "<p\0>",
    "</b\0>",
    "</ x>",
    "</",
    "<!",
    "<!doctype html>",
    "<!DOCTYPE html PUBLIC \"-//W3C//DTD HTML 4.01//EN\" \"x\">",
    "<!doctype>",
    "<![CDATA[",
    "]]>",
    "<![CDATA[x<y&amp;]]>",
    "</script>",
    "</SCRIPT >",
    "<!--<script>",
    "</title>",
    "</textarea>",
    "</style>",
    "</noscript>",
    "</p>",
    "</br>",
    "</body>",
    "</html>",
    "<body>",
    "</template>",
    "</select>",
    "</table>",
    "</svg>",
    "</a>",
    "</b>",
    "</form>",
    "1 < 2",
    "a<1",
    "-",
    "=",
    "\"",
    "'",
    "\u0001",
    "\u000B",
    "\f",
    "\uFEFF",
    "<svg><title>",
    "<table><tr><td>",
    "<p><b><p>"
  };

  private static final String[] OF_TABLES =
      ("table table tr tr td th tbody thead tfoot caption col colgroup table table tr tr td p p div"
              + " span a a b i nobr h1 li dt dd pre select option button textarea br hr img form"
              + " object marquee ruby rt template svg desc mi noscript style title label listing")
          .split(" ", -1);

  private static final String[] OF_FORMS =
      "form form b i a summary details div p button nobr span object".split(" ", -1);

  private static final String[] TEXTS = {
    "a", "b c", " d", "e ", "\n", " ", "&amp;", "&nbsp;f", "<!-- -->", "g&#32;h", "\u00AD", "&#32;"
  };

  private TagSoup() {}

  /** Where what stands in tables belongs. */
  public static String tables(Random random) {
    StringBuilder page = new StringBuilder(random.nextBoolean() ? "<!doctype html>a<table>" : "");
    int pieces = 1 + random.nextInt(random.nextInt(3) == 0 ? 40 : 12);
    for (int i = 0; i < pieces; i++) {
      if (random.nextInt(5) < 2) {
        page.append(TEXTS[random.nextInt(TEXTS.length)]);
      } else {
        page.append(random.nextInt(3) == 0 ? "</" : "<");
        page.append(OF_TABLES[random.nextInt(OF_TABLES.length)]).append('>');
      }
    }
    return page.toString();
  }

  /** Where a form ends, what stood in it may stay open. */
  public static String forms(Random random) {
    StringBuilder page = new StringBuilder();
    for (int i = 4 + random.nextInt(10); i > 0; i--) {
      page.append(random.nextInt(2) == 0 ? "</" : "<");
      page.append(OF_FORMS[random.nextInt(OF_FORMS.length)]).append('>');
      if (random.nextBoolean()) {
        page.append((char) ('a' + i));
      }
    }
    return page.toString();
  }

  public static String page(Random random) {
    StringBuilder page = new StringBuilder();
    if (random.nextInt(3) == 0) {
      page.append("<!doctype html>");
    }
    int tags = 2 + random.nextInt(TAGS.length);
    int pieces = 1 + random.nextInt(40);
    for (int i = 0; i < pieces; i++) {
      String tag = TAGS[random.nextInt(tags) * TAGS.length / tags];
      switch (random.nextInt(7)) {
        case 0, 1, 2 ->
            page.append('<')
                .append(inSomeCase(tag, random))
                .append(ATTRIBUTES[random.nextInt(ATTRIBUTES.length)])
                .append('>');
        case 3, 4 -> page.append("</").append(inSomeCase(tag, random)).append('>');
        case 5 -> page.append((char) ('a' + random.nextInt(26)));
        default -> page.append(PIECES[random.nextInt(PIECES.length)]);
      }
    }
    return page.toString();
  }

  private static String inSomeCase(String tag, Random random) {
    if (random.nextInt(8) > 0) {
      return tag;
    }
    StringBuilder upper = new StringBuilder(tag);
    for (int i = 0; i < tag.length(); i++) {
      char c = tag.charAt(i);
      if (c >= 'a' && c <= 'z') {
        upper.setCharAt(i, (char) (c - 0x20));
      }
    }
    return upper.toString();
  }
}
