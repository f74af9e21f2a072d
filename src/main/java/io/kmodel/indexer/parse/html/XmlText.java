package io.kmodel.indexer.parse.html;

import io.kmodel.indexer.source.record.HtmlAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jsoup.nodes.Document;
import org.jsoup.parser.Parser;
import org.jspecify.annotations.Nullable;

/**
 * Extracts the text of XML without a tree. Of XHTML the title and the body are those of HTML, with
 * elements that end where XML ends them. Of other documents the contents are all their text, and
 * the title is the first element with a usual name for it. In feeds, texts that hold HTML are read
 * as HTML. Malformed XML is accepted: an end tag without a start tag is ignored, and a sign that
 * starts no markup is text. Memory: the text, and the names of open elements; for HTML in feeds the
 * tree of one text, for which a {@link TreeGuard} is asked. Time: linear. Not thread-safe.
 */
public final class XmlText {
  /** Reserves heap before a text that holds HTML is parsed into a tree. */
  @FunctionalInterface
  public interface TreeGuard {
    /**
     * Waits until the tree may take this much heap.
     *
     * @return false if it never may
     */
    boolean reserve(long treeBytes) throws InterruptedException;
  }

  /** A text that holds HTML needs a tree for which there is too little heap. */
  public static final class LargeTreeException extends Exception {
    private static final long serialVersionUID = 1;

    private final long treeBytes;

    private LargeTreeException(long treeBytes) {
      this.treeBytes = treeBytes;
    }

    /** Returns the heap that the tree may need, in bytes. */
    public long treeBytes() {
      return treeBytes;
    }
  }

  private static final String HTML = "html";
  private static final String HEAD = "head";
  private static final String BODY = "body";
  private static final String CDATA = "<![CDATA[";

  /** An end tag ends one of so many innermost elements. */
  private static final int MOST_LOOKS = 256;

  /** HTML inside a feed that would need a larger tree than its length allows has its tags cut. */
  private static final String ANY_TAG = "<[A-Za-z/!?][^<>]*+>";

  private final String xml;
  private final @Nullable HtmlMetadata metadata;
  private final XmlEntities entities = new XmlEntities();
  private final SpacedText contents = new SpacedText();
  private final SpacedText title = new SpacedText();
  private final TreeGuard trees;
  private final WatchedElements watched;
  private final List<String> open = new ArrayList<>();
  private String root = "";
  private String text = "";

  /** Depth of the head, the body, the title and an element that is left out; 0 outside of them. */
  private int headDepth;

  private int bodyDepth;
  private int titleDepth;
  private int leftOutDepth;
  private boolean titled;

  /** Whether a document type was read, or cannot follow. */
  private boolean hasDoctype;

  /**
   * Reads a document.
   *
   * @param watchedFlags see {@link WatchedElements}
   * @param metadata collects what the document says about itself; null if that is not wanted
   * @throws LargeTreeException if the guard refuses a tree
   */
  public XmlText(String xml, int watchedFlags, @Nullable HtmlMetadata metadata, TreeGuard trees)
      throws LargeTreeException, InterruptedException {
    this.xml = xml;
    this.trees = trees;
    this.metadata = metadata != null && metadata.isActive() ? metadata : null;
    this.watched = new WatchedElements(watchedFlags);
    read();
    watched.finish(contents.length());
    text = contents.toString();
  }

  public String title() {
    return title.toString();
  }

  public String contents() {
    return text;
  }

  /** Returns the part of the contents in headings, if they are watched. */
  public String headings() {
    return watched.headings().join(text);
  }

  /** Returns the part of the contents in links, if they are watched. */
  public String anchors() {
    return watched.anchors().join(text);
  }

  private void read() throws LargeTreeException, InterruptedException {
    int at = 0;
    while (at < xml.length()) {
      int markup = xml.indexOf('<', at);
      int end = markup < 0 ? xml.length() : markup;
      if (end > at) {
        characters(entities.resolve(xml.substring(at, end)));
      }
      at = end < xml.length() ? markup(end) : end;
    }
  }

  /** Reads markup, or a sign that is text; returns the offset after it. */
  private int markup(int at) throws LargeTreeException, InterruptedException {
    char next = at + 1 < xml.length() ? xml.charAt(at + 1) : ' ';
    if (next == '/' && at + 2 < xml.length() && isNameStart(xml.charAt(at + 2))) {
      int end = behind(">", at);
      endTag(name(at + 2));
      return end;
    }
    if (next == '?') {
      return behind("?>", at);
    }
    if (next == '!') {
      return declaration(at);
    }
    if (isNameStart(next)) {
      return startTag(at + 1);
    }
    characters("<");
    return at + 1;
  }

  private int declaration(int at) throws LargeTreeException, InterruptedException {
    if (xml.startsWith("<!--", at)) {
      return behind("-->", at + 2);
    }
    if (xml.startsWith(CDATA, at)) {
      int end = behind("]]>", at + CDATA.length());
      boolean isClosed = xml.startsWith("]]>", end - 3);
      characters(xml.substring(at + CDATA.length(), isClosed ? end - 3 : end));
      return end;
    }
    int end = hasDoctype ? -1 : entities.doctype(xml, at);
    hasDoctype = true;
    return end < 0 ? behind(">", at) : end;
  }

  /** The offset after the next occurrence of a text, or the end. */
  private int behind(String close, int from) {
    int found = xml.indexOf(close, from);
    return found < 0 ? xml.length() : found + close.length();
  }

  /** The name at an offset without its prefix, in lower case. */
  private String name(int from) {
    String name = xml.substring(from, nameEnd(from));
    return name.substring(name.lastIndexOf(':') + 1).toLowerCase(Locale.ROOT);
  }

  private int nameEnd(int from) {
    int end = from;
    while (end < xml.length() && " \t\r\n\f/>".indexOf(xml.charAt(end)) < 0) {
      end++;
    }
    return end;
  }

  private static boolean isNameStart(char c) {
    return c == '_' || Character.isLetter(c);
  }

  private int startTag(int from) {
    String name = name(from);
    HtmlAttributes attributes = new HtmlAttributes(xml, nameEnd(from));
    boolean isDescribing = metadata != null && (root.isEmpty() || name.equals("meta"));
    if (isDescribing) {
      describe(attributes.rest());
    } else {
      while (attributes.next()) {
        // Only to find the end of the tag.
      }
    }
    int end = Math.min(attributes.end(), xml.length());
    root = root.isEmpty() ? name : root;
    hasDoctype = true;
    start(name);
    if (xml.startsWith("/>", end - 2)) {
      end();
    }
    return end;
  }

  private void describe(Map<String, String> attributes) {
    UnaryOperator<String> values =
        attribute -> entities.resolve(attributes.getOrDefault(attribute, ""));
    if (metadata != null && root.isEmpty()) {
      metadata.addLanguage(values);
    } else if (metadata != null && headDepth > 0 && open.size() == headDepth) {
      metadata.addMeta(values);
    }
  }

  private void start(String name) {
    open.add(name);
    int depth = open.size();
    separate(name);
    if (isHtml() && depth == 2) {
      headDepth = name.equals(HEAD) ? depth : headDepth;
      bodyDepth = name.equals(BODY) ? depth : bodyDepth;
    }
    if (leftOutDepth == 0 && isHtml() && isLeftOut(name)) {
      leftOutDepth = depth;
      separate();
    }
    boolean mayBeTitle = isHtml() ? headDepth > 0 && name.equals("title") : isTitle(name);
    if (!titled && mayBeTitle) {
      titled = true;
      titleDepth = depth;
    }
    if (isHtml()) {
      watched.open(HtmlText.flag(name), contents.length());
    }
  }

  private static boolean isLeftOut(String name) {
    return HtmlText.LEFT_OUT.contains(name) || XmlNames.RAW.contains(name);
  }

  private static boolean isTitle(String name) {
    return XmlNames.TITLES.contains(name);
  }

  private boolean isHtml() {
    return root.equals(HTML);
  }

  private void endTag(String name) {
    int least = Math.max(0, open.size() - MOST_LOOKS);
    for (int i = open.size() - 1; i >= least; i--) {
      if (open.get(i).equals(name)) {
        while (open.size() > i) {
          end();
        }
        return;
      }
    }
  }

  /** Ends the innermost element. */
  private void end() {
    int depth = open.size();
    String name = open.removeLast();
    headDepth = headDepth == depth ? 0 : headDepth;
    bodyDepth = bodyDepth == depth ? 0 : bodyDepth;
    titleDepth = titleDepth == depth ? 0 : titleDepth;
    leftOutDepth = leftOutDepth == depth ? 0 : leftOutDepth;
    separate(name);
    if (isHtml()) {
      watched.close(HtmlText.flag(name), contents.length());
    }
  }

  private void separate(String name) {
    if (XmlNames.separates(name)) {
      separate();
    }
  }

  private void separate() {
    contents.separate();
    title.separate();
  }

  private void characters(String characters) throws LargeTreeException, InterruptedException {
    if (leftOutDepth > 0) {
      return;
    }
    boolean isBody = !isHtml() || bodyDepth > 0;
    if (!isBody && titleDepth == 0) {
      return;
    }
    String words = holdsHtml(characters) ? ofHtml(characters) : characters;
    if (titleDepth > 0) {
      title.append(words);
    }
    if (isBody) {
      contents.append(words);
    }
  }

  private boolean holdsHtml(String characters) {
    return characters.indexOf('<') >= 0
        && !open.isEmpty()
        && XmlNames.FEEDS.contains(root)
        && XmlNames.EMBEDDING.contains(open.getLast());
  }

  private String ofHtml(String html) throws LargeTreeException, InterruptedException {
    long bytesOfCopies = new TreeHeap(html).bytesOfCopies();
    if (bytesOfCopies > html.length()) {
      return html.replaceAll(ANY_TAG, " ");
    }
    long treeBytes = (long) TreeHeap.PER_BYTE * html.length() + bytesOfCopies;
    if (!trees.reserve(treeBytes)) {
      throw new LargeTreeException(treeBytes);
    }
    Document tree = Parser.htmlParser().setMaxDepth(OpenElements.MAX_DEPTH).parseInput(html, "");
    return new HtmlText(WatchedElements.NONE).of(tree.body());
  }
}
