package io.kmodel.indexer.export.opensearch;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.smile.SmileFactory;
import com.google.common.primitives.Longs;
import io.kmodel.indexer.store.disk.Directories;
import io.kmodel.indexer.store.disk.NamingOutput;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.NIOFSDirectory;
import org.apache.lucene.store.OutputStreamIndexOutput;

/**
 * Makes a repository of type {@code fs} with one snapshot of one index with one shard:
 *
 * <pre>
 * index-0                            the snapshots and indexes, in JSON
 * index.latest                       the number of the file above, 8 bytes, big-endian
 * meta-SNAPSHOT.dat                  the state of the cluster, which is empty
 * snap-SNAPSHOT.dat                  the snapshot
 * indices/INDEX/meta-DEFINITION.dat  settings and mappings
 * indices/INDEX/0/index-GENERATION   the shard's files by snapshot
 * indices/INDEX/0/snap-SNAPSHOT.dat  the files of the snapshot
 * indices/INDEX/0/__FILE             a file of the shard's Lucene index
 * </pre>
 *
 * Names in capitals are random, 22 characters of base64. The files from the third to the last but
 * one are SMILE (binary JSON) between Lucene's header and footer.
 */
final class SnapshotRepository {
  /** The name of the snapshot. */
  private static final String SNAPSHOT = "indexer";

  /** OpenSearch 3.9.0 as a number and as a name, and its Lucene. */
  private static final int VERSION_ID = 137307827;

  private static final String VERSION = "3.9.0";
  private static final String LUCENE = "10.5.1";

  private static final int FORMAT = 1;
  private static final int BUFFER_BYTES = 1 << 12;
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final ObjectMapper SMILE = new ObjectMapper(new SmileFactory());

  private final Path root;
  private final String name;
  private final long now = System.currentTimeMillis();
  private final String snapshot = id();
  private final String index = id();
  private final Path shard;

  /** A file of the shard. */
  private record Blob(String name, String file, long bytes, long checksum) {
    /** The size of a part is such that no file has two. */
    String json() {
      return """
          {"name": "%s", "physical_name": "%s", "length": %d, "checksum": "%s",
            "part_size": %d, "written_by": "%s"}"""
          .formatted(
              name,
              file,
              bytes,
              Long.toString(checksum, Character.MAX_RADIX),
              Long.MAX_VALUE,
              LUCENE);
    }
  }

  /**
   * Creates the directories of a repository.
   *
   * @param root an empty directory, or one that does not exist
   * @param name of the index, without characters that JSON escapes
   */
  SnapshotRepository(Path root, String name) throws IOException {
    this.root = root;
    this.name = name;
    this.shard = root.resolve("indices").resolve(index).resolve("0");
    Files.createDirectories(shard);
  }

  /** A new id, as OpenSearch makes them. */
  static String id() {
    byte[] bytes = new byte[16];
    RANDOM.nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /** The directory for the Lucene index of the shard. */
  Path shard() {
    return shard;
  }

  /** Gives the shard's files their names, writes all other files, and forces them to disk. */
  void finish(IndexDefinition definition) throws IOException {
    String generation = id();
    writeShard(takeFiles(), generation);
    String uuid = id();
    String definitionId = id();
    writeDefinition(definition, uuid, definitionId);
    writeSnapshot();
    Files.writeString(
        root.resolve("index-0"),
        """
        {"snapshots": [{"name": "%1$s", "uuid": "%2$s", "state": 1, "version": "%3$s",
            "index_metadata_lookup": {"%4$s": "%5$s-_na_-1-1-1"}}],
          "indices": {"%6$s": {"id": "%4$s", "snapshots": ["%2$s"], "shard_generations": ["%7$s"]}},
          "index_metadata_identifiers": {"%5$s-_na_-1-1-1": "%8$s"}}
        """
            .formatted(SNAPSHOT, snapshot, VERSION, index, uuid, name, generation, definitionId));
    Files.write(root.resolve("index.latest"), Longs.toByteArray(0));
    force();
  }

  private List<Blob> takeFiles() throws IOException {
    List<Blob> blobs = new ArrayList<>();
    Files.deleteIfExists(shard.resolve(IndexWriter.WRITE_LOCK_NAME));
    try (Directory directory = new NIOFSDirectory(shard)) {
      for (String file : directory.listAll()) {
        String blob = "__" + id();
        try (IndexInput in = directory.openInput(file, IOContext.READONCE)) {
          blobs.add(new Blob(blob, file, in.length(), CodecUtil.retrieveChecksum(in)));
        }
        directory.rename(file, blob);
      }
    }
    return blobs;
  }

  private void writeShard(List<Blob> blobs, String generation) throws IOException {
    String files = blobs.stream().map(Blob::json).collect(Collectors.joining(", "));
    String names = blobs.stream().map(Blob::name).collect(Collectors.joining("\", \""));
    write(
        shard.resolve("index-" + generation),
        "snapshots",
        """
        {"files": [%s], "snapshots": {"%s": {"files": ["%s"]}}}
        """
            .formatted(files, SNAPSHOT, names));
    write(
        shard.resolve("snap-" + snapshot + ".dat"),
        "snapshot",
        """
        {"name": "%s", "index_version": 1, "start_time": %d, "time": 0, "number_of_files": %d,
          "total_size": %d, "files": [%s]}
        """
            .formatted(
                SNAPSHOT, now, blobs.size(), blobs.stream().mapToLong(Blob::bytes).sum(), files));
  }

  private void writeDefinition(IndexDefinition definition, String uuid, String id)
      throws IOException {
    write(
        root.resolve("indices").resolve(index).resolve("meta-" + id + ".dat"),
        "index-metadata",
        """
        {"%1$s": {"version": 1, "mapping_version": 1, "settings_version": 1,
          "aliases_version": 1, "routing_num_shards": 1024, "state": "open",
          "settings": {"index.creation_date": "%2$d", "index.number_of_shards": "1",
            "index.provided_name": "%1$s", "index.uuid": "%3$s",
            "index.version.created": "%4$d", "index": %5$s},
          "mappings": [{"_doc": %6$s}], "aliases": {}, "primary_terms": [1],
          "in_sync_allocations": {"0": []}}}
        """
            .formatted(name, now, uuid, VERSION_ID, definition.settings(), definition.mappings()));
  }

  private void writeSnapshot() throws IOException {
    write(
        root.resolve("meta-" + snapshot + ".dat"),
        "metadata",
        """
        {"meta-data": {"version": 0, "templates": {}}}
        """);
    write(
        root.resolve("snap-" + snapshot + ".dat"),
        "snapshot",
        """
        {"snapshot": {"name": "%s", "uuid": "%s", "version_id": %d, "indices": ["%s"],
          "state": "SUCCESS", "include_global_state": false, "start_time": %d, "end_time": %5$d,
          "total_shards": 1, "successful_shards": 1, "failures": []}}
        """
            .formatted(SNAPSHOT, snapshot, VERSION_ID, name, now));
  }

  private static void write(Path file, String codec, String json) throws IOException {
    byte[] smile = SMILE.writeValueAsBytes(JSON.readTree(json));
    try (OutputStream stream = NamingOutput.create(file);
        IndexOutput out =
            new OutputStreamIndexOutput(file.toString(), codec, stream, BUFFER_BYTES)) {
      CodecUtil.writeHeader(out, codec, FORMAT);
      out.writeBytes(smile, smile.length);
      CodecUtil.writeFooter(out);
    }
  }

  private void force() throws IOException {
    List<Path> all;
    try (Stream<Path> tree = Files.walk(root)) {
      all = tree.toList();
    }
    for (Path path : all) {
      if (Files.isRegularFile(path)) {
        Directories.forceContent(path);
      } else {
        Directories.force(path.resolve("any"));
      }
    }
  }
}
