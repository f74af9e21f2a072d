package io.kmodel.indexer.parse;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Maps;
import io.kmodel.indexer.index.model.ColumnValues;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.parse.field.FieldText;
import io.kmodel.indexer.source.SparseVector;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The texts of a document, by field. A document from a {@link DocumentParser} is a view of the
 * parser's buffers, valid until its next call; to keep it, keep its {@link #copy}. Not thread-safe.
 */
public final class ParsedDocument {
  private final String id;
  private final ImmutableMap<String, FieldText> texts;
  private final @Nullable SparseVector vector;
  private final ColumnValues values;

  /**
   * Creates a document from Strings.
   *
   * @param id the id by which users know the document
   * @param title may be empty
   * @param contents may be empty
   */
  public ParsedDocument(String id, String title, String contents) {
    this(
        id,
        ImmutableMap.of(
            Schema.TITLE, new FieldText(title), Schema.CONTENTS, new FieldText(contents)));
  }

  /** Creates a document with a text for each field. */
  ParsedDocument(String id, ImmutableMap<String, FieldText> texts) {
    this(id, texts, null, new ColumnValues(ImmutableList.of()));
  }

  /** The same with weighted terms, or null, and with metadata. */
  ParsedDocument(
      String id,
      ImmutableMap<String, FieldText> texts,
      @Nullable SparseVector vector,
      ColumnValues values) {
    this.id = id;
    this.texts = texts;
    this.vector = vector;
    this.values = values;
  }

  /** The same document with other metadata. */
  public ParsedDocument withValues(ColumnValues newValues) {
    return new ParsedDocument(id, texts, vector, newValues);
  }

  /** Returns a copy with its own arrays, which stays valid. */
  public ParsedDocument copy() {
    return new ParsedDocument(
        id,
        ImmutableMap.copyOf(Maps.transformValues(texts, FieldText::copy)),
        vector == null ? null : vector.copy(),
        values.copy());
  }

  public String id() {
    return id;
  }

  /** Whether documents have a text field of this name. */
  boolean has(String field) {
    return texts.containsKey(field);
  }

  /**
   * Returns the text of a field.
   *
   * @throws IllegalArgumentException if documents do not have that field
   */
  public FieldText text(String field) {
    FieldText text = texts.get(field);
    if (text == null) {
      throw new IllegalArgumentException(
          "documents have no text field %s; they have %s".formatted(field, texts.keySet()));
    }
    return text;
  }

  /** Returns the weighted terms that the collection gives; null if it gives a text. */
  public @Nullable SparseVector vector() {
    return vector;
  }

  /** Returns the metadata. */
  public ColumnValues values() {
    return values;
  }

  /** Returns the length of all fields in bytes of UTF-8. */
  public long textLength() {
    long length = 0;
    for (FieldText text : texts.values()) {
      length += text.length();
    }
    return length;
  }

  public String title() {
    return text(Schema.TITLE).string();
  }

  public String contents() {
    return text(Schema.CONTENTS).string();
  }

  /** Whether another document has the same id and texts. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ParsedDocument that
        && id.equals(that.id)
        && strings().equals(that.strings());
  }

  @Override
  public int hashCode() {
    return Objects.hash(id, strings());
  }

  @Override
  public String toString() {
    return "%s: %s".formatted(id, strings());
  }

  private ImmutableMap<String, String> strings() {
    return ImmutableMap.copyOf(Maps.transformValues(texts, FieldText::string));
  }
}
