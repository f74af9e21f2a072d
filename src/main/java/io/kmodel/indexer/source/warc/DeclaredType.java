package io.kmodel.indexer.source.warc;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.netpreserve.jwarc.MessageHeaders;

/**
 * The content type that the fields of a header declare, read as browsers do (WHATWG's MIME Sniffing
 * §4.4 and Fetch §2.2.2): all fields form one list, commas separate types, the last valid type
 * counts, and a charset remains if a later equal type has none. Quotes need not be closed.
 *
 * @param media in lower case, without parameters; may be invalid if no valid type is declared
 * @param charset its name, or empty
 */
record DeclaredType(String media, String charset) {
  private static final Pattern VALID = Pattern.compile("[\\w!#$%&'*+.^`|~-]+/[\\w!#$%&'*+.^`|~-]+");
  private static final String ANY = "*/*";
  private static final String NAME = "charset";

  /** Reads the content type of a header. */
  static DeclaredType of(MessageHeaders headers) {
    String media = "";
    String charset = "";
    DeclaredType invalid = new DeclaredType("", "");
    for (String field : headers.all("Content-Type")) {
      for (String part : split(field, ',')) {
        List<String> parameters = split(part, ';');
        String type = parameters.getFirst().strip().toLowerCase(Locale.ROOT);
        String declared = charset(parameters);
        if (!VALID.matcher(type).matches() || type.equals(ANY)) {
          boolean isFirst = invalid.media.isEmpty() && invalid.charset.isEmpty();
          invalid = isFirst ? new DeclaredType(type, declared) : invalid;
        } else {
          boolean isSame = type.equals(media);
          charset = isSame && declared.isEmpty() ? charset : declared;
          media = type;
        }
      }
    }
    return media.isEmpty() ? invalid : new DeclaredType(media, charset);
  }

  /** The first charset that is not empty; the first part is the type. */
  private static String charset(List<String> parts) {
    for (String parameter : parts.subList(1, parts.size())) {
      int equals = parameter.indexOf('=');
      if (equals >= 0 && parameter.substring(0, equals).strip().equalsIgnoreCase(NAME)) {
        String value = unquoted(parameter.substring(equals + 1).strip());
        if (!value.isEmpty()) {
          return value;
        }
      }
    }
    return "";
  }

  /** The text of a quoted value, whose quote need not be closed; another value as it is. */
  private static String unquoted(String value) {
    if (!value.startsWith("\"")) {
      return value;
    }
    StringBuilder text = new StringBuilder();
    for (int i = 1; i < value.length() && value.charAt(i) != '"'; i++) {
      i += value.charAt(i) == '\\' && i + 1 < value.length() ? 1 : 0;
      text.append(value.charAt(i));
    }
    return text.toString().strip();
  }

  /** Splits at a character outside of quotes. */
  private static List<String> split(String text, char at) {
    List<String> parts = new ArrayList<>();
    int start = 0;
    boolean inQuotes = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (inQuotes && c == '\\') {
        i++;
      } else if (c == '"') {
        inQuotes = !inQuotes;
      } else if (c == at && !inQuotes) {
        parts.add(text.substring(start, i));
        start = i + 1;
      }
    }
    parts.add(text.substring(start));
    return parts;
  }
}
