package io.evenkeel.common.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class TextTableTest {
  @Test
  void appendTo_columns_areAlignedWithoutTrailingBlanks() {
    TextTable table = new TextTable("NAME", "SIZE", "NOTE").alignRight(1);
    table.add("a", "12", "x");
    table.add("longer", "123456", "");
    StringBuilder text = new StringBuilder();
    table.appendTo(text);
    assertThat(text.toString())
        .isEqualTo(
            "NAME      SIZE  NOTE\n" //
                + "a           12  x\n"
                + "longer  123456\n");
  }

  @Test
  void add_otherNumberOfCells_isRefused() {
    assertThatThrownBy(() -> new TextTable("A", "B").add("a"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
