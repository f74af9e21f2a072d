package io.kmodel.indexer.source;

import java.nio.charset.StandardCharsets;

/**
 * A line of MS MARCO's collections: id and text; id, title and text; or id, URL, title and text,
 * with tabs between them. A byte order mark is no part of the id.
 */
final class TsvDocument {
  private static final int MAX_FIELDS = 4;

  private TsvDocument() {}

  static TextRecord parse(byte[] line, int length) throws DamagedRecordException {
    int[] starts = new int[MAX_FIELDS + 1];
    starts[0] = Lines.markBytes(line, 0, length);
    int fields = 1;
    for (int i = 0; i < length; i++) {
      if (line[i] == '\t') {
        if (fields == MAX_FIELDS) {
          throw new DamagedRecordException("more than 4 fields in a line, expected 2 to 4");
        }
        starts[fields++] = i + 1;
      }
    }
    if (fields < 2) {
      throw new DamagedRecordException("no tab in a line, expected 2 to 4 fields");
    }
    starts[fields] = length + 1;
    String id = name(line, starts, 0);
    String title = fields > 2 ? text(line, starts, fields - 2) : "";
    String uri = fields == MAX_FIELDS ? name(line, starts, 1) : "";
    return new TextRecord(id, uri, title, line, starts[fields - 1], length);
  }

  private static String name(byte[] line, int[] starts, int field) {
    int from = starts[field];
    return WellFormed.name(line, from, starts[field + 1] - 1 - from).strip();
  }

  private static String text(byte[] line, int[] starts, int field) {
    int from = starts[field];
    return new String(line, from, starts[field + 1] - 1 - from, StandardCharsets.UTF_8).strip();
  }
}
