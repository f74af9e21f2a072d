package io.kmodel.indexer.export.ciff;

import io.kmodel.indexer.index.model.Schema;

/**
 * Options of an export.
 *
 * @param field the field whose postings are written; must be tokenized
 * @param lengths which document lengths are written
 * @param overwrite whether an existing file may be replaced
 */
public record CiffExportOptions(String field, CiffLengths lengths, boolean overwrite) {
  /** Exports contents with exact lengths to a new file. */
  public static final CiffExportOptions DEFAULT =
      new CiffExportOptions(Schema.CONTENTS, CiffLengths.EXACT, false);
}
