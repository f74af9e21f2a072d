package io.kmodel.indexer.indexing;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.kmodel.indexer.analysis.AnalysisDefinition;
import io.kmodel.indexer.export.ciff.MalformedCiffException;
import io.kmodel.indexer.index.model.ProgressListener;
import io.kmodel.indexer.index.verify.IndexVerifier;
import io.kmodel.indexer.indexing.options.BuildException;
import io.kmodel.indexer.store.disk.Directories;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** Any bytes as a CIFF file to import: an index that is whole, or nothing and a reason. */
class CiffImportFuzzTest {
  @TempDir Path directory;

  @FuzzTest
  void whatIsImportedIsAWholeIndex(byte[] input) throws Exception {
    Path file = Files.write(directory.resolve("file"), input);
    Path output = directory.resolve("index");
    CiffImport.Options options =
        new CiffImport.Options(file, output, AnalysisDefinition.of("standard"), false);
    try {
      CiffImport.Result result = new CiffImport(options, ProgressListener.NONE).run();
      assertThat(IndexVerifier.verify(output, ProgressListener.NONE).documents())
          .isEqualTo(result.header().documents());
    } catch (MalformedCiffException | BuildException e) {
      assertThat(e).hasMessageContaining(directory.toString());
      assertThat(output).doesNotExist();
    } finally {
      Directories.deleteTree(output);
    }
    Files.delete(file);
    assertThat(directory).isEmptyDirectory();
  }
}
