package io.kmodel.indexer.index;

import io.kmodel.indexer.index.model.IndexFiles;
import io.kmodel.indexer.index.terms.DictionaryReader;
import io.kmodel.indexer.index.terms.IndexContent;
import io.kmodel.indexer.index.terms.TermIndex;
import io.kmodel.indexer.store.InputFile;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the files of an index hold a range of terms, for readers that fetch nothing else from a
 * remote copy. The dictionary is needed before the postings can be found, and {@code terms.index}
 * before the dictionary. Slices are exact; a reader needs a buffer's length beyond.
 */
public final class TermSlices {
  private static final int BUFFER_BYTES = 4096;

  /** Bytes of a file of an index, by offset in the file; the end is exclusive. */
  public record Slice(String file, long from, long to) {}

  private final IndexContent content;
  private final long first;
  private final long end;

  /**
   * The slices of the terms from one key to another one.
   *
   * @param from the first key, null for the beginning
   * @param to the key after the last, null for the end
   */
  public TermSlices(InvertedIndex index, byte @Nullable [] from, byte @Nullable [] to)
      throws IOException {
    this.content = index.content();
    TermIndex blocks = content.termIndex();
    this.first = from == null ? 0 : Math.max(0, blocks.find(from, from.length));
    // A reader stops at the first key of the range after this one.
    this.end =
        to == null ? blocks.blocks() : Math.min(blocks.blocks(), blocks.find(to, to.length) + 2);
  }

  /** The dictionary's entries. */
  public Slice dictionary() throws IOException {
    long body = content.dictionary().bodyStart();
    return new Slice(
        IndexFiles.DICTIONARY,
        body + content.termIndex().blockOffset(first),
        body + content.termIndex().blockOffset(end));
  }

  /** Documents and positions. */
  public List<Slice> postings() throws IOException {
    DictionaryReader reader = new DictionaryReader(content, BUFFER_BYTES);
    long docs = content.docs().bodyEnd();
    long positions = content.positions().bodyEnd();
    long docsEnd = docs;
    long positionsEnd = positions;
    if (end < content.termIndex().blocks()) {
      reader.seekBlock(end);
      require(reader.next(), content.dictionary());
      docsEnd = reader.entry().docsStart;
      positionsEnd = reader.entry().positionsStart;
    }
    if (first < content.termIndex().blocks()) {
      reader.seekBlock(first);
      require(reader.next(), content.dictionary());
      docs = reader.entry().docsStart;
      positions = reader.entry().positionsStart;
    }
    return List.of(
        new Slice(IndexFiles.DOCS, docs, docsEnd),
        new Slice(IndexFiles.POSITIONS, positions, positionsEnd));
  }

  private static void require(boolean hasTerm, InputFile dictionary) throws IOException {
    if (!hasTerm) {
      throw dictionary.corrupt("a block without terms");
    }
  }
}
