package io.kmodel.indexer.parse.html;

/** How HTML is parsed. Both modes give the same text. */
public enum HtmlMode {
  /** Without a tree, see {@link HtmlExtractor}; jsoup parses the pages of which that is unsure. */
  FAST,
  /** With jsoup. */
  JSOUP
}
