package io.kmodel.indexer.browse;

import com.fasterxml.jackson.core.JsonGenerator;
import com.google.common.collect.ImmutableMap;
import io.kmodel.indexer.browse.BrowsedIndex.BrowsedField;
import io.kmodel.indexer.browse.BrowsedIndex.FileSizes;
import io.kmodel.indexer.browse.BrowsedIndex.Segment;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The answers to the page's requests, in JSON. Thread-safe. */
final class Answers {
  private final BrowsedIndex index;
  private final boolean hasReport;
  private final ImmutableMap<String, Answer> byPath;
  private final WalkLimit walks = new WalkLimit(2000);

  /** Answers the requests of one path. */
  @FunctionalInterface
  private interface Reader {
    byte[] answer(Parameters parameters) throws IOException, RefusedRequestException;
  }

  private record Answer(Set<String> parameters, Reader reader) {}

  Answers(BrowsedIndex index, boolean hasReport) {
    this.index = index;
    this.hasReport = hasReport;
    Searches searches = new Searches(index);
    Lists lists = new Lists(index);
    Documents documents = new Documents(index);
    Survey survey = new Survey(index);
    Reader terms = parameters -> walks.run(() -> lists.terms(parameters));
    Reader statistics = parameters -> walks.run(() -> survey.statistics(parameters));
    this.byPath =
        ImmutableMap.of(
            "/api/index",
            new Answer(Set.of(), parameters -> JsonAnswer.write(this::index)),
            "/api/search",
            new Answer(Set.of("q", "from", "size"), searches::search),
            "/api/explain",
            new Answer(Set.of("q", "document"), searches::explain),
            "/api/terms",
            new Answer(Set.of("field", "prefix", "from", "size"), terms),
            "/api/postings",
            new Answer(Set.of("field", "term", "hex", "from", "size"), lists::postings),
            "/api/document",
            new Answer(Set.of("document"), documents::document),
            "/api/words",
            new Answer(Set.of("document", "field"), documents::words),
            "/api/statistics",
            new Answer(Set.of("field"), statistics));
  }

  /**
   * Answers a request.
   *
   * @param query the parameters, not decoded
   * @throws IllegalArgumentException if a parameter does not suit the index
   */
  byte[] answer(String path, @Nullable String query) throws IOException, RefusedRequestException {
    Answer answer = byPath.get(path);
    if (answer == null) {
      throw new RefusedRequestException(404, "there is nothing at '%s'".formatted(path));
    }
    return answer.reader().answer(new Parameters(query, answer.parameters()));
  }

  private void index(JsonGenerator out) throws IOException {
    out.writeStringField("path", index.directory().toString());
    out.writeStringField("kind", index.kind());
    out.writeNumberField("documents", index.reader().maxDoc());
    out.writeNumberField("deleted", index.reader().numDeletedDocs());
    out.writeBooleanField("hasReport", hasReport);
    out.writeArrayFieldStart("searched");
    for (String field : index.searched().weights().keySet()) {
      out.writeString(field);
    }
    out.writeEndArray();
    out.writeArrayFieldStart("fields");
    for (BrowsedField field : index.fields()) {
      out.writeStartObject();
      out.writeStringField("name", field.name());
      out.writeStringField("records", field.records());
      out.writeNumberField("terms", field.terms());
      out.writeNumberField("documents", field.documents());
      out.writeNumberField("postings", field.postings());
      out.writeNumberField("tokens", field.tokens());
      out.writeBooleanField("hasLengths", field.hasLengths());
      out.writeBooleanField("isVector", field.isVector());
      out.writeEndObject();
    }
    out.writeEndArray();
    strings("analyzers", index.analyzers(), out);
    strings("options", index.options(), out);
    sizes(index.sizes(), out);
  }

  private static void strings(String name, Map<String, String> members, JsonGenerator out)
      throws IOException {
    out.writeObjectFieldStart(name);
    for (Map.Entry<String, String> member : members.entrySet()) {
      out.writeStringField(member.getKey(), member.getValue());
    }
    out.writeEndObject();
  }

  private static void sizes(FileSizes sizes, JsonGenerator out) throws IOException {
    out.writeNumberField("bitsPerPosting", sizes.bitsPerPosting());
    out.writeNumberField("bitsPerPosition", sizes.bitsPerPosition());
    out.writeNumberField("bytesPerTerm", sizes.bytesPerTerm());
    out.writeObjectFieldStart("files");
    for (Map.Entry<String, Long> file : sizes.files().entrySet()) {
      out.writeNumberField(file.getKey(), file.getValue());
    }
    out.writeEndObject();
    out.writeArrayFieldStart("segments");
    for (Segment segment : sizes.segments()) {
      out.writeStartObject();
      out.writeStringField("name", segment.name());
      out.writeNumberField("documents", segment.documents());
      out.writeNumberField("deleted", segment.deleted());
      out.writeNumberField("bytes", segment.bytes());
      out.writeStringField("codec", segment.codec());
      out.writeEndObject();
    }
    out.writeEndArray();
  }
}
