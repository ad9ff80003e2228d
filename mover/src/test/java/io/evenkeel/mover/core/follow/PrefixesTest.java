package io.evenkeel.mover.core.follow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("once") // says nothing about a Hadoop release
class PrefixesTest {
  private final Prefixes prefixes = Prefixes.parse("/hbase, /tier/hot/,/hbase/data", "/hbase/own");

  @Test
  void parse_nestedAndTrailingSlash_areOneEach() {
    assertThat(prefixes.roots()).containsExactly("/hbase", "/tier/hot");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " , ",
        "data",
        "/a,b",
        "hdfs://x/a",
        "/a/../b",
        "/a//b",
        "/a//",
        "/a/..",
        "/.reserved/raw",
        "/data/*",
        "/a/.snapshot"
      })
  void parse_notAbsolute_isRefused(String text) {
    assertThatThrownBy(() -> Prefixes.parse(text, "/own"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void requests_renameIntoAndInside_isTheNewPath() {
    assertThat(prefixes.requests("/hbase/a")).containsExactly("/hbase/a");
    assertThat(prefixes.requests("/hbase/b")).containsExactly("/hbase/b");
    assertThat(prefixes.requests("/tier/hot")).containsExactly("/tier/hot");
  }

  @Test
  void requests_renameOutOrElsewhere_isNone() {
    assertThat(prefixes.requests("/x/a")).isEmpty();
    assertThat(prefixes.requests("/hbase2/a")).isEmpty();
    assertThat(prefixes.requests("/tier/hotter")).isEmpty();
  }

  @Test
  void requests_aParentOfAPrefixRenamedIntoPlace_isThePrefix() {
    assertThat(prefixes.requests("/tier")).containsExactly("/tier/hot");
  }

  @Test
  void requests_renameIntoATrash_isNone() {
    assertThat(prefixes.requests("/tier/hot/.Trash/Current/x")).isEmpty();
    assertThat(prefixes.requests("/tier/hot/.Trashes/x")).hasSize(1);
  }

  @Test
  void requests_renameIntoOurOwnDirectory_isNone() {
    assertThat(prefixes.requests("/hbase/own/journal")).isEmpty();
    assertThat(prefixes.requests("/hbase/owner")).hasSize(1);
    assertThat(prefixes.covers("/hbase/own/journal")).isFalse();
  }

  @Test
  void requests_root_coversEverythingButOurs() {
    Prefixes all = Prefixes.parse("/", "/system/evenkeel");
    assertThat(all.requests("/f")).containsExactly("/f");
    assertThat(all.requests("/system/evenkeel/lease")).isEmpty();
  }
}
