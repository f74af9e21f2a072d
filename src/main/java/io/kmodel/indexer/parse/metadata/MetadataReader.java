package io.kmodel.indexer.parse.metadata;

import com.google.common.base.Ascii;
import com.google.common.base.CharMatcher;
import com.google.common.base.Utf8;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.kmodel.indexer.index.model.Column;
import io.kmodel.indexer.index.model.ColumnType;
import io.kmodel.indexer.index.model.ColumnValues;
import io.kmodel.indexer.parse.field.FieldText;
import io.kmodel.indexer.parse.field.KnownColumn;
import io.kmodel.indexer.parse.field.MetadataPlan;
import io.kmodel.indexer.parse.html.HtmlMetadata;
import io.kmodel.indexer.source.ContentType;
import io.kmodel.indexer.source.RawDocument;
import io.kmodel.indexer.source.RawMetadata;
import io.kmodel.indexer.source.record.WellFormed;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the metadata of documents: what their source says, else what their HTML says. A value that
 * cannot be read as its column's type is no value, and is listed. Not thread-safe.
 */
public final class MetadataReader {
  /**
   * The meta elements with the date on which a page was published, or at least changed; the first
   * one that can be read counts.
   */
  private static final ImmutableList<String> DATES =
      ImmutableList.of(
          "article:published_time",
          "datepublished",
          "dcterms.issued",
          "dc.date.issued",
          "dc.date.created",
          "dcterms.created",
          "dc.date",
          "dcterms.date",
          "citation_publication_date",
          "citation_date",
          "pubdate",
          "publishdate",
          "date",
          "article:modified_time",
          "last-modified");

  private static final String LANGUAGE = "content-language";

  /** The authority of a URL, after the name and password of a user. */
  private static final Pattern HOST =
      Pattern.compile(
          "[A-Za-z][A-Za-z0-9+.-]*://(?:[^/?#\\\\]*@)?(\\[[^]/?#]*]|[^/?#\\\\:]*).*",
          Pattern.DOTALL);

  private static final Pattern MEDIA_TYPE = Pattern.compile("[\\w!#$&^.+-]+/[\\w!#$&^.+-]+");
  private static final Pattern INT = Pattern.compile("([+-]?\\d{1,30})(?:\\.0*)?");
  private static final CharMatcher SPACE = CharMatcher.whitespace();

  private static final String NO_DATE = "not a date";
  private static final String NO_LANGUAGE = "not one language tag";
  private static final int SHOWN_CHARS = 80;

  private final MetadataPlan plan;
  private final ImmutableList<String> names;
  private final ColumnValues values;
  private final int date;
  private final int host;
  private final int language;
  private final int contentType;
  private final int length;
  private final int detectedLanguage;

  /** Null if the language of texts is not wanted. */
  private final @Nullable TextLanguage textLanguage;

  private final @Nullable HtmlMetadata html;
  private final List<UnreadValue> unread = new ArrayList<>();

  public MetadataReader(MetadataPlan plan) {
    this.plan = plan;
    this.names = plan.names();
    this.values = new ColumnValues(plan.columns());
    this.date = plan.indexOf(KnownColumn.DATE);
    this.host = plan.indexOf(KnownColumn.HOST);
    this.language = plan.indexOf(KnownColumn.LANGUAGE);
    this.contentType = plan.indexOf(KnownColumn.CONTENT_TYPE);
    this.length = plan.indexOf(KnownColumn.LENGTH);
    this.detectedLanguage = plan.indexOf(KnownColumn.DETECTED_LANGUAGE);
    this.textLanguage = detectedLanguage >= 0 ? new TextLanguage() : null;
    this.html = newHtml();
  }

  private @Nullable HtmlMetadata newHtml() {
    ImmutableSet.Builder<String> wanted = ImmutableSet.builder();
    names.forEach(name -> wanted.add(Ascii.toLowerCase(name)));
    if (date >= 0) {
      wanted.addAll(DATES);
    }
    if (language >= 0) {
      wanted.add(LANGUAGE);
    }
    ImmutableSet<String> all = wanted.build();
    return all.isEmpty() ? null : new HtmlMetadata(all, language >= 0);
  }

  /** Collects the values of pages; null if none is wanted. */
  public @Nullable HtmlMetadata html() {
    return html;
  }

  /** Starts a document and forgets the previous one. */
  public void start(RawDocument document) {
    unread.clear();
    if (html != null) {
      boolean needsDate = date >= 0 && DateText.parse(document.metadata().date()) == null;
      html.start(
          document.type() != ContentType.PLAIN_TEXT
              && (needsDate || language >= 0 || !names.isEmpty()));
    }
  }

  /** Returns the values that a document had, but that could not be read. */
  public ImmutableList<UnreadValue> unread() {
    return ImmutableList.copyOf(unread);
  }

  /**
   * Returns the values of a document whose page, if it is one, was read; valid until the next.
   *
   * @param contents the text of its body
   */
  public ColumnValues values(RawDocument document, Supplier<FieldText> contents) {
    values.clear();
    RawMetadata said = document.metadata();
    if (date >= 0) {
      setDate(said);
    }
    if (host >= 0) {
      Matcher matcher = HOST.matcher(document.url());
      setString(host, matcher.matches() ? matcher.group(1).toLowerCase(Locale.ROOT) : "");
    }
    if (language >= 0) {
      setLanguage(said);
    }
    if (contentType >= 0) {
      setString(contentType, mediaType(said.contentType(), document.type()));
    }
    if (length >= 0) {
      values.set(length, document.contentBytes());
    }
    if (textLanguage != null) {
      setString(detectedLanguage, textLanguage.of(contents.get()));
    }
    for (int column = 0; column < plan.columns().size(); column++) {
      String source = plan.sources().get(column);
      if (!source.isEmpty()) {
        setNamed(column, source, said);
      }
    }
    return values;
  }

  private void setDate(RawMetadata said) {
    List<String> candidates = new ArrayList<>(List.of(said.date()));
    DATES.forEach(name -> candidates.add(ofPage(name)));
    String first = "";
    for (String candidate : candidates) {
      Long millis = candidate.isEmpty() ? null : DateText.parse(candidate);
      if (millis != null) {
        values.set(date, millis);
        return;
      }
      first = first.isEmpty() ? candidate : first;
    }
    note(date, NO_DATE, first);
  }

  private void setLanguage(RawMetadata said) {
    String first = "";
    for (String candidate :
        List.of(html == null ? "" : html.language(), ofPage(LANGUAGE), said.language())) {
      String tag = candidate.isEmpty() ? null : LanguageTag.parse(candidate);
      if (tag != null) {
        setString(language, tag);
        return;
      }
      first = first.isEmpty() ? candidate : first;
    }
    note(language, NO_LANGUAGE, first);
  }

  private static String mediaType(String declared, ContentType type) {
    String media = declared.split("[;,]", 2)[0].strip().toLowerCase(Locale.ROOT);
    if (MEDIA_TYPE.matcher(media).matches()) {
      return media;
    }
    return switch (type) {
      case HTML -> "text/html";
      case XML -> "application/xml";
      case PLAIN_TEXT -> "text/plain";
    };
  }

  private void setNamed(int column, String source, RawMetadata said) {
    String value = said.named(names.indexOf(source)).strip();
    set(column, value.isEmpty() ? ofPage(Ascii.toLowerCase(source)) : value);
  }

  private String ofPage(String name) {
    return html == null ? "" : html.value(name);
  }

  private void set(int column, String value) {
    if (value.isEmpty()) {
      return;
    }
    Column of = plan.columns().get(column);
    Long number = of.type().isNumber() ? number(of.type(), value) : null;
    if (number != null) {
      values.set(column, number);
    } else if (of.type().isNumber()) {
      note(column, problem(of.type()), value);
    } else {
      setString(column, SPACE.trimAndCollapseFrom(value, ' '));
    }
  }

  private static @Nullable Long number(ColumnType type, String value) {
    return switch (type) {
      case INT -> wholeNumber(value);
      case DOUBLE -> decimal(value);
      case DATE -> DateText.parse(value);
      case STRING -> null;
    };
  }

  private static String problem(ColumnType type) {
    return switch (type) {
      case INT -> "not a whole number of 64 bits";
      case DOUBLE -> "not a number";
      case DATE -> NO_DATE;
      case STRING -> "";
    };
  }

  private static @Nullable Long wholeNumber(String value) {
    Matcher matcher = INT.matcher(value);
    try {
      return matcher.matches() ? Long.valueOf(matcher.group(1)) : null;
    } catch (NumberFormatException e) {
      return null;
    }
  }

  private static @Nullable Long decimal(String value) {
    try {
      double number = Double.parseDouble(value);
      boolean isDecimal =
          Double.isFinite(number) && "dDfFxX".indexOf(value.charAt(value.length() - 1)) < 0;
      return isDecimal ? ColumnType.sortable(number) : null;
    } catch (NumberFormatException e) {
      return null;
    }
  }

  private void setString(int column, String value) {
    String text = WellFormed.text(value);
    if (Utf8.encodedLength(text) > Column.MAX_STRING_BYTES) {
      note(column, "longer than %,d bytes".formatted(Column.MAX_STRING_BYTES), text);
    } else if (!text.isEmpty()) {
      values.set(column, text);
    }
  }

  private void note(int column, String problem, String value) {
    if (!value.isEmpty()) {
      unread.add(
          new UnreadValue(
              plan.columns().get(column).name(), problem, Ascii.truncate(value, SHOWN_CHARS, "…")));
    }
  }
}
