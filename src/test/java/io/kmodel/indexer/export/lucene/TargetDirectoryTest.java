package io.kmodel.indexer.export.lucene;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.kmodel.indexer.equality.SampleDocuments;
import io.kmodel.indexer.faults.Faults;
import io.kmodel.indexer.faults.FaultyFileSystem;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.model.ProgressListener;
import io.kmodel.indexer.store.disk.Directories;
import io.kmodel.indexer.store.disk.StagedOutput;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where an index is exported to: what may be there, and what becomes of it. */
class TargetDirectoryTest extends IndexToExport {
  @Test
  void anEmptyDirectoryIsTakenAndAnyOtherTargetRefused() throws IOException {
    try (InvertedIndex index = index(SampleDocuments.awkward())) {
      Path empty = Files.createDirectory(directory.resolve("empty"));
      LuceneExporter.export(index, empty, ExportOptions.DEFAULT);
      List<Path> before = list(empty);
      assertThat(before).isNotEmpty();
      assertThatThrownBy(() -> LuceneExporter.export(index, empty, ExportOptions.DEFAULT))
          .isInstanceOf(FileAlreadyExistsException.class)
          .hasMessageContaining("the target of an export must be absent or empty; it holds ");
      assertThat(list(empty)).isEqualTo(before);
      Path file = Files.writeString(directory.resolve("file"), "mine");
      assertThatThrownBy(() -> LuceneExporter.export(index, file, ExportOptions.DEFAULT))
          .isInstanceOf(FileAlreadyExistsException.class);
      assertThat(file).hasContent("mine");
      assertThat(leftovers()).isEmpty();
    }
  }

  @Test
  void anEmptyDirectoryThatCannotBeMovedIsRefusedBeforeAnythingIsWritten() throws IOException {
    Faults faults = new Faults();
    Path empty = Files.createDirectory(directory.resolve("empty"));
    Path target = new FaultyFileSystem(faults).through(empty);
    try (InvertedIndex index = index(SampleDocuments.awkward())) {
      faults.fail(Faults.Kind.RENAME, 1);
      assertThatThrownBy(() -> LuceneExporter.export(index, target, ExportOptions.DEFAULT))
          .isInstanceOf(FileSystemException.class)
          .hasMessage(empty + ": is a mount point, or cannot be moved; name a directory inside it");
      assertThat(empty).isEmptyDirectory();
      assertThat(leftovers()).isEmpty();
    }
  }

  /** An index in a link's place would be where nobody expects it, and the link gone. */
  @Test
  void aLinkIsRefusedWhereverItLeads() throws IOException {
    Path empty = Files.createDirectory(directory.resolve("empty"));
    for (Path place : List.of(empty, directory.resolve("nowhere"))) {
      Path link = Files.createSymbolicLink(directory.resolve("to-" + place.getFileName()), place);
      assertThatThrownBy(() -> TargetDirectory.absentOrEmpty(link).requireFree())
          .isInstanceOf(FileAlreadyExistsException.class)
          .hasMessageEndingWith("the target of an export must be absent or an empty directory");
    }
    TargetDirectory.absentOrEmpty(empty).requireFree();
  }

  @Test
  void anIndexIsMadeBesideItsPlaceHoweverThatIsNamed() throws IOException {
    for (String name : List.of("index", "index/.", "other/../index")) {
      assertThat(TargetDirectory.absentOrEmpty(directory.resolve(name)).made())
          .isEqualTo(directory.resolve("index.exporting/made"));
    }
    Path root = directory.getRoot();
    assertThatThrownBy(() -> TargetDirectory.replacing(root, path -> true).work())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("nothing can be made in the place of " + root);
  }

  @Test
  void dotsInAPathLeadAnExportWhereTheyLeadTheSystem() throws IOException {
    Path deep = Files.createDirectories(directory.resolve("other/deep"));
    Path link = Files.createSymbolicLink(directory.resolve("link"), deep);
    try (InvertedIndex index = index(SampleDocuments.random(5, 10, 5))) {
      LuceneExporter.export(index, link.resolve("../index"), ExportOptions.DEFAULT);
      LuceneExporter.export(index, directory.resolve("new/."), ExportOptions.DEFAULT);
      LuceneExporter.export(index, deep.resolve("."), ExportOptions.DEFAULT);
    }
    for (Path made : List.of(directory.resolve("other/index"), directory.resolve("new"), deep)) {
      assertThat(list(made)).isNotEmpty();
    }
    assertThat(directory.resolve("index")).doesNotExist();
  }

  @Test
  void aMountPointIsRefusedBeforeAnythingIsWritten() throws IOException {
    Path processes = Path.of("/proc");
    assumeTrue(Directories.isMountPoint(processes), "this system has no /proc");
    assertThatThrownBy(() -> TargetDirectory.replacing(processes, path -> true).requireFree())
        .isInstanceOf(FileSystemException.class)
        .hasMessageContaining("is a mount point, or cannot be moved");
  }

  @Test
  void aPlaceThatCannotBeWrittenToIsRefusedAtOnce() throws IOException {
    Path closed = Files.createDirectory(directory.resolve("closed"));
    Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("r-xr-xr-x"));
    assumeFalse(Files.isWritable(closed), "whoever may write everywhere is not refused");
    assertThatThrownBy(
            () -> TargetDirectory.absentOrEmpty(closed.resolve("a/b/index")).requireFree())
        .isInstanceOf(AccessDeniedException.class)
        .hasMessageEndingWith("cannot write to directory " + closed);
  }

  @Test
  void anIndexIsReplacedAndOneThatAKilledExportHadMovedAwayIsPutBack() throws IOException {
    Path target = directory.resolve("lucene");
    Path moved = directory.resolve("lucene.exporting/replaced");
    try (InvertedIndex index = index(SampleDocuments.random(5, 10, 5))) {
      LuceneExporter.export(index, target, ExportOptions.DEFAULT);
      Files.createDirectory(moved.getParent());
      Files.writeString(moved.resolveSibling("lock"), "process 1 on this machine\n");
      Files.move(target, moved);
      assertThatThrownBy(() -> LuceneExporter.export(index, target, ExportOptions.DEFAULT))
          .isInstanceOf(FileAlreadyExistsException.class);
      List<Path> before = list(moved);
      assertThat(before).isNotEmpty();
      LuceneExporter.export(
          index,
          TargetDirectory.replacing(target, path -> path.equals(target) || path.equals(moved)),
          ExportOptions.DEFAULT,
          ProgressListener.NONE);
      assertThat(list(target)).hasSameSizeAs(before);
      assertThat(moved.getParent()).doesNotExist();
    }
  }

  /** Killed just before the exchange of names, and just after it. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anExportThatWasKilledAtTheExchangeLeavesOneIndexAndItsRestIsDeleted(boolean isExchanged)
      throws IOException {
    Path target = Files.createDirectory(directory.resolve("lucene"));
    Path aside = Files.createDirectories(directory.resolve("lucene.exporting/replaced"));
    Files.writeString(aside.resolveSibling("lock"), "process 1 on this machine\n");
    Files.writeString(target.resolve("segments_1"), isExchanged ? "new" : "old");
    Files.writeString(aside.resolve("segments_1"), isExchanged ? "old" : "new");
    StagedOutput again = TargetDirectory.replacing(target, path -> true);
    again.requireFree();
    again.open();
    assertThat(target.resolve("segments_1")).hasContent(isExchanged ? "new" : "old");
    assertThat(aside).doesNotExist();
    again.close();
    assertThat(again.work()).doesNotExist();
    assertThat(target.resolve("segments_1")).hasContent(isExchanged ? "new" : "old");
  }

  /** Nobody knows which of them is wanted; better heard before a build than at its end. */
  @Test
  void whatCameInThePlaceOfAnIndexThatWasMovedAwayIsNotTakenForIt() throws IOException {
    Path target = directory.resolve("lucene");
    StagedOutput replacing = TargetDirectory.replacing(target, path -> true);
    Path old =
        Files.createDirectories(directory.resolve("lucene.exporting/replaced")).resolve("old");
    Files.writeString(old, "of the index");
    Files.writeString(directory.resolve("lucene.exporting/lock"), "process 1 on this machine\n");
    assertThatThrownBy(TargetDirectory.absentOrEmpty(target)::requireFree)
        .as("it would be put back")
        .isInstanceOf(FileAlreadyExistsException.class);
    replacing.requireFree();
    Files.createDirectory(directory.resolve("lucene.exporting/made"));
    Files.writeString(Files.createDirectory(target).resolve("other"), "of another");
    assertThatThrownBy(replacing::requireFree)
        .isInstanceOf(FileSystemException.class)
        .hasMessageContaining("move one of them away");
    try (InvertedIndex index = index(SampleDocuments.random(5, 10, 5))) {
      assertThatThrownBy(
              () ->
                  LuceneExporter.export(
                      index, replacing, ExportOptions.DEFAULT, ProgressListener.NONE))
          .hasMessageContaining("move one of them away");
    }
    assertThat(old).hasContent("of the index");
    assertThat(target.resolve("other")).hasContent("of another");
  }

  /** Whichever rename it is that fails, with all after it: the one back to its place, too. */
  @Test
  void anIndexThatCanNeitherBeReplacedNorPutBackIsKept() throws IOException {
    Path target = directory.resolve("lucene");
    Path moved = directory.resolve("lucene.exporting/replaced");
    boolean setAside = false;
    try (InvertedIndex index = index(SampleDocuments.random(5, 10, 5))) {
      LuceneExporter.export(index, target, ExportOptions.DEFAULT);
      List<String> before = names(target);
      for (int n = 1; ; n++) {
        Faults faults = new Faults();
        Path faulty = new FaultyFileSystem(faults).through(target);
        faults.failFrom(Faults.Kind.RENAME, n);
        try {
          LuceneExporter.export(
              index,
              TargetDirectory.replacing(faulty, path -> true),
              ExportOptions.DEFAULT,
              ProgressListener.NONE);
          break;
        } catch (IOException e) {
          setAside |= Files.exists(moved);
          assertThat(names(Files.exists(target) ? target : moved)).isEqualTo(before);
        }
      }
    }
    assertThat(setAside).isTrue();
  }

  private static List<String> names(Path target) throws IOException {
    return list(target).stream().map(file -> file.getFileName().toString()).sorted().toList();
  }

  @Test
  void whatHasComeToTheTargetMeanwhileIsNotReplaced() throws Exception {
    Path path = directory.resolve("index");
    StagedOutput target = TargetDirectory.absentOrEmpty(path);
    target.requireFree();
    Path made = Files.createDirectories(target.made());
    Files.writeString(made.resolve("segments_1"), "an index");
    Path other = Files.writeString(Files.createDirectory(path).resolve("other"), "work");
    assertThatThrownBy(() -> target.publish()).isInstanceOf(FileAlreadyExistsException.class);
    assertThat(other).hasContent("work");
    assertThat(made.resolve("segments_1")).exists();
    Files.delete(other);
    target.publish();
    assertThat(path.resolve("segments_1")).hasContent("an index");
  }
}
