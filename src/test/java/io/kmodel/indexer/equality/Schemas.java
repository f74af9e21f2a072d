package io.kmodel.indexer.equality;

import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.Field;
import io.kmodel.indexer.index.model.Schema;
import java.util.List;

/** The schemas that documents are indexed with. */
public final class Schemas {
  /** What can be read back. */
  public enum Stored {
    NOTHING,
    /** Id and title. */
    IDS,
    /** And the contents. */
    CONTENTS
  }

  private Schemas() {}

  /** The schema of a crawl. */
  public static Schema of(Detail text, Stored stored) {
    boolean ids = stored != Stored.NOTHING;
    return Schema.of(
        List.of(
            new Field(Schema.ID, Detail.DOCUMENTS, false, ids),
            new Field(Schema.TITLE, text, true, ids),
            new Field(Schema.CONTENTS, text, true, stored == Stored.CONTENTS)));
  }
}
