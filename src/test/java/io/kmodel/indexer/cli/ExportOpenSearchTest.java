package io.kmodel.indexer.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.smile.SmileFactory;
import io.kmodel.indexer.cli.base.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.NIOFSDirectory;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;

/** A repository lists what it holds, and nothing is exported that OpenSearch could not hold. */
class ExportOpenSearchTest extends CommandCalls {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final ObjectMapper SMILE = new ObjectMapper(new SmileFactory());

  private int export(String index, String target, String... options) {
    List<String> call =
        new ArrayList<>(
            List.of("export", "opensearch", index, directory.resolve(target).toString()));
    call.addAll(List.of(options));
    return run(call.toArray(String[]::new));
  }

  private String build(String name, String lines, String... options) throws IOException {
    Path crawl = Files.createDirectory(directory.resolve(name + "-crawl"));
    Files.writeString(crawl.resolve("a.jsonl"), lines);
    String index = directory.resolve(name).toString();
    List<String> call =
        new ArrayList<>(List.of("build", crawl.toString(), "-o", index, "--threads", "1", "-q"));
    call.addAll(List.of(options));
    assertThat(run(call.toArray(String[]::new))).as(err.toString()).isZero();
    return index;
  }

  private static JsonNode read(Path file, String codec) throws IOException {
    try (Directory lucene = new NIOFSDirectory(file.getParent());
        IndexInput in = lucene.openInput(file.getFileName().toString(), IOContext.READONCE)) {
      CodecUtil.checksumEntireFile(in);
      in.seek(0);
      CodecUtil.checkHeader(in, codec, 1, 1);
      byte[] content =
          new byte[(int) (in.length() - CodecUtil.footerLength() - in.getFilePointer())];
      in.readBytes(content, 0, content.length);
      return SMILE.readTree(content);
    }
  }

  private Path only(Path parent, String start) throws IOException {
    try (Stream<Path> files = Files.list(parent)) {
      return files
          .filter(file -> file.getFileName().toString().startsWith(start))
          .reduce(
              (one, other) -> {
                throw new AssertionError(one + " and " + other);
              })
          .orElseThrow();
    }
  }

  private JsonNode definition(String target) throws IOException {
    JsonNode contents = JSON.readTree(directory.resolve(target).resolve("index-0").toFile());
    String id = contents.at("/indices/documents/id").asText();
    Path files = directory.resolve(target).resolve("indices").resolve(id);
    return read(only(files, "meta-"), "index-metadata").get("documents");
  }

  @Test
  void aRepositoryListsItsFiles() throws IOException {
    assertThat(export(index(), "to", "--name", "pages")).as(err.toString()).isZero();
    assertThat(out.toString())
        .contains("to: a snapshot repository of OpenSearch with 3 documents in 1 segment, ");
    Path root = directory.resolve("to");
    assertThat(root.resolve("index.latest")).hasBinaryContent(new byte[8]);
    JsonNode contents = JSON.readTree(root.resolve("index-0").toFile());
    String snapshot = contents.at("/snapshots/0/uuid").asText();
    assertThat(contents.at("/indices/pages/snapshots/0").asText()).isEqualTo(snapshot);
    assertThat(read(root.resolve("meta-" + snapshot + ".dat"), "metadata").has("meta-data"))
        .isTrue();
    assertThat(
            read(root.resolve("snap-" + snapshot + ".dat"), "snapshot")
                .at("/snapshot/indices/0")
                .asText())
        .isEqualTo("pages");
    Path index = root.resolve("indices").resolve(contents.at("/indices/pages/id").asText());
    String definition =
        contents
            .get("index_metadata_identifiers")
            .properties()
            .iterator()
            .next()
            .getValue()
            .asText();
    assertThat(index.resolve("meta-" + definition + ".dat")).exists();
    Path shard = index.resolve("0");
    String generation = contents.at("/indices/pages/shard_generations/0").asText();
    JsonNode all = read(shard.resolve("index-" + generation), "snapshots");
    JsonNode one = read(shard.resolve("snap-" + snapshot + ".dat"), "snapshot");
    assertThat(one.get("files")).isEqualTo(all.get("files"));
    assertThat(one.get("number_of_files").intValue()).isEqualTo(one.get("files").size());
    assertThat(all.at("/snapshots/indexer/files")).hasSize(one.get("files").size());
    try (Stream<Path> files = Files.list(shard)) {
      assertThat(files).hasSize(one.get("files").size() + 2);
    }
    assertIsShard(shard, one.get("files"));
  }

  /** Under their own names, the files are an index with the fields of OpenSearch. */
  private void assertIsShard(Path shard, JsonNode files) throws IOException {
    Path lucene = Files.createDirectory(directory.resolve("lucene"));
    for (JsonNode file : files) {
      Path copy = lucene.resolve(file.get("physical_name").asText());
      Files.copy(shard.resolve(file.get("name").asText()), copy);
      assertThat(Files.size(copy)).isEqualTo(file.get("length").longValue());
      try (Directory parent = new NIOFSDirectory(lucene);
          IndexInput in = parent.openInput(copy.getFileName().toString(), IOContext.READONCE)) {
        assertThat(Long.parseLong(file.get("checksum").asText(), 36))
            .isEqualTo(CodecUtil.checksumEntireFile(in));
      }
    }
    try (Directory opened = new NIOFSDirectory(lucene);
        DirectoryReader reader = DirectoryReader.open(opened)) {
      SegmentInfos commit = SegmentInfos.readLatestCommit(opened);
      assertThat(commit.getCommitLuceneVersion()).hasToString("10.5.1");
      assertThat(commit.getUserData())
          .containsEntry("max_seq_no", "2")
          .containsEntry("local_checkpoint", "2")
          .containsEntry("min_retained_seq_no", "3")
          .containsKeys("history_uuid", "translog_uuid");
      LeafReader leaf = reader.leaves().getFirst().reader();
      assertThat(leaf.getFieldInfos().fieldInfo("id")).isNull();
      assertThat(leaf.docFreq(new Term("contents", "river"))).isEqualTo(3);
      assertThat(leaf.getPointValues("_seq_no").size()).isEqualTo(3);
      NumericDocValues sequence = leaf.getNumericDocValues("_seq_no");
      List<String> ids = List.of("first", "second", "third");
      for (int docId = 0; docId < ids.size(); docId++) {
        assertThat(sequence.nextDoc()).isEqualTo(docId);
        assertThat(sequence.longValue()).isEqualTo(docId);
        // A byte that says so is before an id in UTF-8.
        BytesRef id = new BytesRef(("x" + ids.get(docId)).getBytes(UTF_8));
        id.bytes[0] = (byte) 0xff;
        assertThat(leaf.postings(new Term("_id", id)).nextDoc()).isEqualTo(docId);
        assertThat(leaf.storedFields().document(docId).getBinaryValue("_id")).isEqualTo(id);
      }
      assertThat(leaf.storedFields().document(0).getBinaryValue("_source").utf8ToString())
          .isEqualTo("{\"contents\":\"river river stone\",\"title\":\"A river\"}");
    }
  }

  @Test
  void fieldsAreMappedToWhatTheIndexHolds() throws IOException {
    String index =
        build(
            "fields",
            "{\"id\":\"1\",\"title\":\"t\",\"contents\":\"c\",\"url\":\"u\"}\n",
            "--fields",
            "title,contents,url",
            "--field-analyzer",
            "title=german",
            "--offsets",
            "--store",
            "raw");
    assertThat(export(index, "to")).as(err.toString()).isZero();
    JsonNode mapping = definition("to").at("/mappings/0/_doc");
    Map<String, String> fields = new HashMap<>();
    mapping
        .get("properties")
        .properties()
        .forEach(
            field ->
                fields.put(
                    field.getKey(),
                    field.getValue().path("index").asText()
                        + " "
                        + field.getValue().path("index_options").asText("")
                        + " "
                        + field.getValue().path("analyzer").asText("")));
    assertThat(fields)
        .isEqualTo(
            Map.of(
                "title", "true offsets german",
                "contents", "true offsets standard",
                "url", "true offsets standard",
                "raw", "false  "));
    assertThat(mapping.at("/_source/enabled").booleanValue()).isTrue();
    assertThat(definition("to").at("/settings/index/number_of_replicas").asText()).isEqualTo("1");
  }

  @Test
  void aMappingThatDoesNotFitIsRefused() throws IOException {
    assertRefused(
        "{'mappings':{'properties':{'title':{'type':'keyword'}}}}",
        "properties.title.type must be \"text\", as in the index; got \"keyword\"");
    assertRefused(
        "{'mappings':{'properties':{'title':{'norms':false}}}}", "title.norms must be true");
    assertRefused("{'mappings':{'_source':{'enabled':false}}}", "_source.enabled must be true");
    assertRefused("{'mappings':{'properties':[]}}", "mappings.properties must be");
    assertRefused("{'mappings':[]}", "mappings must be an object");
    assertRefused(
        "{'settings':{'index':{'number_of_shards':2}}}", "unknown setting 'number_of_shards'");
    assertRefused("{'settings':{'refresh_interval':'1s'}}", "unknown setting 'refresh_interval'");
    assertRefused(
        "{'settings':{'index':{'analysis':{}},'sort':1}}", "unknown setting 'sort'; only analysis");
    assertRefused("{'settings':{'index':1}}", "settings.index must be an object");
    assertRefused("{'aliases':{}}", "'aliases' is unknown here");
    assertRefused("[]", "mapping.json must hold an object");
    assertRefused("{'mappings':", "mapping.json: ");
  }

  private void assertRefused(String mapping, String message) throws IOException {
    Path file = Files.writeString(directory.resolve("mapping.json"), mapping.replace('\'', '"'));
    assertThat(export(index(), "to", "--mapping", file.toString())).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains(message);
    assertThat(directory.resolve("to")).doesNotExist();
  }

  @Test
  void anAnalyzerThatOpenSearchLacksNeedsAMapping() throws IOException {
    String index = build("tamil", "{\"id\":\"1\",\"contents\":\"c\"}\n", "--language", "ta");
    assertThat(export(index, "to")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .contains("field 'contents': OpenSearch has no analyzer 'tamil'; give one with --mapping");
    Path mapping =
        Files.writeString(
            directory.resolve("mapping.json"),
            """
            {"settings": {"index": {"number_of_replicas": 2,
                "analysis": {"analyzer": {"mine": {"type": "standard"}}}}},
              "mappings": {"properties": {
                "title": {"analyzer": "mine"}, "contents": {"analyzer": "mine"}}}}
            """);
    assertThat(export(index, "to", "--mapping", mapping.toString())).as(err.toString()).isZero();
    JsonNode definition = definition("to");
    assertThat(definition.at("/settings/index/analysis/analyzer/mine/type").asText())
        .isEqualTo("standard");
    assertThat(definition.at("/settings/index/number_of_replicas").intValue()).isEqualTo(2);
    assertThat(definition.at("/mappings/0/_doc/properties/contents/analyzer").asText())
        .isEqualTo("mine");
  }

  @Test
  void idsMustBeDistinctAndNotTooLong() throws IOException {
    String line = "{\"id\":\"%s\",\"contents\":\"c\"}\n";
    String twice = build("twice", line.formatted("one").repeat(2));
    assertThat(export(twice, "to")).isNotZero();
    assertThat(err.toString()).contains("2 documents have the id 'one'", "--duplicates");
    String most = build("most", line.formatted("é".repeat(256)));
    assertThat(export(most, "most-to")).as(err.toString()).isZero();
    String longest = build("long", line.formatted("é".repeat(256) + "x"));
    assertThat(export(longest, "to")).isNotZero();
    assertThat(err.toString()).contains("ids of 1 to 512 bytes");
    String none = build("none", line.formatted("one"), "--store", "none");
    assertThat(export(none, "to")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("stores no ids");
    assertThat(directory.resolve("to")).doesNotExist();
  }

  @Test
  void sparseVectorsAreRefused() throws IOException {
    String index = build("vectors", "{\"id\":\"1\",\"vector\":{\"a\":1}}\n", "--format", "vectors");
    assertThat(export(index, "to")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("holds sparse vectors");
  }

  @Test
  void aNameThatOpenSearchForbidsIsRefused() throws IOException {
    String index = index();
    for (String name :
        List.of("", "Pages", "_p", "-p", "+p", ".", "..", "a b", "a/b", "a\"b", "a:b", "a#b")) {
      assertThat(export(index, "to", "--name", name)).as(name).isEqualTo(ExitCode.USAGE);
      assertThat(err.toString()).contains("'%s' cannot be the name of an index".formatted(name));
    }
  }

  @Test
  void onlyAnUntouchedExportIsReplaced() throws IOException {
    assertThat(export(index(), "to")).isZero();
    assertThat(export(index(), "to")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .contains("must be absent or empty", "--overwrite replaces an export");
    assertThat(export(index(), "to", "--overwrite", "--name", "again")).as(err.toString()).isZero();
    Path root = directory.resolve("to");
    assertThat(Files.readString(root.resolve("index-0"), UTF_8)).contains("\"again\"");
    Files.writeString(root.resolve("index-1"), "another snapshot");
    assertThat(export(index(), "to", "--overwrite")).isEqualTo(ExitCode.USAGE);
    assertThat(root.resolve("index-1")).exists();
  }
}
