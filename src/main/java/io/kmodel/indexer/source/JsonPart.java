package io.kmodel.indexer.source;

/** What is kept of an object. */
enum JsonPart {
  ID("id"),
  URI("url"),
  TITLE("title"),
  HEADINGS("headings"),
  TEXT("contents");

  private final String label;

  JsonPart(String label) {
    this.label = label;
  }

  /** What users call it, as the fields of an index are called. */
  String label() {
    return label;
  }
}
