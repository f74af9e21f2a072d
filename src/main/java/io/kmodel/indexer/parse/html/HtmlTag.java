package io.kmodel.indexer.parse.html;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Sets;
import java.util.HashMap;
import java.util.Map;
import org.jsoup.parser.ParseSettings;
import org.jsoup.parser.Parser;
import org.jsoup.parser.Tag;

/**
 * The rules of the HTML standard and of jsoup for the tag names that either of them knows. Each
 * name has a number. Each number has flags per namespace, and actions for its start and its end tag
 * in the body. The effect of an element on the text (block, boundary, void, raw) is read from
 * jsoup's {@link Tag} when the class is loaded. The tree is built by the standard, with jsoup's
 * deviations. Immutable.
 */
final class HtmlTag {
  static final int SEPARATOR = 1;
  static final int LEFT_OUT = 1 << 1;
  static final int DATA = 1 << 2;
  static final int RCDATA = 1 << 3;
  static final int VOID = 1 << 4;
  static final int SPECIAL = 1 << 5;
  static final int SCOPE = 1 << 6;
  static final int LIST_SCOPE = 1 << 7;
  static final int BUTTON_SCOPE = 1 << 8;
  static final int TABLE_SCOPE = 1 << 9;

  /**
   * Set for every HTML element; those of SVG and MathML have {@link #FOREIGN}, so every element has
   * a flag.
   */
  static final int ELEMENT = 1 << 10;

  static final int IMPLIED_END = 1 << 11;
  static final int THOROUGH_END = 1 << 12;
  static final int TABLE_CONTEXT = 1 << 13;
  static final int HEADING = 1 << 14;
  static final int FORMATTING = 1 << 15;
  static final int LIST_PASSES = 1 << 16;
  static final int LEAVES_FOREIGN = 1 << 17;
  static final int INTEGRATION = 1 << 18;
  static final int TABLE_PART = 1 << 19;
  static final int TABLE_BODY = 1 << 20;
  static final int CELL = 1 << 21;
  static final int HEAD_CONTENT = 1 << 22;
  static final int FOREIGN = 1 << 23;
  static final int ANCHOR = 1 << 24;

  /**
   * Set for elements whose end tag only closes them if they are the current element in the body. No
   * element with {@link End#BLOCK} may have {@link #IMPLIED_END}.
   */
  static final int PLAIN_END = 1 << 25;

  /**
   * Set for a table: content directly in it, or in a {@link #TABLE_CONTEXT} of it, belongs before
   * it.
   */
  static final int FOSTERS = 1 << 26;

  /** Set for an open element that belongs before a table; no tag name has it. */
  static final int FOSTERED = 1 << 27;

  /** Set for elements that say something about the page, see {@link HtmlMetadata}. */
  static final int DESCRIBES = 1 << 30;

  /** Added to a name's number if the element is in SVG or MathML. */
  static final int SVG_NAMESPACE = 1 << 28;

  static final int MATH_NAMESPACE = 1 << 29;
  static final int NAME_MASK = SVG_NAMESPACE - 1;

  /** The action of a start tag in the body. */
  enum Start {
    INLINE,
    CLOSES_P,
    A,
    LI,
    IGNORED,
    FRAMESET,
    FORM,
    PLAINTEXT,
    BUTTON,
    NOBR,
    TABLE,
    INPUT,
    HR,
    IMAGE,
    RAW,
    XMP,
    NOSCRIPT,
    SELECT,
    MATH,
    SVG,
    HEADING,
    PRE,
    DD,
    OPTION,
    RUBY_BASE,
    RUBY_TEXT,
    VOID_INLINE,
    FORMATTER,
    HEAD_CONTENT,
    APPLET,
    VOID
  }

  /** The action of an end tag in the body. */
  enum End {
    OTHER,
    TEMPLATE,
    LI,
    BODY,
    HTML,
    FORM,
    P,
    DD,
    HEADING,
    BR,
    FORMATTING,
    BLOCK,
    APPLET
  }

  private static final String BLOCK_CLOSES_P =
      "address article aside blockquote center details dialog dir div dl fieldset figcaption figure"
          + " footer header hgroup main menu nav ol search section summary ul";
  private static final String FORMATTERS = "b big code em font i s small strike strong tt u";
  private static final String HEADINGS = "h1 h2 h3 h4 h5 h6";
  private static final String HEAD_CONTENTS =
      "base basefont bgsound link meta noframes script style template title";

  /** The names by number. */
  private static final ImmutableList<String> NAMES =
      names(
          "a abbr acronym address annotation-xml applet area article aside audio b base basefont"
              + " bdi bdo bgsound big blockquote body br button canvas caption center cite code col"
              + " colgroup command data datalist dd del desc details device dfn dialog dir div dl"
              + " dt em embed femerge femergenode fieldset figcaption figure font footer"
              + " foreignobject form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i"
              + " iframe image img input ins kbd keygen label legend li link listing main"
              + " malignmark map mark marquee math menu menuitem meta meter mglyph mi mn mo ms"
              + " mtext name nav nobr noembed noframes noscript object ol optgroup option output p"
              + " param picture plaintext pre progress q rb rp rt rtc ruby s samp script search"
              + " section select slot small source span strike strong style sub summary sup svg"
              + " table tbody td template text textarea tfoot th thead time title tr track tt u ul"
              + " var video wbr xmp");

  private static final ImmutableSet<End> PLAIN_ENDS =
      Sets.immutableEnumSet(End.OTHER, End.BLOCK, End.P, End.LI, End.DD, End.HEADING);

  private static final Map<String, Integer> NUMBERS = numbers();
  static final int COUNT = NAMES.size();

  private static final int[] HTML_FLAGS = new int[COUNT];
  private static final int[] SVG_FLAGS = new int[COUNT];
  private static final int[] MATH_FLAGS = new int[COUNT];
  private static final Start[] STARTS = new Start[COUNT];
  private static final End[] ENDS = new End[COUNT];

  static {
    askJsoup();
    flag(SCOPE, "applet caption html marquee object select table td template th");
    flag(LIST_SCOPE, "ol ul");
    flag(BUTTON_SCOPE, "button");
    flag(TABLE_SCOPE, "html table template");
    flag(IMPLIED_END, "dd dt li optgroup option p rb rp rt rtc");
    flag(
        THOROUGH_END,
        "caption colgroup dd dt li optgroup option p rb rp rt rtc tbody td tfoot th thead tr");
    flag(
        SPECIAL,
        "applet area base basefont bgsound body br button caption col colgroup dd dt embed form"
            + " frame frameset head hr html iframe img input keygen li link listing main marquee"
            + " meta noembed noframes noscript object p param plaintext pre script search select"
            + " source style table tbody td template textarea tfoot th thead title tr track wbr xmp"
            + " "
            + HEADINGS
            + " address article aside blockquote center details dir div dl fieldset figcaption"
            + " figure footer header hgroup menu nav ol section summary ul");
    flag(TABLE_CONTEXT, "table tbody tfoot thead tr");
    flag(FOSTERS, "table");
    flag(TABLE_PART, "caption col colgroup tbody td tfoot th thead tr");
    flag(TABLE_BODY, "tbody tfoot thead");
    flag(CELL, "td th");
    flag(HEADING, HEADINGS);
    flag(FORMATTING, "a nobr " + FORMATTERS);
    flag(LIST_PASSES, "address div p");
    flag(ANCHOR, "a");
    flag(SVG_FLAGS, ANCHOR, "a");
    flag(MATH_FLAGS, ANCHOR, "a");
    flag(HEAD_CONTENT, HEAD_CONTENTS);
    flag(DESCRIBES, "html meta");
    flag(
        LEAVES_FOREIGN,
        "b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img"
            + " li listing menu meta nobr ol p pre ruby s small span strike strong sub sup table tt"
            + " u ul var");
    flag(SVG_FLAGS, SCOPE | SPECIAL | INTEGRATION, "desc foreignobject title");
    flag(MATH_FLAGS, SCOPE | SPECIAL, "annotation-xml");
    flag(MATH_FLAGS, SCOPE | SPECIAL | INTEGRATION, "mi mn mo ms mtext");
    defineStarts();
    defineEnds();
    for (int number = 0; number < COUNT; number++) {
      assert ENDS[number] != End.BLOCK || (HTML_FLAGS[number] & IMPLIED_END) == 0 : name(number);
      HTML_FLAGS[number] |= ELEMENT | (PLAIN_ENDS.contains(ENDS[number]) ? PLAIN_END : 0);
    }
  }

  static final int A = number("a");
  static final int ANNOTATION_XML = number("annotation-xml");
  static final int BODY = number("body");
  static final int BR = number("br");
  static final int BUTTON = number("button");
  static final int CAPTION = number("caption");
  static final int COL = number("col");
  static final int COLGROUP = number("colgroup");
  static final int DD = number("dd");
  static final int DT = number("dt");
  static final int FONT = number("font");
  static final int FORM = number("form");
  static final int FRAMESET = number("frameset");
  static final int HEAD = number("head");
  static final int HTML = number("html");
  static final int IMG = number("img");
  static final int INPUT = number("input");
  static final int LI = number("li");
  static final int MALIGNMARK = number("malignmark");
  static final int MATH = number("math");
  static final int META = number("meta");
  static final int MGLYPH = number("mglyph");
  static final int NAME = number("name");
  static final int NOBR = number("nobr");
  static final int NOFRAMES = number("noframes");
  static final int NOSCRIPT = number("noscript");
  static final int OPTGROUP = number("optgroup");
  static final int OPTION = number("option");
  static final int P = number("p");
  static final int RTC = number("rtc");
  static final int RUBY = number("ruby");
  static final int SCRIPT = number("script");
  static final int SELECT = number("select");
  static final int STYLE = number("style");
  static final int SVG = number("svg");
  static final int TABLE = number("table");
  static final int TBODY = number("tbody");
  static final int TD = number("td");
  static final int TEMPLATE = number("template");
  static final int TFOOT = number("tfoot");
  static final int TH = number("th");
  static final int THEAD = number("thead");
  static final int TITLE = number("title");
  static final int TR = number("tr");

  private HtmlTag() {}

  /** Returns the lowercase name of a number below {@link #COUNT}. */
  static String name(int number) {
    return NAMES.get(number);
  }

  /** Returns the flags of an HTML element. */
  static int flags(int number) {
    return number < COUNT ? HTML_FLAGS[number] : ELEMENT;
  }

  /** Returns the flags of an element in a namespace other than HTML's. */
  static int foreignFlags(int number, int namespace) {
    int known = number < COUNT ? (namespace == SVG_NAMESPACE ? SVG_FLAGS : MATH_FLAGS)[number] : 0;
    return known | FOREIGN;
  }

  static Start start(int number) {
    return number < COUNT ? STARTS[number] : Start.INLINE;
  }

  static End end(int number) {
    return number < COUNT ? ENDS[number] : End.OTHER;
  }

  private static void askJsoup() {
    for (int number = 0; number < COUNT; number++) {
      String name = NAMES.get(number);
      HTML_FLAGS[number] = flags(name, Parser.NamespaceHtml);
      SVG_FLAGS[number] = flags(name, Parser.NamespaceSvg);
      MATH_FLAGS[number] = flags(name, Parser.NamespaceMathml);
      boolean isVoid = (HTML_FLAGS[number] & VOID) != 0;
      boolean raw = (HTML_FLAGS[number] & (DATA | RCDATA)) != 0;
      STARTS[number] = raw ? Start.RAW : isVoid ? Start.VOID_INLINE : Start.INLINE;
      ENDS[number] = End.OTHER;
    }
  }

  private static int flags(String name, String namespace) {
    Tag tag = Tag.valueOf(name, namespace, ParseSettings.htmlDefault);
    return (HtmlText.isSeparator(tag) ? SEPARATOR : 0)
        | (HtmlText.LEFT_OUT.contains(name) ? LEFT_OUT : 0)
        | (tag.is(Tag.Data) ? DATA : 0)
        | (tag.is(Tag.RcData) ? RCDATA : 0)
        | (tag.is(Tag.Void) ? VOID : 0);
  }

  private static void defineStarts() {
    start(Start.CLOSES_P, BLOCK_CLOSES_P + " p");
    start(Start.A, "a");
    start(Start.LI, "li");
    start(Start.IGNORED, "body caption col colgroup frame head html tbody td tfoot th thead tr");
    start(Start.FRAMESET, "frameset");
    start(Start.FORM, "form");
    start(Start.PLAINTEXT, "plaintext");
    start(Start.BUTTON, "button");
    start(Start.NOBR, "nobr");
    start(Start.TABLE, "table");
    start(Start.INPUT, "input");
    start(Start.HR, "hr");
    start(Start.IMAGE, "image");
    start(Start.XMP, "xmp");
    start(Start.NOSCRIPT, "noscript");
    start(Start.SELECT, "select");
    start(Start.MATH, "math");
    start(Start.SVG, "svg");
    start(Start.HEADING, HEADINGS);
    start(Start.PRE, "pre listing");
    start(Start.DD, "dd dt");
    start(Start.OPTION, "optgroup option");
    start(Start.RUBY_BASE, "rb rtc");
    start(Start.RUBY_TEXT, "rp rt");
    start(Start.FORMATTER, FORMATTERS);
    start(Start.APPLET, "applet marquee object");
    start(Start.VOID, "param source track");
    start(Start.HEAD_CONTENT, "base basefont bgsound link meta template");
  }

  private static void defineEnds() {
    end(End.TEMPLATE, "template");
    end(End.LI, "li");
    end(End.BODY, "body");
    end(End.HTML, "html");
    end(End.FORM, "form");
    end(End.P, "p");
    end(End.DD, "dd dt");
    end(End.HEADING, HEADINGS);
    end(End.BR, "br");
    end(End.FORMATTING, "a nobr " + FORMATTERS);
    end(End.BLOCK, BLOCK_CLOSES_P + " button listing pre select");
    end(End.APPLET, "applet marquee object");
  }

  private static void start(Start action, String names) {
    names(names).forEach(name -> STARTS[number(name)] = action);
  }

  private static void end(End action, String names) {
    names(names).forEach(name -> ENDS[number(name)] = action);
  }

  private static void flag(int flag, String names) {
    flag(HTML_FLAGS, flag, names);
  }

  private static void flag(int[] flags, int flag, String names) {
    names(names).forEach(name -> flags[number(name)] |= flag);
  }

  private static int number(String name) {
    Integer number = NUMBERS.get(name);
    if (number == null) {
      throw new IllegalArgumentException("no tag " + name);
    }
    return number;
  }

  private static Map<String, Integer> numbers() {
    Map<String, Integer> numbers = new HashMap<>();
    ImmutableSet.copyOf(NAMES).forEach(name -> numbers.put(name, numbers.size()));
    return numbers;
  }

  private static ImmutableList<String> names(String list) {
    return ImmutableList.copyOf(Splitter.on(' ').split(list));
  }
}
