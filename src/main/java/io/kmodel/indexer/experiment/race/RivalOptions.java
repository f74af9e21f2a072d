package io.kmodel.indexer.experiment.race;

import io.kmodel.indexer.parse.html.HtmlMode;
import org.jspecify.annotations.Nullable;

/**
 * The rival of a race.
 *
 * @param kind which rival
 * @param program the rival's jar file with all it needs, or null: it is fetched by Maven
 * @param html how IndexWriter's pages are read; this program uses the fast mode
 * @param merges whether IndexWriter merges segments by Lucene's defaults if any number of segments
 *     may result
 * @param ramBufferMegabytes IndexWriter's buffer
 */
public record RivalOptions(
    Rival kind, @Nullable String program, HtmlMode html, boolean merges, int ramBufferMegabytes) {
  public RivalOptions {
    if (ramBufferMegabytes < 1 || ramBufferMegabytes > 2047) {
      throw new IllegalArgumentException(
          "the RAM buffer must be 1 to 2047 MB; got " + ramBufferMegabytes);
    }
  }

  /** IndexWriter, which merges segments. */
  static RivalOptions lucene(HtmlMode html, int ramBufferMegabytes) {
    return new RivalOptions(Rival.LUCENE, null, html, true, ramBufferMegabytes);
  }

  /** The same with the rival's program. */
  RivalOptions withProgram(String jar) {
    return new RivalOptions(kind, jar, html, merges, ramBufferMegabytes);
  }
}
