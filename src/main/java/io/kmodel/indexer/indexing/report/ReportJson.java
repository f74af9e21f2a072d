package io.kmodel.indexer.indexing.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import io.kmodel.indexer.sort.SortReport;
import java.io.IOException;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes a {@link BuildReport} as JSON, in the form that {@link Json#MAPPER} writes and reads. A
 * mapper finds the members by reflection, which takes 30 ms at the end of a build.
 */
final class ReportJson {
  /** Shared; must not be reconfigured. */
  static final JsonFactory FACTORY = new JsonFactory();

  private final JsonGenerator out;

  private ReportJson(JsonGenerator out) {
    this.out = out;
  }

  /** Indented, for people. */
  static String of(BuildReport report) throws IOException {
    StringWriter json = new StringWriter();
    try (JsonGenerator out = FACTORY.createGenerator(json)) {
      out.setPrettyPrinter(new DefaultPrettyPrinter());
      write(report, out);
    }
    return json.toString();
  }

  /** Writes it as the next value. */
  static void write(BuildReport report, JsonGenerator out) throws IOException {
    new ReportJson(out).report(report);
  }

  private void report(BuildReport report) throws IOException {
    out.writeStartObject();
    out.writeStringField("output", report.output());
    strings("options", report.options());
    out.writeNumberField("seconds", report.seconds());
    out.writeNumberField("documents", report.documents());
    out.writeNumberField("tokens", report.tokens());
    out.writeNumberField("distinctTerms", report.distinctTerms());
    out.writeNumberField("postings", report.postings());
    out.writeNumberField("runs", report.runs());
    out.writeNumberField("sourceBytes", report.sourceBytes());
    sources(report.sources());
    out.writeNumberField("indexBytes", report.indexBytes());
    out.writeNumberField("peakMemoryBytes", report.peakMemoryBytes());
    html(report.html());
    json(report.json());
    sorting(report.sorting());
    out.writeNumberField("sharedIds", report.sharedIds());
    out.writeNumberField("skippedDocuments", report.skippedDocuments());
    numbers("skipped", report.skipped());
    out.writeNumberField("keptInPart", report.keptInPart());
    numbers("noted", report.noted());
    numbers("passedOver", report.passedOver());
    numbers("unusedMembers", report.unusedMembers());
    strings("emptyColumns", report.emptyColumns());
    examples(report.examples());
    out.writeObjectFieldStart("oneCore");
    out.writeNumberField("fromSeconds", report.oneCore().fromSeconds());
    out.writeNumberField("toSeconds", report.oneCore().toSeconds());
    out.writeEndObject();
    phases(report.phases());
    work(report.work());
    content(report);
    execution(report.execution());
    origin(report.origin());
    out.writeEndObject();
  }

  private void sources(Map<String, BuildReport.Source> sources) throws IOException {
    out.writeObjectFieldStart("sources");
    for (Map.Entry<String, BuildReport.Source> source : sources.entrySet()) {
      out.writeObjectFieldStart(source.getKey());
      out.writeNumberField("documents", source.getValue().documents());
      out.writeNumberField("bytes", source.getValue().bytes());
      out.writeEndObject();
    }
    out.writeEndObject();
  }

  private void html(BuildReport.Html html) throws IOException {
    out.writeObjectFieldStart("html");
    out.writeNumberField("fast", html.fast());
    out.writeNumberField("jsoup", html.jsoup());
    numbers("unsure", html.unsure());
    out.writeEndObject();
  }

  private void json(BuildReport.JsonObjects json) throws IOException {
    out.writeObjectFieldStart("json");
    out.writeNumberField("fast", json.fast());
    out.writeNumberField("jackson", json.jackson());
    numbers("unsure", json.unsure());
    out.writeEndObject();
  }

  private void sorting(BuildReport.Sorting sorting) throws IOException {
    out.writeObjectFieldStart("sorting");
    out.writeStringField("device", sorting.device());
    out.writeStringField("pipeline", sorting.pipeline());
    out.writeNumberField("threadSeconds", sorting.threadSeconds());
    SortReport stage = sorting.stage();
    out.writeObjectFieldStart("stage");
    out.writeArrayFieldStart("devices");
    for (SortReport.Device device : stage.devices()) {
      out.writeStartObject();
      out.writeStringField("name", device.name());
      out.writeNumberField("runs", device.runs());
      out.writeNumberField("keys", device.keys());
      out.writeNumberField("uploadSeconds", device.uploadSeconds());
      out.writeNumberField("sortSeconds", device.sortSeconds());
      out.writeNumberField("downloadSeconds", device.downloadSeconds());
      out.writeEndObject();
    }
    out.writeEndArray();
    out.writeNumberField("cpuRuns", stage.cpuRuns());
    numbers("cpuReasons", stage.cpuReasons());
    out.writeNumberField("checkSeconds", stage.checkSeconds());
    out.writeEndObject();
    out.writeEndObject();
  }

  private void examples(Map<String, List<String>> byReason) throws IOException {
    out.writeObjectFieldStart("examples");
    for (Map.Entry<String, List<String>> examples : byReason.entrySet()) {
      strings(examples.getKey(), examples.getValue());
    }
    out.writeEndObject();
  }

  private void phases(List<BuildReport.Phase> phases) throws IOException {
    out.writeArrayFieldStart("phases");
    for (BuildReport.Phase phase : phases) {
      out.writeStartObject();
      out.writeStringField("name", phase.name());
      out.writeNumberField("seconds", phase.seconds());
      out.writeEndObject();
    }
    out.writeEndArray();
  }

  private void work(List<BuildReport.WorkDone> work) throws IOException {
    out.writeArrayFieldStart("work");
    for (BuildReport.WorkDone done : work) {
      out.writeStartObject();
      out.writeStringField("name", done.name());
      out.writeNumberField("threadSeconds", done.threadSeconds());
      out.writeNumberField("bytes", done.bytes());
      out.writeEndObject();
    }
    out.writeEndArray();
  }

  private void content(BuildReport report) throws IOException {
    out.writeArrayFieldStart("fields");
    for (BuildReport.FieldFigures field : report.fields()) {
      out.writeStartObject();
      out.writeStringField("name", field.name());
      out.writeNumberField("terms", field.terms());
      out.writeNumberField("documents", field.documents());
      out.writeNumberField("postings", field.postings());
      out.writeNumberField("tokens", field.tokens());
      out.writeEndObject();
    }
    out.writeEndArray();
    out.writeArrayFieldStart("topTerms");
    for (BuildReport.TopTerm term : report.topTerms()) {
      out.writeStartObject();
      out.writeStringField("field", term.field());
      out.writeStringField("term", term.term());
      out.writeNumberField("documents", term.documents());
      out.writeNumberField("occurrences", term.occurrences());
      out.writeEndObject();
    }
    out.writeEndArray();
    out.writeArrayFieldStart("files");
    for (BuildReport.FileSize file : report.files()) {
      out.writeStartObject();
      out.writeStringField("name", file.name());
      out.writeNumberField("bytes", file.bytes());
      out.writeEndObject();
    }
    out.writeEndArray();
  }

  private void execution(@Nullable Execution execution) throws IOException {
    if (execution == null) {
      out.writeNullField("execution");
      return;
    }
    out.writeObjectFieldStart("execution");
    out.writeStringField("version", execution.version());
    out.writeStringField("started", execution.started());
    out.writeStringField("host", execution.host());
    out.writeStringField("java", execution.java());
    strings("command", execution.command());
    out.writeNumberField("cores", execution.cores());
    out.writeNumberField("threads", execution.threads());
    out.writeNumberField("memoryBytes", execution.memoryBytes());
    out.writeNumberField("cpuSeconds", execution.cpuSeconds());
    out.writeNumberField("readDocuments", execution.readDocuments());
    out.writeNumberField("readBytes", execution.readBytes());
    Execution.Remote remote = execution.remote();
    if (remote == null) {
      out.writeNullField("remote");
    } else {
      out.writeObjectFieldStart("remote");
      out.writeNumberField("requests", remote.requests());
      out.writeNumberField("retries", remote.retries());
      out.writeNumberField("bytes", remote.bytes());
      out.writeEndObject();
    }
    out.writeEndObject();
  }

  private void origin(BuildReport.@Nullable Origin origin) throws IOException {
    if (origin == null) {
      out.writeNullField("origin");
      return;
    }
    out.writeObjectFieldStart("origin");
    strings("options", origin.options());
    out.writeObjectFieldStart("input");
    out.writeNumberField("files", origin.input().files());
    out.writeNumberField("bytes", origin.input().bytes());
    out.writeNumberField("newest", origin.input().newest());
    out.writeStringField("digest", origin.input().digest());
    out.writeEndObject();
    out.writeEndObject();
  }

  private void strings(String name, List<String> values) throws IOException {
    out.writeArrayFieldStart(name);
    for (String value : values) {
      out.writeString(value);
    }
    out.writeEndArray();
  }

  private void strings(String name, Map<String, String> members) throws IOException {
    out.writeObjectFieldStart(name);
    for (Map.Entry<String, String> member : members.entrySet()) {
      out.writeStringField(member.getKey(), member.getValue());
    }
    out.writeEndObject();
  }

  private void numbers(String name, Map<String, Long> members) throws IOException {
    out.writeObjectFieldStart(name);
    for (Map.Entry<String, Long> member : members.entrySet()) {
      out.writeNumberField(member.getKey(), member.getValue());
    }
    out.writeEndObject();
  }
}
