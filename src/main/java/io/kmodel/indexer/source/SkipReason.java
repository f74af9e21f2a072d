package io.kmodel.indexer.source;

/** Why a document of the crawl is not in the index. Every skip is counted under one of these. */
public enum SkipReason {
  /** Neither HTML nor text. */
  BINARY("binary content"),
  /** Larger than the limit of a document. */
  TOO_LARGE("too large"),
  /** The file could not be opened or read. */
  UNREADABLE("unreadable"),
  /** A compressed file whose bytes do not decompress. */
  DAMAGED("damaged compression"),
  /** A link, a device, a pipe, a socket. */
  NOT_A_FILE("not a regular file"),
  /** The parser or the analyzer refused it. */
  UNPARSABLE("unparsable");

  private final String label;

  SkipReason(String label) {
    this.label = label;
  }

  /** How reports call it. */
  public String label() {
    return label;
  }
}
