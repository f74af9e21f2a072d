package io.kmodel.indexer.index;

/**
 * One indexed field.
 *
 * @param name as users write it in queries; 1 to 255 bytes of UTF-8
 * @param detail what its postings record
 * @param tokenized whether the field is analyzed text: its length in tokens is then kept for every
 *     document. A field that is not tokenized is a keyword: exactly one term in every document, no
 *     length; or, where nothing is recorded, no term either
 * @param stored whether the field's text can be read back
 */
public record Field(String name, Detail detail, boolean tokenized, boolean stored) {
  public Field {
    if (name.isEmpty()) {
      throw new IllegalArgumentException("a field must have a name");
    }
    if (!detail.isIndexed() && (tokenized || !stored)) {
      throw new IllegalArgumentException(
          "field '%s' is not indexed, so it must be stored and not tokenized".formatted(name));
    }
  }

  /** Whether it has one term in every document, the whole of its text. */
  public boolean isKeyword() {
    return detail.isIndexed() && !tokenized;
  }
}
