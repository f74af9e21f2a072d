package io.kmodel.indexer.parse.field;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.index.model.Column;
import io.kmodel.indexer.index.model.ColumnType;
import io.kmodel.indexer.source.MetadataRequest;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which columns a build has, and where their values are. */
class MetadataPlanTest {
  @Test
  void columnsAreInOrderOfTheirNames() {
    MetadataPlan plan =
        MetadataPlan.parse(
            List.of("length", " date"),
            List.of("year=published:int", "author=meta.author", "by=article:author:string"));
    assertThat(plan.columns())
        .containsExactly(
            new Column("author", ColumnType.STRING),
            new Column("by", ColumnType.STRING),
            new Column("date", ColumnType.DATE),
            new Column("length", ColumnType.INT),
            new Column("year", ColumnType.INT));
    assertThat(plan.sources())
        .containsExactly("meta.author", "article:author", "", "", "published");
    assertThat(plan.request())
        .isEqualTo(
            new MetadataRequest(
                true, false, ImmutableList.of("meta.author", "article:author", "published")));
  }

  @Test
  void anIndexRecordsItsPlanAndNothingWithoutOne() {
    MetadataPlan plan = MetadataPlan.parse(List.of("host"), List.of("date=pubdate:date", "x=host"));
    Map<String, String> options = new TreeMap<>();
    plan.addTo(options);
    assertThat(options)
        .isEqualTo(Map.of("metadata", "host", "metadata-from", "date=pubdate:date,x=host:string"));
    assertThat(MetadataPlan.from(options)).isEqualTo(plan);
    assertThat(plan.indexOf(KnownColumn.DATE)).isEqualTo(-1);
    options.clear();
    MetadataPlan.NONE.addTo(options);
    assertThat(options).isEmpty();
    assertThat(MetadataPlan.from(options)).isEqualTo(MetadataPlan.NONE);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "dates||unknown metadata 'dates'; did you mean 'date'? known: date, host, language, content-type, length, detected-language",
        "date,date||metadata 'date' is given twice",
        "date|date=x:date|metadata 'date' is given twice",
        "|year|write sources of metadata as in year=published:int; got 'year'",
        "|year=|write sources of metadata as in year=published:int; got 'year='",
        "|year=:int|write sources of metadata as in year=published:int; got 'year=:int'",
        "|year=a:integer|must be string, int, double or date; got 'year=a:integer'",
        "|id=a|is not one of [id, raw]; got 'id'",
        "|2nd=a|starts with a letter, and is not one of [id, raw]; got '2nd'",
      })
  void aWrongPlanIsRefused(String known, String named, String message) {
    assertThatThrownBy(() -> MetadataPlan.parse(list(known), list(named)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  private static List<String> list(@Nullable String text) {
    return text == null ? List.of() : List.of(text.split(",", -1));
  }
}
