package io.kmodel.indexer.parse;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Maps;
import io.kmodel.indexer.index.Schema;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A document's texts by the fields that they belong in. A document that a {@link DocumentParser}
 * gave is a view of the parser's buffers, valid until its next call; who keeps it keeps its {@link
 * #copy}. Not thread-safe.
 */
public final class ParsedDocument {
  private final String id;
  private final ImmutableMap<String, FieldText> texts;

  /**
   * A document whose text is in Strings.
   *
   * @param id what users know the document by
   * @param title empty where there is none
   * @param contents empty where there is none
   */
  public ParsedDocument(String id, String title, String contents) {
    this(
        id,
        ImmutableMap.of(
            Schema.TITLE, new FieldText(title), Schema.CONTENTS, new FieldText(contents)));
  }

  /** A document with a text for each field. */
  ParsedDocument(String id, ImmutableMap<String, FieldText> texts) {
    this.id = id;
    this.texts = texts;
  }

  /** The same texts in arrays of their own, valid for good. */
  public ParsedDocument copy() {
    return new ParsedDocument(
        id, ImmutableMap.copyOf(Maps.transformValues(texts, FieldText::copy)));
  }

  public String id() {
    return id;
  }

  /**
   * The text of a field.
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

  /** In bytes of UTF-8, over all fields. */
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
