package io.kmodel.indexer.export.ndjson;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.google.common.base.Utf8;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.documents.StoredTexts;
import io.kmodel.indexer.index.model.ProgressListener;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.store.disk.NamingOutput;
import io.kmodel.indexer.store.disk.StagedFile;
import io.kmodel.indexer.store.disk.StagedOutput;
import java.io.BufferedOutputStream;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Writes the stored documents of an index as NDJSON for the bulk API of OpenSearch and
 * Elasticsearch, in the order of the index:
 *
 * <pre>
 * {"index":{"_index":"pages","_id":"a.html"}}
 * {"contents":"…","title":"…"}
 * </pre>
 *
 * The fields are those of the index, then its columns of metadata, without those that the document
 * has no value in; dates are in ISO 8601. {@code _index} is left out if there is no name. Memory: a
 * block of documents, and a document as a string.
 */
public final class NdjsonExporter {
  /** Servers refuse longer ids. */
  public static final int LONGEST_ID_BYTES = 512;

  private static final int BUFFER_BYTES = 1 << 16;
  private static final int REPORT_EVERY = 1 << 10;

  /**
   * The written documents.
   *
   * @param longIds documents whose id has more than {@value #LONGEST_ID_BYTES} bytes of UTF-8
   */
  public record Result(int documents, long longIds) {}

  private final InvertedIndex index;
  private final @Nullable String name;
  private final ProgressListener progress;
  private final int id;

  /**
   * Prepares an export.
   *
   * @param name of the server's index; null to leave it out
   * @param progress gets the number of documents
   * @throws IllegalArgumentException if no field but the id is stored, or not even that
   */
  public NdjsonExporter(InvertedIndex index, @Nullable String name, ProgressListener progress) {
    this.index = index;
    this.name = name;
    this.progress = progress;
    Schema schema = index.schema();
    this.id = schema.find(Schema.ID);
    if (id < 0 || !schema.field(id).stored() || !StoredJson.hasMembers(schema)) {
      throw new IllegalArgumentException(
          "%s stores no texts of documents; build it with --store contents or raw"
              .formatted(index.directory()));
    }
  }

  /**
   * Writes a file, gzipped if its name ends in .gz. It appears when it is complete.
   *
   * @throws FileAlreadyExistsException if it exists and must not be replaced
   */
  public Result export(Path target, boolean overwrite) throws IOException {
    try (StagedOutput output = StagedFile.of(target, overwrite)) {
      output.requireFree();
      output.open();
      Result result;
      boolean isGzipped = target.toString().endsWith(".gz");
      try (OutputStream file =
              new BufferedOutputStream(NamingOutput.create(output.made()), BUFFER_BYTES);
          OutputStream out = isGzipped ? new GZIPOutputStream(file, BUFFER_BYTES) : file;
          Writer lines =
              new BufferedWriter(
                  new OutputStreamWriter(out, StandardCharsets.UTF_8), BUFFER_BYTES)) {
        result = export(lines);
      }
      output.publish();
      return result;
    }
  }

  /** Writes to a stream, which stays open. */
  public Result export(Writer out) throws IOException {
    long longIds = 0;
    try (StoredTexts texts = index.documents();
        JsonGenerator json =
            new JsonFactory()
                .createGenerator(out)
                .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)
                .setRootValueSeparator(null)) {
      StoredJson stored = new StoredJson(index, texts);
      for (int doc = 0; doc < index.documentCount(); doc++) {
        String documentId = texts.text(doc, id);
        longIds += Utf8.encodedLength(documentId) > LONGEST_ID_BYTES ? 1 : 0;
        writeAction(documentId, json);
        stored.write(doc, json);
        json.writeRaw('\n');
        if (doc % REPORT_EVERY == 0) {
          progress.progress(doc, index.documentCount());
        }
      }
    }
    return new Result(index.documentCount(), longIds);
  }

  private void writeAction(String documentId, JsonGenerator json) throws IOException {
    json.writeStartObject();
    json.writeObjectFieldStart("index");
    if (name != null) {
      json.writeStringField("_index", name);
    }
    json.writeStringField("_id", documentId);
    json.writeEndObject();
    json.writeEndObject();
    json.writeRaw('\n');
  }
}
