package io.kmodel.indexer.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonMembersTest {
  @Test
  void definitionsAreWhatTheyWereReadFrom() {
    JsonMembers members =
        JsonMembers.parse(List.of("id = paper_id", "contents=abstract.text, body_text.text"));
    assertThat(members.names())
        .containsEntry("id", ImmutableList.of("paper_id"))
        .containsEntry("contents", ImmutableList.of("abstract.text", "body_text.text"))
        .hasSize(2);
    assertThat(members).hasToString("contents=abstract.text,body_text.text;id=paper_id");
    assertThat(JsonMembers.parse(List.of(members.toString().split(";")))).isEqualTo(members);
    assertThat(members.isUsual()).isFalse();
    assertThat(JsonMembers.parse(List.of())).isEqualTo(JsonMembers.USUAL);
    assertThat(JsonMembers.USUAL.isUsual()).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "abstract | JSON members must be given as in contents=abstract,body.text; got 'abstract'",
        "text=a | JSON members can be given for id, url, title, headings, contents; got 'text'",
        "=a | JSON members can be given for id, url, title, headings, contents; got ''",
        "id= | a JSON member's names must be non-empty, without comma or semicolon; got ''",
        "id=a..b | a JSON member's names must be non-empty, without comma or semicolon; got 'a..b'",
        "id=a;b | a JSON member's names must be non-empty, without comma or semicolon; got 'a;b'",
        "id=a,a | id needs one or more JSON members, each named once; got 'a,a'",
      })
  void whatIsNoDefinitionIsRefused(String definition, String message) {
    assertThatThrownBy(() -> JsonMembers.parse(List.of(definition)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  @Test
  void aPartIsNamedOnce() {
    assertThatThrownBy(() -> JsonMembers.parse(List.of("id=a", "id=b")))
        .hasMessage("JSON members are given twice for id");
  }
}
