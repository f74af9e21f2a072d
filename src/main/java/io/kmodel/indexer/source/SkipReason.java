package io.kmodel.indexer.source;

import java.io.EOFException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** Why something of the crawl is not in the index. Everything is counted under one of these. */
public enum SkipReason {
  /** Neither HTML nor text. */
  BINARY("binary content", Kind.LOST),
  /** Larger than the limit of a document, or needs more memory than it may have. */
  TOO_LARGE("too large", Kind.LOST),
  /** The file could not be opened or read. */
  UNREADABLE("unreadable", Kind.LOST),
  /** A compressed file, or an encoded page of an archive, whose bytes do not decompress. */
  DAMAGED("damaged compression", Kind.LOST),
  /** A compressed file that unpacks to more than the limit of its expansion. */
  EXPANDS("unpacks to too much", Kind.LOST),
  /** An archive or a list of records that ends early or has a record that makes no sense. */
  DAMAGED_RECORD("damaged record", Kind.LOST),
  /** A link, a device, a pipe, a socket. */
  NOT_A_FILE("not a regular file", Kind.LOST),
  /** The parser or the analyzer refused it. */
  UNPARSABLE("unparsable", Kind.LOST),
  /** Another document with the same id came first. */
  DUPLICATE("duplicate id", Kind.LOST),
  /** The document is in the index as far as its bytes could be decoded. */
  CUT_SHORT("kept in part", Kind.IN_PART),
  /** A page that came to the limit of nesting: elements are closed early, no text is missing. */
  NESTED("nested to the limit", Kind.NOTED),
  /** A document with bytes that its charset cannot be read by, which are taken for no letters. */
  UNDECODABLE("with bytes outside their charset", Kind.NOTED),
  /** A file that is taken for one text, though it starts as a list of records may. */
  PERHAPS_RECORDS("that may be lists of records", Kind.NOTED),
  /** A page of an archive that is declared, or turned out, to be neither HTML nor text. */
  NOT_TEXT("archived, but no text", Kind.PASSED),
  /** A record of an archive for a page that had not changed. */
  REVISIT("revisit records", Kind.PASSED),
  /** A record of an archive with what was sent to a server. */
  REQUEST("request records", Kind.PASSED),
  /** A record of an archive about the archive or about other records. */
  METADATA("metadata records", Kind.PASSED),
  /** Any other record of an archive without a page. */
  OTHER_RECORD("other records", Kind.PASSED);

  /** What it means for the index. */
  public enum Kind {
    /** A document is missing. */
    LOST,
    /** A document is there, but not all of it. */
    IN_PART,
    /** The document is there with all of its text that can be read. */
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

  /** How reports call it. */
  public String label() {
    return label;
  }

  public Kind kind() {
    return kind;
  }

  /** Why a file could not be unpacked. */
  static SkipReason of(IOException e) {
    if (e instanceof ExpansionException) {
      return EXPANDS;
    }
    return e instanceof DecoderMemoryException ? TOO_LARGE : DAMAGED;
  }

  /**
   * What an error says, or is called where it says nothing. Errors of the file system say the path
   * alone in many cases, which is known.
   */
  static String detail(Exception e) {
    if (e instanceof AccessDeniedException) {
      return "permission denied";
    }
    if (e instanceof NoSuchFileException) {
      return "it is not there any more";
    }
    if (e instanceof NotDirectoryException) {
      return "it is no directory any more";
    }
    if (e instanceof FileSystemException file && file.getReason() != null) {
      return file.getReason();
    }
    String message = e.getMessage();
    if (message == null) {
      return e instanceof EOFException ? "the file ends within it" : e.toString();
    }
    return message;
  }
}
