package io.kmodel.indexer.parse;

/** How HTML is parsed. Both give the same text. */
public enum HtmlMode {
  /** Without a tree, see {@link HtmlExtractor}; a page that this is unsure of by jsoup. */
  FAST,
  /** By jsoup. */
  JSOUP
}
