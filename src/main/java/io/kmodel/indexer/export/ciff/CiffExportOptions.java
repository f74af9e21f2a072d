package io.kmodel.indexer.export.ciff;

import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.store.disk.DiskSpace;

/**
 * Options of an export.
 *
 * @param field the field whose postings are written; must be tokenized
 * @param lengths which document lengths are written
 * @param overwrite whether an existing file may be replaced
 * @param space whether the disk must have room
 */
public record CiffExportOptions(
    String field, CiffLengths lengths, boolean overwrite, DiskSpace space) {
  /** Exports contents with exact lengths to a new file. */
  public static final CiffExportOptions DEFAULT =
      new CiffExportOptions(Schema.CONTENTS, CiffLengths.EXACT, false);

  /** Options of an export that is refused if the disk has no room. */
  public CiffExportOptions(String field, CiffLengths lengths, boolean overwrite) {
    this(field, lengths, overwrite, DiskSpace.CHECKED);
  }
}
