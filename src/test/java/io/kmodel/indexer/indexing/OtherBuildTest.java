package io.kmodel.indexer.indexing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.analysis.IndexAnalysis;
import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.indexing.options.BuildException;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.options.IndexedText;
import io.kmodel.indexer.indexing.options.Recovery.Start;
import io.kmodel.indexer.indexing.options.Store;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.parse.field.FieldPlan;
import io.kmodel.indexer.parse.html.HtmlMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Another build than the one that was interrupted, which it is not gone on with. */
@Timeout(120)
class OtherBuildTest extends InterruptedBuild {
  @Test
  void anotherConfigurationIsRefusedByName() throws Exception {
    interruptParsing();
    IndexedText other =
        new IndexedText(FieldPlan.DEFAULT, IndexAnalysis.of("english"), Detail.OFFSETS, Store.ID);
    assertThatThrownBy(() -> build(with(other), new BuildProgress(), Start.RESUME))
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("--analyzer english (was standard)")
        .hasMessageContaining("--offsets true (was false)")
        .hasMessageContaining("--store id (was contents)")
        .hasMessageNotContaining(BuildOptions.FIELDS);
    FieldPlan plan = FieldPlan.DEFAULT.combine("all=title,contents");
    IndexedText combined =
        new IndexedText(plan, IndexAnalysis.of("standard"), true, Store.CONTENTS);
    assertThatThrownBy(() -> build(with(combined), new BuildProgress(), Start.RESUME))
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("other options: field.all.parts: is title,contents, was unset; use");
    IndexedText fewer =
        new IndexedText(
            FieldPlan.parse("contents"), IndexAnalysis.of("standard"), true, Store.CONTENTS);
    assertThatThrownBy(() -> build(with(fewer), new BuildProgress(), Start.RESUME))
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("other options: --fields contents (was contents,title); use");
    IndexedText raw =
        new IndexedText(FieldPlan.DEFAULT, IndexAnalysis.of("standard"), true, Store.RAW);
    assertThatThrownBy(() -> build(with(raw), new BuildProgress(), Start.RESUME))
        .hasMessageContaining("other options: --store raw (was contents); use");
    IndexedText replaced =
        new IndexedText(
            FieldPlan.DEFAULT.combine("contents=title,contents"),
            IndexAnalysis.of("standard"),
            true,
            Store.CONTENTS);
    assertThatThrownBy(() -> build(with(replaced), new BuildProgress(), Start.RESUME))
        .hasMessageContaining(
            "other options: field.contents.parts: is title,contents, was unset; use");
    assertThat(sealedSplits()).isPositive();
  }

  private BuildOptions with(IndexedText text) {
    BuildOptions same = options(crawl, output, 2);
    return new BuildOptions(
        same.roots(),
        same.source(),
        same.duplicates(),
        output,
        false,
        HtmlMode.FAST,
        text,
        same.resources());
  }

  @Test
  void otherInputIsRefusedByName() throws Exception {
    interruptParsing();
    Path page = crawl.resolve("part-01/page-000050.html");
    FileTime time = Files.getLastModifiedTime(page);
    Files.setLastModifiedTime(page, FileTime.fromMillis(time.toMillis() - 60_000));
    assertRefused("part-01/page-000050.html was changed on");
    Files.setLastModifiedTime(page, time);

    String text = Files.readString(page);
    Files.writeString(page, text + "more");
    assertRefused("part-01/page-000050.html has %,d bytes, and had".formatted(Files.size(page)));
    Files.writeString(page, text);
    Files.setLastModifiedTime(page, time);

    Path more = Files.writeString(crawl.resolve("part-01/new.html"), "new");
    assertRefused("part-01/new.html is new");
    Files.delete(more);

    Path last = Files.writeString(crawl.resolve("zzz.html"), "new");
    assertRefused("zzz.html is new");
    Files.delete(last);

    Path away = directory.resolve("away");
    Files.move(page, away);
    assertRefused("part-01/page-000050.html is missing");
    Files.move(away, page);
    resume();
    assertThat(output).isDirectory();
  }

  @Test
  void aGivenLinkThatLeadsElsewhereIsOtherInput() throws Exception {
    Path files = crawl;
    Path other = Files.createDirectory(directory.resolve("other"));
    crawl = Files.createSymbolicLink(directory.resolve("link"), files);
    interruptParsing();
    Files.delete(crawl);
    Files.createSymbolicLink(crawl, other);
    assertThatThrownBy(this::resume)
        .isInstanceOf(BuildException.class)
        .hasMessageContaining(
            "the target of path 1: %s (was %s)".formatted(other.toRealPath(), files.toRealPath()));
    assertThat(work()).isDirectory();
    Files.delete(crawl);
    Files.createSymbolicLink(crawl, files);
    assertThat(resume().documents()).isEqualTo(DOCUMENTS);
  }

  private void assertRefused(String why) {
    assertThatThrownBy(this::resume)
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("the input has changed since the interrupted build")
        .hasMessageContaining(why)
        .hasMessageContaining("--restart");
    assertThat(work()).isDirectory();
  }
}
