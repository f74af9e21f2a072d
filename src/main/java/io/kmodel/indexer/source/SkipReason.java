package io.kmodel.indexer.source;

import java.io.EOFException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/**
 * Why a document or a file of the crawl is not indexed as a whole. Every case is counted by reason.
 */
public enum SkipReason {
  /** The content is not HTML or text. */
  BINARY("binary content", Kind.LOST),
  /** Larger than the document size limit, or needs more memory than it may have. */
  TOO_LARGE("too large", Kind.LOST),
  /** The file cannot be opened or read. */
  UNREADABLE("unreadable", Kind.LOST),
  /** A compressed file, or an encoded page of an archive, that cannot be decompressed. */
  DAMAGED("damaged compression", Kind.LOST),
  /** A compressed file that unpacks to more than the expansion limit allows. */
  EXPANDS("unpacks to too much", Kind.LOST),
  /** An archive or a list of records that ends early or has a malformed record. */
  DAMAGED_RECORD("damaged record", Kind.LOST),
  /** A link, a device, a pipe or a socket. */
  NOT_A_FILE("not a regular file", Kind.LOST),
  /** The parser or the analyzer rejected it. */
  UNPARSABLE("unparsable", Kind.LOST),
  /** Another document with the same id came first. */
  DUPLICATE("duplicate id", Kind.LOST),
  /** The text of an earlier document is nearly the same. */
  NEAR_DUPLICATE("near duplicate", Kind.LOST),
  /** The document is indexed up to where its bytes could be decoded. */
  CUT_SHORT("kept in part", Kind.IN_PART),
  /** A document whose letters are nearly all lost, because its charset is another one. */
  DAMAGED_CHARSET("damaged charset", Kind.IN_PART),
  /** A page that reached the nesting limit: elements are closed early, no text is missing. */
  NESTED("nesting limit reached", Kind.NOTED),
  /** A document with bytes that are invalid in its charset; they count as non-letters. */
  UNDECODABLE("bytes invalid in their charset", Kind.NOTED),
  /** A document with metadata that cannot be read as its column's type. */
  UNREAD_VALUE("metadata", Kind.NOTED),
  /** A document that is indexed although the text of an earlier one is nearly the same. */
  SIMILAR("near duplicate", Kind.NOTED),
  /** A file read as one text, although it starts like a list of records. */
  PERHAPS_RECORDS("possible list of records", Kind.NOTED),
  /** A Parquet file without a column that the user named for a part of its documents. */
  MISSING_COLUMN("without a named column", Kind.NOTED),
  /**
   * An archived page that is declared as, or turned out to be, something other than HTML or text.
   */
  NOT_TEXT("archived, but no text", Kind.PASSED),
  /** An archive record for a page that has not changed. */
  REVISIT("revisit records", Kind.PASSED),
  /** An archive record with a request to a server. */
  REQUEST("request records", Kind.PASSED),
  /** An archive record about the archive or about other records. */
  METADATA("metadata records", Kind.PASSED),
  /** Any other archive record without a page. */
  OTHER_RECORD("other records", Kind.PASSED);

  /** What the reason means for the index. */
  public enum Kind {
    /** A document is missing. */
    LOST,
    /** A document is present, but incomplete. */
    IN_PART,
    /** The document is present with all of its readable text. */
    NOTED,
    /** Nothing is missing: there was no document. */
    PASSED
  }

  private final String label;
  private final Kind kind;

  SkipReason(String label, Kind kind) {
    this.label = label;
    this.kind = kind;
  }

  /** The name in reports. */
  public String label() {
    return label;
  }

  public Kind kind() {
    return kind;
  }

  /** The reason for a failure to decompress a file. */
  public static SkipReason of(IOException e) {
    if (e instanceof ExpansionException) {
      return EXPANDS;
    }
    return e instanceof DecoderMemoryException ? TOO_LARGE : DAMAGED;
  }

  /**
   * The message of an exception, or its class if it has none. File system exceptions often give
   * only the path, which the caller knows already, so these are described here.
   */
  public static String detail(Exception e) {
    if (e instanceof AccessDeniedException) {
      return "permission denied";
    }
    if (e instanceof NoSuchFileException) {
      return "no longer exists";
    }
    if (e instanceof NotDirectoryException) {
      return "no longer a directory";
    }
    if (e instanceof FileSystemException file && file.getReason() != null) {
      return file.getReason();
    }
    String message = e.getMessage();
    if (message == null) {
      return e instanceof EOFException ? "unexpected end of data" : e.toString();
    }
    return message;
  }
}
