package io.kmodel.indexer.export.ciff;

import io.kmodel.indexer.index.Schema;

/**
 * What of an index becomes a file.
 *
 * @param field the one whose postings are written; must be tokenized
 * @param lengths which lengths documents are given
 * @param overwrite whether a file that is there already may be replaced
 */
public record CiffExportOptions(String field, CiffLengths lengths, boolean overwrite) {
  /** Contents with exact lengths, to a new file. */
  public static final CiffExportOptions DEFAULT =
      new CiffExportOptions(Schema.CONTENTS, CiffLengths.EXACT, false);
}
