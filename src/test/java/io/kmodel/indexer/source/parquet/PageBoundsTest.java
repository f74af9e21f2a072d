package io.kmodel.indexer.source.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hardwood.internal.metadata.DataPageHeader;
import dev.hardwood.internal.metadata.DataPageHeaderV2;
import dev.hardwood.internal.metadata.PageHeader;
import dev.hardwood.internal.metadata.PageHeader.PageType;
import dev.hardwood.metadata.Encoding;
import dev.hardwood.metadata.FieldPath;
import dev.hardwood.metadata.PhysicalType;
import dev.hardwood.metadata.RepetitionType;
import dev.hardwood.schema.ColumnSchema;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import org.apache.parquet.bytes.HeapByteBufferAllocator;
import org.apache.parquet.column.values.deltastrings.DeltaByteArrayWriter;
import org.apache.parquet.io.api.Binary;
import org.junit.jupiter.api.Test;

/** Counts and lengths that ask for more memory than a page has are damage. */
class PageBoundsTest {
  private static final ColumnSchema REQUIRED =
      new ColumnSchema(
          new FieldPath(List.of("text")),
          PhysicalType.BYTE_ARRAY,
          RepetitionType.REQUIRED,
          null,
          0,
          0,
          0,
          null);

  private static long shared(Encoding encoding, int values, byte[] page) throws IOException {
    DataPageHeader data = new DataPageHeader(values, encoding, Encoding.RLE, Encoding.RLE, null);
    PageHeader header =
        new PageHeader(PageType.DATA_PAGE, page.length, page.length, data, null, null, null);
    return new PageBounds(REQUIRED, header, page, 0).sharedBytes(page);
  }

  private static byte[] written(String... values) throws IOException {
    try (DeltaByteArrayWriter writer =
        new DeltaByteArrayWriter(100, 1000, new HeapByteBufferAllocator())) {
      for (String value : values) {
        writer.writeBytes(Binary.fromString(value));
      }
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      writer.getBytes().writeAllTo(bytes);
      return bytes.toByteArray();
    }
  }

  @Test
  void sharedStartsCountInEachValue() throws Exception {
    byte[] page = written("apple", "application", "apply", "", "b");
    assertThat(shared(Encoding.DELTA_BYTE_ARRAY, 5, page)).isEqualTo(5 + 11 + 5 + 1);
    assertThat(shared(Encoding.PLAIN, 5, page)).isZero();
  }

  @Test
  void aStartThatIsLongerThanTheValueBeforeIsDamage() throws Exception {
    byte[] page = written("apple", "apply");
    // The only difference of starts, in zigzag code: 4.
    assertThat(page[5]).isEqualTo((byte) 8);
    page[5] = 14;
    assertThatThrownBy(() -> shared(Encoding.DELTA_BYTE_ARRAY, 2, page))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("impossible length");
  }

  @Test
  void aBlockOfFarTooManyPartsIsDamage() {
    byte[] page = {(byte) 0x80, 1, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, 7, 2, 0};
    for (Encoding encoding :
        List.of(
            Encoding.DELTA_BINARY_PACKED,
            Encoding.DELTA_LENGTH_BYTE_ARRAY,
            Encoding.DELTA_BYTE_ARRAY)) {
      assertThatThrownBy(() -> shared(encoding, 2, page))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("parts of a block");
    }
  }

  @Test
  void moreLevelsThanThePageHasBytesAreDamage() {
    DataPageHeaderV2 data =
        new DataPageHeaderV2(1, 0, 1, Encoding.PLAIN, 1_500_000_000, 1_500_000_000, true, null);
    PageHeader header = new PageHeader(PageType.DATA_PAGE_V2, 10, 10, null, data, null, null);
    assertThatThrownBy(() -> new PageBounds(REQUIRED, header, new byte[10], 0))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("more levels");
  }
}
