package io.kmodel.indexer.source.trec;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.source.MetadataRequest;
import io.kmodel.indexer.source.RawMetadata;
import io.kmodel.indexer.source.record.TrecTags;
import io.kmodel.indexer.source.record.WellFormed;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds the metadata of TREC documents. The value of a name is the text of the first element with
 * that tag, else the attribute of the document's tag. Dates of the news collections are in elements
 * of several names. Some write six digits (Financial Times, Wall Street Journal: year, month, day)
 * or {@code 03/24/87} (Wall Street Journal, in {@code <DD>}), which their years make certain.
 */
final class TrecMetadata {
  private static final ImmutableList<String> DATES =
      ImmutableList.of("DATE_TIME", "DATE", "DATE1", "DD", "PUBDATE");

  private static final String MONTH_DAY_YEAR = "DD";
  private static final Pattern SLASHED = Pattern.compile("(\\d\\d)/(\\d\\d)/([789]\\d)");
  private static final Pattern SIX_DIGITS = Pattern.compile("=? *([789]\\d)(\\d\\d)(\\d\\d)");

  /** The time of the capture, which the first line of a DOCHDR may have after URL and address. */
  private static final Pattern CAPTURED = Pattern.compile("\\S+\\s+[\\d.]+\\s+(\\d{14})\\b");

  private static final Pattern REFERENCE =
      Pattern.compile("&(amp|lt|gt|quot|apos|#\\d{1,7}|#[xX][0-9A-Fa-f]{1,6});");

  private static final Pattern DATE_HEADER = header("Date");
  private static final Pattern LANGUAGE_HEADER = header("Content-Language");
  private static final Pattern TYPE_HEADER = header("Content-Type");

  private final MetadataRequest wanted;
  private final ImmutableList<Tag> named;
  private final ImmutableList<Tag> dates;

  TrecMetadata(MetadataRequest wanted) {
    this.wanted = wanted;
    this.named = wanted.names().stream().map(Tag::new).collect(ImmutableList.toImmutableList());
    this.dates = DATES.stream().map(Tag::new).collect(ImmutableList.toImmutableList());
  }

  /** Finds the start and end tags of a name, in either case. */
  private static final class Tag {
    final String name;
    final Pattern open;
    final Pattern close;

    Tag(String name) {
      this.name = name;
      this.open = pattern("<" + Pattern.quote(name) + "(?:\\s[^<>]*+)?>");
      this.close = pattern("</" + Pattern.quote(name) + "\\s*>");
    }

    private static Pattern pattern(String tag) {
      return Pattern.compile(tag, Pattern.CASE_INSENSITIVE);
    }
  }

  /**
   * Returns the metadata of a page.
   *
   * @param header its DOCHDR, in ISO-8859-1
   */
  RawMetadata ofPage(String header) {
    if (wanted.isEmpty()) {
      return RawMetadata.NONE;
    }
    Matcher captured = CAPTURED.matcher(header.strip());
    return new RawMetadata(
        captured.lookingAt() ? captured.group(1) : field(DATE_HEADER, header),
        field(LANGUAGE_HEADER, header),
        field(TYPE_HEADER, header),
        ImmutableList.of());
  }

  private static Pattern header(String name) {
    return Pattern.compile("(?im)^" + name + ":([^\\r\\n]*)");
  }

  private static String field(Pattern name, String header) {
    Matcher field = name.matcher(header);
    return field.find() ? field.group(1).strip() : "";
  }

  /** Returns the metadata of a document, in ISO-8859-1. */
  RawMetadata ofText(String document) {
    if (wanted.isEmpty()) {
      return RawMetadata.NONE;
    }
    TrecTags.@Nullable Start start = wanted.names().isEmpty() ? null : TrecTags.start(document);
    ImmutableList.Builder<String> values = ImmutableList.builder();
    for (Tag tag : named) {
      String value = element(tag, document);
      String attribute = value.isEmpty() && start != null ? start.attribute(tag.name) : null;
      values.add(attribute == null ? value : resolved(attribute));
    }
    return RawMetadata.of(wanted.hasDate() ? date(document) : "", values.build());
  }

  private String date(String document) {
    for (Tag tag : dates) {
      String value = element(tag, document);
      if (!value.isEmpty()) {
        Matcher slashed = SLASHED.matcher(value);
        Matcher digits = SIX_DIGITS.matcher(value);
        if (tag.name.equals(MONTH_DAY_YEAR) && slashed.matches()) {
          return "19%s-%s-%s".formatted(slashed.group(3), slashed.group(1), slashed.group(2));
        }
        return digits.matches()
            ? "19%s-%s-%s".formatted(digits.group(1), digits.group(2), digits.group(3))
            : value;
      }
    }
    return "";
  }

  /** The text of the first element with a tag, in either case; empty if it is not found. */
  private static String element(Tag tag, String document) {
    Matcher open = tag.open.matcher(document);
    if (!open.find()) {
      return "";
    }
    Matcher close = tag.close.matcher(document);
    return close.find(open.end()) ? text(document.substring(open.end(), close.start())) : "";
  }

  /** The text of markup. */
  private static String text(String markup) {
    return resolved(SgmlText.withoutTags(markup));
  }

  /** Decodes a text and resolves its references. */
  private static String resolved(String latin) {
    return REFERENCE
        .matcher(WellFormed.name(latin))
        .replaceAll(found -> Matcher.quoteReplacement(character(found)))
        .strip();
  }

  private static String character(MatchResult reference) {
    String name = reference.group(1);
    if (name.startsWith("#")) {
      boolean isHex = (name.charAt(1) | 0x20) == 'x';
      int codePoint = Integer.parseInt(name.substring(isHex ? 2 : 1), isHex ? 16 : 10);
      return Character.isValidCodePoint(codePoint)
          ? Character.toString(codePoint)
          : reference.group();
    }
    return switch (name) {
      case "amp" -> "&";
      case "lt" -> "<";
      case "gt" -> ">";
      case "quot" -> "\"";
      default -> "'";
    };
  }
}
