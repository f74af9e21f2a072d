package io.kmodel.indexer.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.zip.CRC32C;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CellChecksumsTest {
  @ParameterizedTest
  @ValueSource(
      ints = {
        0,
        1,
        CellChecksums.CHUNK - 1,
        CellChecksums.CHUNK,
        CellChecksums.CHUNK + 1,
        3 * CellChecksums.CHUNK
      })
  void everyCellHasTheChecksumOfItsBytesAcrossChunks(int cells) {
    CellChecksums checksums = new CellChecksums();
    byte[] bytes = new byte[Cells.BYTES];
    for (int cell = 0; cell < cells; cell++) {
      LittleEndian.putInt(bytes, 100, cell);
      checksums.update(bytes, 0, Cells.BYTES);
    }
    checksums.update(bytes, 0, 7);
    assertThat(checksums.finish()).isEqualTo(cells + 1);
    for (int cell = 0; cell < cells; cell++) {
      LittleEndian.putInt(bytes, 100, cell);
      assertThat(checksums.get(cell)).as("cell %d", cell).isEqualTo(checksum(bytes, Cells.BYTES));
    }
    assertThat(checksums.get(cells)).isEqualTo(checksum(bytes, 7));
  }

  private static int checksum(byte[] bytes, int length) {
    CRC32C checksum = new CRC32C();
    checksum.update(bytes, 0, length);
    return (int) checksum.getValue();
  }
}
