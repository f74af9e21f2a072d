package io.kmodel.indexer.source;

import java.util.zip.ZipException;

/** A file decompresses to more than the limit allows. */
public final class ExpansionException extends ZipException {
  private static final long serialVersionUID = 1;

  public ExpansionException(String message) {
    super(message);
  }
}
