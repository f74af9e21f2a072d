package io.kmodel.indexer.parse.html;

import com.google.common.base.Ascii;
import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableSet;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.function.BiPredicate;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.nodes.TextNode;
import org.jsoup.select.NodeFilter;
import org.jsoup.select.NodeTraversor;
import org.jspecify.annotations.Nullable;

/**
 * Finds the main content of a page in its tree: the text without navigation, advertisements,
 * comments and other boilerplate. The measure is <em>prose</em>, the characters in blocks of
 * {@value #PROSE_CHARS} or more, of which at most half are in links. White space does not count.
 *
 * <ol>
 *   <li>Elements whose tag, role, class or id says that they are boilerplate are left out. Hidden
 *       elements, and those with such a word within longer names ({@code page-with-sidebar}), are
 *       left out only if they hold at most a third of all prose.
 *   <li>The start is the first element marked as the body of an article, else the first article,
 *       with at least a third of the remaining prose; else the body.
 *   <li>The root is the innermost element that holds at least three quarters of the start's prose,
 *       or an element around it: sections of a kind stay together, as do paragraphs beside a
 *       section.
 *   <li>Blocks below it without prose are left out if more than half of their text is in links;
 *       headings, preformatted text and cells of tables and lists stay.
 * </ol>
 *
 * <p>A page with less than {@value #LEAST_PROSE} characters of prose at the root keeps all of its
 * text.
 *
 * <p>The ideas are those of Readability (Arc90, 2009: names of boilerplate, containers of
 * paragraphs), of Kohlschütter, Fankhauser and Nejdl, <em>Boilerplate Detection using Shallow Text
 * Features</em> (WSDM 2010: lengths of blocks and link densities), and of Sun, Song and Liao,
 * <em>DOM Based Content Extraction via Text Density</em> (SIGIR 2011: the subtree that holds most
 * of the text). Five walks, so time is linear. Memory: {@value #PER_ELEMENT} bytes for each element
 * left out. The tree remains unchanged.
 */
public final class MainContent {
  /** Bytes for an element left out, at most one for each start tag. */
  public static final int PER_ELEMENT = 64;

  static final int PROSE_CHARS = 35;
  static final int LEAST_PROSE = 200;

  private static final double MUCH = 1.0 / 3;
  private static final double MOST = 0.75;

  private static final ImmutableSet<String> TAGS =
      words("aside button dialog figcaption footer label menu nav select textarea");

  private static final ImmutableSet<String> ROLES =
      words(
          "alert alertdialog banner complementary contentinfo dialog menu menubar "
              + "navigation search");

  /** Words in classes and ids, also as parts of them: {@code post-comments}, {@code siteFooter}. */
  private static final ImmutableSet<String> NAMES =
      words(
          "ad ads advert advertisement author banner breadcrumb breadcrumbs byline "
              + "caption comment comments consent cookie cookies credit disqus footer "
              + "hidden login masthead menu meta modal more nav navbar navigation "
              + "newsletter next outbrain pager pagination paywall popular popup prev print "
              + "promo promotion recommendations recommended related replies respond share "
              + "sharing sidebar signup skip social sponsored subscribe subscription "
              + "taboola toolbar tooltip trending widget");

  private static final ImmutableSet<String> CONTENT = ImmutableSet.of("article", "main", "p");

  /** Elements that are too small to be a root. */
  private static final ImmutableSet<String> PARTS =
      words("blockquote li ol p pre table tbody td tr ul");

  /** Elements that stay although their text is in links, unless they are in one that does not. */
  private static final ImmutableSet<String> KEPT =
      words("dd dt h1 h2 h3 h4 h5 h6 li pre tbody td th tr");

  private final Set<Node> leftOut = new HashSet<>();
  private Element root;

  private MainContent(Element body) {
    root = body;
    long prose = leaveOut(body, (element, block) -> false);
    long kept =
        leaveOut(
            body,
            (element, block) ->
                isBoilerplate(element)
                    || (block.prose <= MUCH * prose && isPerhapsBoilerplate(element)));
    Found start = start(body, kept);
    Found innermost =
        find(
            start.element,
            (element, block) ->
                block.prose >= MOST * start.prose && !PARTS.contains(element.normalName()));
    if (innermost == null || innermost.prose < LEAST_PROSE) {
      leftOut.clear();
    } else {
      root = withItsLike(innermost.element, start.element);
      leaveOut(root, (element, block) -> block.isOfLinks() && !KEPT.contains(element.normalName()));
    }
  }

  private static ImmutableSet<String> words(String separatedBySpaces) {
    return ImmutableSet.copyOf(Splitter.on(' ').split(separatedBySpaces));
  }

  /** Finds the main content below the body of a page. */
  public static MainContent of(Element body) {
    return new MainContent(body);
  }

  /** Returns the element that holds the main content. */
  Element root() {
    return root;
  }

  /** Whether an element does not belong to the main content. */
  boolean leavesOut(Element element) {
    return leftOut.contains(element);
  }

  private Found start(Element body, long kept) {
    double least = MUCH * kept;
    Found marked = find(body, (element, block) -> block.prose >= least && isArticleBody(element));
    Found article =
        marked != null
            ? marked
            : find(
                body,
                (element, block) -> block.prose >= least && element.normalName().equals("article"));
    return article != null ? article : new Found(body, kept);
  }

  /**
   * The element around one that also holds the paragraphs and elements of the same kind beside it,
   * or beside an element that holds nothing else.
   */
  private Element withItsLike(Element element, Element outermost) {
    Element found = element;
    Element around = element;
    Element parent = around.parent();
    while (!around.equals(outermost) && parent != null) {
      if (hasBeside(around, parent, MainContent::isLike)) {
        found = parent;
      } else if (hasBeside(around, parent, (one, other) -> true)) {
        return found;
      }
      around = parent;
      parent = around.parent();
    }
    return found;
  }

  /** Whether a parent has another child with text, which stays and passes. */
  private boolean hasBeside(
      Element element, Element parent, BiPredicate<Element, Element> isWanted) {
    for (Element other : parent.children()) {
      if (!other.equals(element)
          && !leftOut.contains(other)
          && isWanted.test(element, other)
          && other.hasText()) {
        return true;
      }
    }
    return false;
  }

  /** Whether an element is a paragraph, or of the same kind as another. */
  private static boolean isLike(Element element, Element other) {
    String names = element.attr("class");
    return other.normalName().equals("p")
        || (element.normalName().equals(other.normalName())
            && names.equals(other.attr("class"))
            && (!names.isEmpty() || element.normalName().equals("section")));
  }

  private static boolean isArticleBody(Element element) {
    return element.attr("itemprop").equalsIgnoreCase("articleBody");
  }

  private static boolean isBoilerplate(Element element) {
    return TAGS.contains(element.normalName())
        || ROLES.contains(element.attr("role"))
        || (!isContent(element)
            && (NAMES.contains(element.attr("class")) || NAMES.contains(element.id())));
  }

  /** Whether an element is never boilerplate by its names. */
  private static boolean isContent(Element element) {
    return CONTENT.contains(element.normalName()) || isArticleBody(element);
  }

  private static boolean isPerhapsBoilerplate(Element element) {
    if (isContent(element)) {
      return false;
    }
    return element.hasAttr("hidden")
        || element.attr("aria-hidden").equals("true")
        || element.attr("style").replace(" ", "").contains("display:none")
        || hasName(element.attr("class"))
        || hasName(element.id());
  }

  /** Whether a word of names such as {@code siteFooter post-comments} is known. */
  static boolean hasName(String names) {
    int start = 0;
    for (int i = 0; i <= names.length(); i++) {
      boolean isUpper = i < names.length() && Ascii.isUpperCase(names.charAt(i));
      boolean isLower = i < names.length() && Ascii.isLowerCase(names.charAt(i));
      boolean isFollowed = isUpper && i > start && Ascii.isUpperCase(names.charAt(i - 1));
      if (!isLower && !isFollowed) {
        if (NAMES.contains(Ascii.toLowerCase(names.substring(start, i)))) {
          return true;
        }
        start = isUpper ? i : i + 1;
      }
    }
    return false;
  }

  /** Leaves out the blocks below an element that pass; returns the prose of the others. */
  private long leaveOut(Element from, BiPredicate<Element, Block> which) {
    Walk walk = new Walk(which, true);
    NodeTraversor.filter(walk, from);
    return walk.total.prose;
  }

  /** Finds the first block, inner before outer ones, that passes. */
  private @Nullable Found find(Element from, BiPredicate<Element, Block> which) {
    Walk walk = new Walk(which, false);
    NodeTraversor.filter(walk, from);
    return walk.found;
  }

  /** An element with its prose. */
  private record Found(Element element, long prose) {}

  /** Counts characters: of one block alone until it ends, then also of the blocks in it. */
  private static final class Block {
    private long text;
    private long links;
    private long prose;
    private long innerText;
    private long innerLinks;

    /** The block ends. */
    void end() {
      if (text + links >= PROSE_CHARS && links <= text) {
        prose += text;
      }
      text += innerText;
      links += innerLinks;
    }

    /** Adds a block that has ended. */
    void add(Block inner) {
      innerText += inner.text;
      innerLinks += inner.links;
      prose += inner.prose;
    }

    boolean isOfLinks() {
      return prose == 0 && links > text;
    }
  }

  /** Walks through the elements below one that are not left out, and tests each block. */
  private final class Walk implements NodeFilter {
    private final BiPredicate<Element, Block> which;
    private final boolean leavesOut;
    private final Deque<Block> open = new ArrayDeque<>();
    private final Block total = new Block();
    private int anchors;
    private @Nullable Found found;

    Walk(BiPredicate<Element, Block> which, boolean leavesOut) {
      this.which = which;
      this.leavesOut = leavesOut;
      open.push(total);
    }

    @Override
    public FilterResult head(Node node, int depth) {
      if (node instanceof TextNode characters) {
        count(characters.getWholeText());
      } else if (node instanceof Element element) {
        if (leftOut.contains(element) || HtmlText.LEFT_OUT.contains(element.normalName())) {
          return FilterResult.SKIP_ENTIRELY;
        }
        if (isBlock(element, depth)) {
          open.push(new Block());
        }
        anchors += isAnchor(element) ? 1 : 0;
      }
      return FilterResult.CONTINUE;
    }

    @Override
    public FilterResult tail(Node node, int depth) {
      if (node instanceof Element element) {
        anchors -= isAnchor(element) ? 1 : 0;
        if (isBlock(element, depth)) {
          return end(element, depth);
        }
      }
      return FilterResult.CONTINUE;
    }

    private FilterResult end(Element element, int depth) {
      Block block = open.pop();
      block.end();
      boolean passes = (depth > 0 || !leavesOut) && which.test(element, block);
      if (passes && leavesOut) {
        leftOut.add(element);
        return FilterResult.CONTINUE;
      }
      open.element().add(block);
      if (passes) {
        found = new Found(element, block.prose);
        return FilterResult.STOP;
      }
      return FilterResult.CONTINUE;
    }

    private void count(String characters) {
      long count = 0;
      for (int i = 0; i < characters.length(); i++) {
        count += Character.isWhitespace(characters.charAt(i)) ? 0 : 1;
      }
      Block block = open.element();
      if (anchors > 0) {
        block.links += count;
      } else {
        block.text += count;
      }
    }

    private static boolean isBlock(Element element, int depth) {
      return depth == 0
          || (HtmlText.isSeparator(element.tag()) && !element.normalName().equals("br"));
    }

    private static boolean isAnchor(Element element) {
      return element.normalName().equals("a");
    }
  }
}
