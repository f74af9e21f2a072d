package io.kmodel.indexer.indexing.options;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Maps;
import io.kmodel.indexer.parse.field.MetadataPlan;
import io.kmodel.indexer.parse.html.HtmlMode;
import io.kmodel.indexer.source.Docno;
import io.kmodel.indexer.source.Format;
import io.kmodel.indexer.source.JsonMembers;
import io.kmodel.indexer.source.SourceOptions;
import io.kmodel.indexer.source.TsvQuotes;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which options make a build another. */
class BuildOptionsTest {
  private static final SourceOptions SOURCE =
      new SourceOptions(Format.JSONL, Docno.URI, JsonMembers.USUAL, 1000, 100, 50);
  private static final BuildOptions OPTIONS = of(Path.of("output"), false, 2, "one", "two");

  @Test
  void howACrawlIsReadMakesABuildAnother() {
    JsonMembers members = JsonMembers.parse(List.of("id=doi"));
    Map<String, SourceOptions> changed =
        Map.of(
            "format",
            new SourceOptions(Format.JSON, Docno.URI, JsonMembers.USUAL, 1000, 100, 50),
            "docno",
            new SourceOptions(Format.JSONL, Docno.PATH, JsonMembers.USUAL, 1000, 100, 50),
            "json-members",
            new SourceOptions(Format.JSONL, Docno.URI, members, 1000, 100, 50),
            "max-document",
            new SourceOptions(Format.JSONL, Docno.URI, JsonMembers.USUAL, 1001, 100, 50),
            "max-expansion",
            new SourceOptions(Format.JSONL, Docno.URI, JsonMembers.USUAL, 1000, 101, 50),
            "max-nesting",
            new SourceOptions(Format.JSONL, Docno.URI, JsonMembers.USUAL, 1000, 100, 51),
            "tsv-quotes",
            new SourceOptions(Format.JSONL, Docno.URI, JsonMembers.USUAL, 1000, 100, 50)
                .withQuotes(TsvQuotes.YES));
    changed.forEach(
        (option, source) -> assertDiffers(OPTIONS.withSource(source, Duplicates.KEEP), option));
    assertDiffers(OPTIONS.withSource(SOURCE, Duplicates.SKIP), "duplicates");
  }

  @Test
  void metadataMakesABuildAnother() {
    MetadataPlan plan = MetadataPlan.parse(List.of("date"), List.of("year=published:int"));
    BuildOptions described =
        new BuildOptions(
            OPTIONS.roots(),
            OPTIONS.source(),
            OPTIONS.duplicates(),
            OPTIONS.output(),
            OPTIONS.overwrite(),
            OPTIONS.html(),
            OPTIONS.text().withMetadata(plan),
            OPTIONS.resources());
    assertDiffers(described, BuildOptions.FIELDS, "metadata", "metadata-from");
    assertThat(described.withSource(SOURCE, Duplicates.KEEP).source().metadata())
        .isEqualTo(plan.request());
  }

  @Test
  void pathsInTheirOrderMakeABuildAnotherAndWhereAndWithWhatItIsMadeDoesNot() {
    assertDiffers(of(Path.of("output"), false, 2, "one", "three"), "path 2");
    assertDiffers(of(Path.of("output"), false, 2, "two", "one"), "path 1", "path 2");
    assertDiffers(of(Path.of("output"), false, 2, "one"), "path 2");
    assertDiffers(of(Path.of("other"), true, 3, "one", "two"));
  }

  private static void assertDiffers(BuildOptions options, String... names) {
    Map<String, String> before = OPTIONS.identity();
    Map<String, String> now = options.identity();
    Map<String, String> all = Maps.newTreeMap();
    all.putAll(before);
    all.putAll(now);
    all.keySet().removeIf(name -> String.valueOf(before.get(name)).equals(now.get(name)));
    assertThat(all).containsOnlyKeys(names);
  }

  private static BuildOptions of(Path output, boolean overwrite, int threads, String... paths) {
    return new BuildOptions(
            ImmutableList.copyOf(List.of(paths).stream().map(Path::of).toList()),
            output,
            overwrite,
            HtmlMode.FAST,
            "standard",
            true,
            Store.ID,
            new BuildOptions.Resources(threads, 1L << 30))
        .withSource(SOURCE, Duplicates.KEEP);
  }
}
