package io.kmodel.indexer.export.lucene.postings;

import io.kmodel.indexer.export.lucene.schema.SegmentNorms;
import java.io.IOException;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.codecs.FieldsConsumer;
import org.apache.lucene.codecs.NormsProducer;
import org.apache.lucene.codecs.lucene103.blocktree.Lucene103BlockTreeTermsReader;
import org.apache.lucene.codecs.lucene104.Lucene104PostingsFormat.IntBlockTermState;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.Fields;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.SegmentWriteState;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.IOUtils;

/**
 * Writes the term dictionary of a segment, and calls {@link SegmentTerms} to write the postings of
 * each term. {@link Lucene103BlockTreeTermsReader} reads the dictionary's files: blocks of terms
 * (.tim, {@link BlockTree}), an index of the blocks per field (.tip, {@link BlockTrie}), and
 *
 * <pre>
 * .tmd  := header postingsHeader fields:vint field* tipEnd:long timEnd:long footer
 * field := number:vint terms:vlong [totalTermFreq:vlong] docFreqs:vlong documents:vint
 *          first:vint byte* last:vint byte* trieStart:vlong root:vlong trieEnd:vlong
 * </pre>
 *
 * where Lucene's postings writer writes postingsHeader, totalTermFreq is omitted for fields without
 * frequencies, root is relative to trieStart in .tip, and tipEnd and timEnd are the lengths of the
 * files. Lucene counts a field's documents while it reads postings; this class takes the count from
 * the lengths of documents, or from the terms of a keyword field. After a failure, {@link #close}
 * closes all files, but their content is undefined. Memory: that of a {@link BlockTree} and a
 * {@link TermWriter}. Not thread-safe.
 */
final class PushedFields extends FieldsConsumer {
  /** Version of the three files' format. */
  private static final int VERSION = 0;

  /** Zeros after each trie: Lucene's reader reads whole longs. */
  private static final int PADDING_BYTES = 8;

  private final SegmentWriteState state;
  private final SegmentTerms segmentTerms;
  private final SegmentNorms norms;
  private final Lz4Encoder lz4 = new Lz4Encoder();
  private final PostingsOutputs outputs;
  private final TermWriter writer;
  private final IndexOutput terms;
  private final IndexOutput index;
  private final IndexOutput metadata;

  /** Metadata of the fields written so far. */
  private final EncodedBytes fields = new EncodedBytes();

  private int fieldCount;
  private boolean closed;

  /** Creates the files. */
  PushedFields(SegmentWriteState state, SegmentTerms segmentTerms, SegmentNorms norms)
      throws IOException {
    this.state = state;
    this.segmentTerms = segmentTerms;
    this.norms = norms;
    this.outputs = new PostingsOutputs(state.directory);
    this.writer = new TermWriter(outputs, state, norms);
    IndexOutput termsOut = null;
    IndexOutput indexOut = null;
    IndexOutput metadataOut = null;
    try {
      termsOut = create("tim", "BlockTreeTermsDict");
      indexOut = create("tip", "BlockTreeTermsIndex");
      metadataOut = create("tmd", "BlockTreeTermsMeta");
      writer.lucene().init(metadataOut, state);
    } catch (IOException | RuntimeException | Error e) {
      IOUtils.closeWhileSuppressingExceptions(e, termsOut, indexOut, metadataOut, writer);
      throw e;
    }
    this.terms = termsOut;
    this.index = indexOut;
    this.metadata = metadataOut;
  }

  private IndexOutput create(String extension, String codec) throws IOException {
    String name =
        IndexFileNames.segmentFileName(state.segmentInfo.name, state.segmentSuffix, extension);
    IndexOutput out = state.directory.createOutput(name, state.context);
    try {
      CodecUtil.writeIndexHeader(
          out, codec, VERSION, state.segmentInfo.getId(), state.segmentSuffix);
      return out;
    } catch (IOException | RuntimeException | Error e) {
      IOUtils.closeWhileSuppressingExceptions(e, out);
      throw e;
    }
  }

  @Override
  public void write(Fields all, NormsProducer unused) throws IOException {
    for (String name : all) {
      Terms ofField = all.terms(name);
      if (ofField != null) {
        write(state.fieldInfos.fieldInfo(name), ofField.iterator());
      }
    }
  }

  private void write(FieldInfo field, TermsEnum stream) throws IOException {
    BytesRef term = stream.next();
    if (term == null) {
      return;
    }
    BytesRef first = BytesRef.deepCopyOf(term);
    writer.setField(field);
    long trie = index.getFilePointer();
    BlockTree tree =
        new BlockTree(terms, new TermBlock(field, writer.lucene(), lz4), new BlockTrie(index));
    long count = 0;
    long totalTermFreq = 0;
    long docFreqs = 0;
    for (; term != null; term = stream.next()) {
      IntBlockTermState postings = segmentTerms.write(writer, outputs);
      tree.add(term, postings);
      count++;
      totalTermFreq += postings.totalTermFreq;
      docFreqs += postings.docFreq;
    }
    BytesRef last = tree.lastTerm();
    long root = tree.finish();
    index.writeBytes(new byte[PADDING_BYTES], PADDING_BYTES);
    fields.putVInt(field.number);
    fields.putVLong(count);
    if (field.getIndexOptions() != IndexOptions.DOCS) {
      fields.putVLong(totalTermFreq);
    }
    fields.putVLong(docFreqs);
    // A document has at most one term in a field without frequencies, but may have none.
    int documents = norms.countDocuments(field);
    fields.putVInt(
        field.getIndexOptions() == IndexOptions.DOCS
            ? (int) Math.min(docFreqs, documents)
            : documents);
    putTerm(first);
    putTerm(last);
    fields.putVLong(trie);
    fields.putVLong(root);
    fields.putVLong(index.getFilePointer());
    fieldCount++;
  }

  private void putTerm(BytesRef term) {
    fields.putVInt(term.length);
    fields.writeBytes(term.bytes, term.offset, term.length);
  }

  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    try (writer;
        terms;
        index;
        metadata) {
      metadata.writeVInt(fieldCount);
      fields.moveTo(metadata);
      CodecUtil.writeFooter(index);
      metadata.writeLong(index.getFilePointer());
      CodecUtil.writeFooter(terms);
      metadata.writeLong(terms.getFilePointer());
      CodecUtil.writeFooter(metadata);
    }
    outputs.writeMetadata(segmentTerms.raiseMaxima(writer.maxima()), state.context);
  }
}
