package io.kmodel.indexer.source;

import java.util.zip.ZipException;

/** A file decompresses to more than the limit allows. */
final class ExpansionException extends ZipException {
  private static final long serialVersionUID = 1;

  ExpansionException(String message) {
    super(message);
  }
}
