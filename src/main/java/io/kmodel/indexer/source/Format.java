package io.kmodel.indexer.source;

import java.util.Locale;

/** What the files of a crawl hold. */
public enum Format {
  /** Told for each file by its content. */
  AUTO(false),
  /** One page of HTML a file. */
  HTML(false),
  /** One plain text a file. */
  TEXT(false),
  /** WARC 0.17 to 1.1, with any line ends. */
  WARC(true),
  /** The older archive of the Internet Archive. */
  ARC(true),
  /** Extracted text as Common Crawl has it: WARC with conversion records. */
  WET(true),
  /** {@code <DOC><DOCNO>}: newswire text, or web pages behind a DOCHDR. */
  TREC(true),
  /** An object a line, with the names that Anserini, BEIR, MS MARCO and ClueWeb22 use. */
  JSONL(true),
  /** The same. */
  BEIR(true),
  /** Such objects over several lines, one after the other or in arrays. */
  JSON(true),
  /** MS MARCO: id and text, id, title and text, or id, URL, title and text; or as a header says. */
  TSV(true);

  private final boolean records;
  private final String label;

  Format(boolean records) {
    this.records = records;
    this.label = name().toLowerCase(Locale.ROOT);
  }

  /** What reports call it. */
  String label() {
    return label;
  }

  /** Whether a file holds many documents. */
  boolean holdsRecords() {
    return records;
  }

  boolean archive() {
    return this == WARC || this == ARC || this == WET;
  }

  /** Whether the start of a record can be told without all that comes before it. */
  boolean startsAnywhere() {
    return records && this != JSON;
  }

  /** Whether each line that looks like the start of a record is one, whatever comes before it. */
  boolean startsAtLines() {
    return lines() || this == TREC;
  }

  /** Whether lines are records, so that a record starts after every line end. */
  boolean lines() {
    return this == JSONL || this == BEIR || this == TSV;
  }
}
