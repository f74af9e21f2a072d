package io.kmodel.indexer.source;

import org.jspecify.annotations.Nullable;

/** What a record of text says; id, URI, title and headings are empty if it says none. */
final class TextRecord {
  /** Reads one record. */
  @FunctionalInterface
  interface Parser {
    /**
     * What a record says, valid until the next call.
     *
     * @param record its bytes, without a line end
     * @return null for what is not meant to be one
     * @throws DamagedRecordException if it is none
     */
    @Nullable TextRecord parse(byte[] record, int length) throws DamagedRecordException;
  }

  /** How the text is to be read. */
  final ContentType type;

  final String id;
  final String uri;
  final String title;
  final String headings;

  /** Whether all of the title's bytes were characters. */
  final boolean titleDecoded;

  /** Holds the text in UTF-8: the record itself, or an array of its own. */
  final byte[] bytes;

  final int from;
  final int to;

  TextRecord(
      ContentType type,
      String id,
      String uri,
      String title,
      String headings,
      boolean titleDecoded,
      byte[] bytes,
      int from,
      int to) {
    this.type = type;
    this.id = id;
    this.uri = uri;
    this.title = title;
    this.headings = headings;
    this.titleDecoded = titleDecoded;
    this.bytes = bytes;
    this.from = from;
    this.to = to;
  }
}
