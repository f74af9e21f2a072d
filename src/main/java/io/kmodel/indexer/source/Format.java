package io.kmodel.indexer.source;

import java.util.Locale;

/** The formats of files in a crawl. */
public enum Format {
  /** Detected for each file by its content. */
  AUTO(false),
  /** One HTML page per file. */
  HTML(false),
  /** One plain text per file. */
  TEXT(false),
  /** WARC 0.17 to 1.1, with any line ends. */
  WARC(true),
  /** The Internet Archive's older archive format. */
  ARC(true),
  /** Extracted text as published by Common Crawl: WARC with conversion records. */
  WET(true),
  /** {@code <DOC><DOCNO>}: newswire text, or web pages after a DOCHDR. */
  TREC(true),
  /** An object per line, with the member names of Anserini, BEIR, MS MARCO and ClueWeb22. */
  JSONL(true),
  /** The same as {@link #JSONL}. */
  BEIR(true),
  /** The same objects over several lines, one after the other or in arrays. */
  JSON(true),
  /** An object per line with a sparse vector of weighted terms, as in JsonVectorCollection. */
  VECTORS(true),
  /** MS MARCO: id and text; id, title and text; or id, URL, title and text. Or as a header says. */
  TSV(true),
  /** Rows whose columns have the names that members of {@link #JSONL} have. */
  PARQUET(true);

  private final boolean records;
  private final String label;

  Format(boolean records) {
    this.records = records;
    this.label = name().toLowerCase(Locale.ROOT);
  }

  /** The name in reports. */
  public String label() {
    return label;
  }

  /** Whether a file holds many documents. */
  public boolean holdsRecords() {
    return records;
  }

  public boolean archive() {
    return this == WARC || this == ARC || this == WET;
  }

  /** Whether the start of a record can be recognized without the data before it. */
  public boolean startsAnywhere() {
    return records && this != JSON;
  }

  /** Whether each line that looks like the start of a record is one, whatever precedes it. */
  public boolean startsAtLines() {
    return lines() || this == TREC;
  }

  /** Whether records are lines, so that a record starts after every line end. */
  public boolean lines() {
    return this == JSONL || this == BEIR || this == VECTORS || this == TSV;
  }
}
