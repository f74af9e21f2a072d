package io.kmodel.indexer.source;

/** The parts of an object that are kept. */
public enum JsonPart {
  ID("id"),
  URI("url"),
  TITLE("title"),
  HEADINGS("headings"),
  TEXT("contents");

  private final String label;

  JsonPart(String label) {
    this.label = label;
  }

  /** The name for users, the same as that of the index field. */
  public String label() {
    return label;
  }
}
