package io.kmodel.indexer.build;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.index.Detail;
import io.kmodel.indexer.index.Field;
import io.kmodel.indexer.index.Schema;
import io.kmodel.indexer.parse.HtmlMode;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * What to build, and with how much.
 *
 * @param roots the crawl's directories, in document order
 * @param output where the index appears when it is complete
 * @param overwrite whether an index that is there already may be replaced
 * @param html how HTML is read; the text is the same
 * @param analyzer name of the analyzer of title and contents
 * @param positions whether postings record positions
 * @param store which texts are stored
 * @param resources how much of the machine to use
 */
public record BuildOptions(
    ImmutableList<Path> roots,
    Path output,
    boolean overwrite,
    HtmlMode html,
    String analyzer,
    boolean positions,
    Store store,
    Resources resources) {

  /** How much of the machine a build may use; none of it shows in the index. */
  public record Resources(int threads, long memoryBytes) {
    /** Below this the heap and the runs have no room to work in. */
    public static final long MIN_MEMORY_BYTES = 256L << 20;

    public Resources {
      if (threads < 1) {
        throw new IllegalArgumentException("threads must be at least 1; got " + threads);
      }
      if (memoryBytes < MIN_MEMORY_BYTES) {
        throw new IllegalArgumentException(
            "memory must be at least %d MiB; got %d MiB"
                .formatted(MIN_MEMORY_BYTES >> 20, memoryBytes >> 20));
      }
    }
  }

  public BuildOptions {
    if (roots.isEmpty()) {
      throw new IllegalArgumentException("nothing to index: no directory was given");
    }
  }

  /** The options that the index's content depends on, by name. */
  Map<String, String> content() {
    Map<String, String> content = new TreeMap<>();
    content.put("analyzer", analyzer);
    content.put("positions", String.valueOf(positions));
    content.put("store", store.name().toLowerCase(Locale.ROOT));
    return content;
  }

  /** The fields that these options give the index. */
  public Schema schema() {
    Detail text = positions ? Detail.POSITIONS : Detail.FREQUENCIES;
    boolean contents = store == Store.CONTENTS;
    return Schema.of(
        List.of(
            new Field(Schema.ID, Detail.DOCUMENTS, false, store != Store.NONE),
            new Field(Schema.TITLE, text, true, contents),
            new Field(Schema.CONTENTS, text, true, contents)));
  }
}
