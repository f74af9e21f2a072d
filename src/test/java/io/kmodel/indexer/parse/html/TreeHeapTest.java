package io.kmodel.indexer.parse.html;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.parse.DocumentParser;
import io.kmodel.indexer.parse.MalformedDocumentException;
import io.kmodel.indexer.parse.ParsedDocument;
import io.kmodel.indexer.parse.field.FieldPlan;
import io.kmodel.indexer.source.ContentType;
import io.kmodel.indexer.source.HeapGuard;
import io.kmodel.indexer.source.RawDocument;
import io.kmodel.indexer.source.SkipReason;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.parser.Parser;
import org.jsoup.select.NodeTraversor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class TreeHeapTest {
  private static final String[] FORMATTING =
      "b big code em font i s small strike strong tt u a nobr".split(" ", -1);
  private static final String[] BLOCKS =
      ("p div li ul h1 table td tr tbody th button object form template svg select x"
              + " span sub br img !--")
          .split(" ", -1);
  private static final String[] ATTRIBUTES = {
    "", " a", " a=b c", " a=\"<b>\" d='e f g' h", " i=j/k l", " =m n", " o = \"p\"q r"
  };

  private final StringBuilder page = new StringBuilder();

  @Test
  void anElementThatIsOpenedAgainInEachParagraphCountsThereWithItsAttributes() {
    for (String name : FORMATTING) {
      page.append('<').append(name).append(" a b c d e>");
    }
    String head = "<p>" + page;
    for (int paragraphs : new int[] {10, 1000}) {
      String all = head + "<p>x".repeat(paragraphs);
      long bytes = paragraphs * 12L * (TreeHeap.PER_ELEMENT + 5 * TreeHeap.PER_ATTRIBUTE);
      assertThat(new TreeHeap(all).bytesOfCopies()).isBetween(bytes, 4 * bytes + 40_000);
    }
  }

  @Test
  void whatCannotBeOpenedAgainTakesNothingMore() {
    assertThat(new TreeHeap("<div><p>x</p><span>y</span></div><x-b>").bytesOfCopies()).isZero();
    assertThat(new TreeHeap("").bytesOfCopies()).isZero();
    assertThat(new TreeHeap("<p>1 < 2 <").bytesOfCopies()).isZero();
  }

  /** A link that ends where it began is never opened again. */
  @Test
  void ordinaryPagesTakeNothingMore() {
    String link = "<li><a href=\"x.html\" class=c>a <b>bold</b><br> <span>name</span></a>\n";
    String row = "<tr><td><font size=2><a href=x>name</a></font><td><i>x</i></td></tr>";
    assertThat(new TreeHeap(link.repeat(1000)).bytesOfCopies()).isZero();
    assertThat(new TreeHeap("<table>" + row.repeat(1000)).bytesOfCopies()).isZero();
  }

  /** What seems to be an end in an attribute, a comment or another end is none. */
  @Test
  void whatOnlySeemsToEndIsOpen() {
    for (String end :
        new String[] {
          "<!--</b>-->", "<img alt='</b>'>", "</3 </b>>", "</x a='</b>'>", "<x y='</b>'>"
        }) {
      long bytes = new TreeHeap("<b>" + end + "<p>".repeat(1000)).bytesOfCopies();
      assertThat(bytes).as(end).isGreaterThan(1000L * TreeHeap.PER_ELEMENT);
    }
    assertThat(new TreeHeap("<b title='</b>'>" + "<p>".repeat(1000)).bytesOfCopies())
        .isGreaterThan(1000L * TreeHeap.PER_ELEMENT);
  }

  /** Rows and cells end by tags of their own, and by those that these imply. */
  @Test
  void whatIsOpenedAgainBesideEndTagsCounts() {
    StringBuilder head = new StringBuilder("<p>");
    for (String name : FORMATTING) {
      head.append('<').append(name);
      for (int i = 0; i < 500; i++) {
        head.append(" a").append(i);
      }
      head.append('>');
    }
    for (String unit :
        new String[] {
          "<tr>x</tr>x", "<tr>x</tr>x</tbody>x", "<td>x</td>x</tr>x</tbody>x", "<p>x</p>x"
        }) {
      assertCounted(head + "</p><table>" + unit.repeat(20));
    }
  }

  @Property(tries = 3000)
  void noTreeHasMoreCopiesThanWereCounted(@ForAll long seed) {
    Random random = new Random(seed);
    StringBuilder soup = new StringBuilder();
    String unit = "";
    for (int part = random.nextInt(4); part >= 0; part--) {
      soup.append(pieces(random).repeat(1 + random.nextInt(12)));
      unit = pieces(random);
    }
    String html = soup + unit.repeat(random.nextInt(60));
    assertCounted(html);
    assertCounted(TagSoup.page(random));
  }

  @Test
  void blocksThatEndTagsCutThroughAreCounted() {
    for (int depth : new int[] {4, 40, 400}) {
      for (int i = 0; i < 60; i++) {
        page.append('<').append(FORMATTING[i % 6]).append(" x").append(i).append(" y z>");
      }
      page.append("<div>".repeat(depth));
      for (int i = 60 * (depth / 8 + 1) - 1; i >= 0; i--) {
        page.append("</").append(FORMATTING[i % 6]).append('>');
      }
      assertCounted(page.toString());
    }
  }

  private static String pieces(Random random) {
    StringBuilder pieces = new StringBuilder();
    for (int i = 1 + random.nextInt(8); i > 0; i--) {
      String[] of = random.nextInt(5) < 3 ? FORMATTING : BLOCKS;
      String name = of[random.nextInt(of.length)];
      switch (random.nextInt(6)) {
        case 0, 1, 2 ->
            pieces
                .append('<')
                .append(name)
                .append(ATTRIBUTES[random.nextInt(ATTRIBUTES.length)])
                .append('>');
        case 3, 4 -> pieces.append("</").append(name).append('>');
        default -> pieces.append('y');
      }
    }
    return pieces.toString();
  }

  /** The tree takes no more for its elements than a page's bytes and copies are reckoned at. */
  private static void assertCounted(String html) {
    Document tree;
    try {
      tree = Parser.htmlParser().setMaxDepth(512).parseInput(html, "");
    } catch (RuntimeException e) {
      return; // no tree
    }
    long[] bytes = {0};
    NodeTraversor.traverse(
        (Node node, int depth) -> {
          if (node instanceof Element element) {
            bytes[0] +=
                TreeHeap.PER_ELEMENT + (long) TreeHeap.PER_ATTRIBUTE * element.attributes().size();
          }
        },
        tree);
    // The document, and html, head and body, which need no tags.
    long needed =
        4L * TreeHeap.PER_ELEMENT
            + (long) TreeHeap.PER_BYTE * html.length()
            + new TreeHeap(html).bytesOfCopies();
    assertThat(bytes[0]).as(html).isLessThanOrEqualTo(needed);
  }

  @Test
  @Timeout(60)
  void attributesThatMayBeOnesOfManyTagsAreLookedThroughInLinearTime() {
    String nested = "<b \"".repeat(1_000_000);
    assertThat(new TreeHeap(nested).startTags()).isEqualTo(1_000_000);
    assertThat(new TreeHeap("<b a=\"" + "<b a='".repeat(1_000_000)).bytesOfCopies()).isPositive();
  }

  /** As of 187 KB with a tree of 800 MB, which ended the whole build. */
  @Test
  void aSmallPageWithALargeTreeIsTooLargeAndTheNextOneIsRead() throws Exception {
    page.append("&#xD800;<p>");
    for (String name : FORMATTING) {
      page.append('<').append(name);
      for (int i = 0; i < 500; i++) {
        page.append(" a").append(i);
      }
      page.append('>');
    }
    page.append("<p>x".repeat(2000));
    DocumentParser parser = new DocumentParser(HtmlMode.FAST, new Room(64 << 20));
    assertThatThrownBy(() -> parse(parser, page.toString()))
        .isInstanceOf(MalformedDocumentException.class)
        .hasMessageContaining("of HTML need a tree of")
        .extracting(e -> ((MalformedDocumentException) e).reason())
        .isEqualTo(SkipReason.TOO_LARGE);
    assertThat(parse(parser, "&#xD800;<p><b>on</p>e").contents()).isEqualTo("\uFFFD on e");
  }

  /** HTML in a feed becomes a tree, too: one at a time. */
  @Test
  void aFeedNeedsTheHeapOfItsLargestTree() throws Exception {
    String html = "<p>It <b>waits</b>.</p>".repeat(20_000);
    String item = "<item><content:encoded><![CDATA[" + html + "]]></content:encoded></item>";
    String feed = "<?xml version='1.0'?><rss><channel>" + item + item + "</channel></rss>";
    long needed =
        (long) HeapGuard.USUAL_PER_BYTE * feed.length() + (long) TreeHeap.PER_BYTE * html.length();
    DocumentParser parser = new DocumentParser(HtmlMode.FAST, new Room(needed - 1));
    assertThatThrownBy(() -> parse(parser, feed, ContentType.XML))
        .isInstanceOf(MalformedDocumentException.class)
        .hasMessageContaining("bytes of XML hold HTML that needs a tree of up to 28 MiB")
        .extracting(e -> ((MalformedDocumentException) e).reason())
        .isEqualTo(SkipReason.TOO_LARGE);
    assertThat(parse(parser, "<rss>on</rss>", ContentType.XML).contents()).isEqualTo("on");
    assertThat(
            parse(new DocumentParser(HtmlMode.FAST, new Room(needed)), feed, ContentType.XML)
                .contents())
        .isEqualTo("It waits. ".repeat(40_000).strip());
  }

  @Test
  void elementsOutsideOfMainContentNeedHeap() throws Exception {
    String main = "words and more words, ".repeat(20);
    String html = "<p>" + main + "</p>" + "<nav>x</nav>".repeat(1000);
    long needed =
        (long) TreeHeap.PER_BYTE * html.length()
            + new TreeHeap(html).bytesOfCopies()
            + 1001L * MainContent.PER_ELEMENT;
    FieldPlan plan = FieldPlan.DEFAULT.withMainContent(true);
    DocumentParser refused = new DocumentParser(HtmlMode.FAST, new Room(needed - 1), plan);
    assertThatThrownBy(() -> parse(refused, html))
        .isInstanceOf(MalformedDocumentException.class)
        .hasMessageContaining("of HTML need a tree of");
    DocumentParser granted = new DocumentParser(HtmlMode.FAST, new Room(needed), plan);
    assertThat(parse(granted, html).contents()).isEqualTo(main.strip());
  }

  private static ParsedDocument parse(DocumentParser parser, String page)
      throws MalformedDocumentException, InterruptedException {
    return parse(parser, page, ContentType.HTML);
  }

  private static ParsedDocument parse(DocumentParser parser, String page, ContentType type)
      throws MalformedDocumentException, InterruptedException {
    byte[] bytes = page.getBytes(UTF_8);
    return parser.parse(new RawDocument("i", "/i", type, bytes, bytes.length, 0));
  }

  /** So much for each document. */
  private record Room(long bytes) implements HeapGuard {
    @Override
    public long freeBytes() {
      return bytes;
    }

    @Override
    public long largestBytes() {
      return bytes;
    }

    @Override
    public boolean reserve(long heapBytes) {
      return heapBytes <= bytes;
    }

    @Override
    public void release() {}
  }
}
