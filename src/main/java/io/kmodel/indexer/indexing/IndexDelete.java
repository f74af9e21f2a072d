package io.kmodel.indexer.indexing;

import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.TermCursor;
import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.ProgressListener;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.index.postings.PostingList;
import io.kmodel.indexer.indexing.options.BuildException;
import io.kmodel.indexer.store.disk.DiskSpace;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Makes an index without some of its documents. Its lists, terms and lengths have the bytes of an
 * index that is built of the other documents; their stored texts may be in smaller blocks.
 *
 * <p>Memory and open files: as for {@link IndexMerge} of one index, and a bit for each document.
 */
public final class IndexDelete {
  /** Unknown ids that are named. */
  private static final int NAMED = 10;

  /**
   * The index without the documents.
   *
   * @param documents that stay
   * @param deleted documents that do not; several may have the same id
   * @param unknown ids that no document has
   * @param examples the first few of them
   */
  public record Result(
      int documents, long terms, long deleted, long unknown, List<String> examples) {
    public Result {
      examples = List.copyOf(examples);
    }
  }

  private static final String BYTE_ORDER_MARK = "\uFEFF";

  private final IndexMerge merge;
  private final String source;
  private final BufferedReader ids;
  private final List<String> examples = new ArrayList<>();
  private long unknown;
  private long deleted;

  /**
   * Prepares a deletion.
   *
   * @param ids one in each line; empty lines are ignored
   * @param source of the ids, for errors
   * @param output where the new index appears; if it is the index itself, that is replaced
   * @param overwrite whether another index may be replaced
   * @param space whether the disk must have room
   * @param progress gets the work done, without a unit
   */
  public IndexDelete(
      Path index,
      BufferedReader ids,
      String source,
      Path output,
      boolean overwrite,
      int threads,
      DiskSpace space,
      ProgressListener progress) {
    this.ids = ids;
    this.source = source;
    this.merge =
        new IndexMerge(
            new IndexMerge.Options(List.of(index), output, overwrite, null, threads, space),
            progress);
  }

  /**
   * Deletes. If the index is to be replaced and no document is found, it stays as it is.
   *
   * @throws BuildException if the output cannot be written, or the ids are not UTF-8
   * @throws io.kmodel.indexer.store.CorruptIndexException if the index is damaged
   */
  public Result run() throws IOException, InterruptedException {
    IndexMerge.Result result =
        merge.run((indexes, skips) -> List.of(documents(indexes.getFirst())));
    return new Result(result.documents(), result.terms(), deleted, unknown, examples);
  }

  private BitSet documents(InvertedIndex index) throws IOException {
    BitSet documents = new BitSet();
    TermCursor terms = index.terms(index.schema().find(Schema.ID));
    try {
      String id = ids.readLine();
      if (id != null && id.startsWith(BYTE_ORDER_MARK)) {
        id = id.substring(1);
      }
      for (; id != null; id = ids.readLine()) {
        if (!id.isEmpty()) {
          find(id, terms, documents);
        }
      }
    } catch (CharacterCodingException e) {
      throw new BuildException("the ids in %s are not in UTF-8".formatted(source));
    }
    deleted = documents.cardinality();
    return documents;
  }

  private void find(String id, TermCursor terms, BitSet documents) throws IOException {
    byte[] utf8 = id.getBytes(StandardCharsets.UTF_8);
    if (terms.seek(utf8, 0, utf8.length) != TermCursor.Seek.FOUND) {
      unknown++;
      if (examples.size() < NAMED) {
        examples.add(id);
      }
      return;
    }
    PostingList list = terms.postings(null, Detail.DOCUMENTS);
    for (int doc = list.nextDoc(); doc != PostingList.END; doc = list.nextDoc()) {
      documents.set(doc);
    }
  }
}
