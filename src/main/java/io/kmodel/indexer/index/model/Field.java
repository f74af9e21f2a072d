package io.kmodel.indexer.index.model;

/**
 * One indexed field.
 *
 * @param name as used in queries; 1 to 255 bytes of UTF-8
 * @param detail what its postings record
 * @param tokenized whether the field is analyzed text, or a vector of weighted terms. If so, its
 *     length in tokens is kept for every document ({@link Detail#IMPACTS}: 1 if it has terms).
 *     Otherwise the field is a keyword: exactly one term in every document and no length, or at
 *     most one if it has the values of a {@link Column}, or no term if {@code detail} is {@link
 *     Detail#NONE}
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

  /** Whether a document's term is the field's whole text. */
  public boolean isKeyword() {
    return detail.isIndexed() && !tokenized;
  }
}
