package io.kmodel.indexer.cli.view;

import io.kmodel.indexer.cli.base.ByteSize;
import io.kmodel.indexer.export.ciff.CiffExportResult;
import io.kmodel.indexer.export.lucene.ExportResult;
import java.nio.file.Path;
import java.util.Locale;

/** Exports as text, a line each. */
public final class ExportText {
  private ExportText() {}

  public static String of(Path target, ExportResult result) {
    return String.format(
        Locale.ROOT,
        "%s: a Lucene %s index of %s and %s in %s, %s; written in %.2f s, checked (%s) in %.2f s%n",
        target,
        result.version(),
        Counted.of(result.documents(), "document"),
        Counted.of(result.terms(), "term"),
        Counted.of(result.segments(), "segment"),
        ByteSize.format(result.bytes()),
        result.writeSeconds(),
        result.check().name().toLowerCase(Locale.ROOT),
        result.checkSeconds());
  }

  public static String of(Path target, CiffExportResult result) {
    return String.format(
        Locale.ROOT,
        "%s: CIFF of %s, %s, %s and %s, %s%s; written in %.2f s, checked in %.2f s%n",
        target,
        Counted.of(result.header().documents(), "document"),
        Counted.of(result.header().postingsLists(), "term"),
        Counted.of(result.postings(), "posting"),
        Counted.of(result.header().totalTerms(), "token"),
        ByteSize.format(result.bytes()),
        result.columns() == 0 ? "" : ", without metadata, which CIFF does not hold",
        result.writeSeconds(),
        result.checkSeconds());
  }
}
