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
    assertThat(prefixes.requests(FileEvent.rename("/x/a", "/hbase/a", 0)))
        .containsExactly("/hbase/a");
    assertThat(prefixes.requests(FileEvent.rename("/hbase/a", "/hbase/b", 0)))
        .containsExactly("/hbase/b");
    assertThat(prefixes.requests(FileEvent.rename("/x", "/tier/hot", 0)))
        .containsExactly("/tier/hot");
  }

  @Test
  void requests_renameOutOrElsewhere_isNone() {
    assertThat(prefixes.requests(FileEvent.rename("/hbase/a", "/x/a", 0))).isEmpty();
    assertThat(prefixes.requests(FileEvent.rename("/x/a", "/hbase2/a", 0))).isEmpty();
    assertThat(prefixes.requests(FileEvent.rename("/x/a", "/tier/hotter", 0))).isEmpty();
  }

  @Test
  void requests_aParentOfAPrefixRenamedIntoPlace_isThePrefix() {
    assertThat(prefixes.requests(FileEvent.rename("/x", "/tier", 0))).containsExactly("/tier/hot");
  }

  @Test
  void requests_renameIntoATrash_isNone() {
    assertThat(prefixes.requests(FileEvent.rename("/x", "/tier/hot/.Trash/Current/x", 0)))
        .isEmpty();
    assertThat(prefixes.requests(FileEvent.rename("/x", "/tier/hot/.Trashes/x", 0))).hasSize(1);
  }

  @Test
  void requests_renameIntoOurOwnDirectory_isNone() {
    assertThat(prefixes.requests(FileEvent.rename("/x", "/hbase/own/journal", 0))).isEmpty();
    assertThat(prefixes.requests(FileEvent.rename("/x", "/hbase/owner", 0))).hasSize(1);
    assertThat(prefixes.covers("/hbase/own/journal")).isFalse();
  }

  @Test
  void requests_root_coversEverythingButOurs() {
    Prefixes all = Prefixes.parse("/", "/system/evenkeel");
    assertThat(all.requests(FileEvent.rename("/x", "/f", 0))).containsExactly("/f");
    assertThat(all.requests(FileEvent.rename("/x", "/system/evenkeel/lease", 0))).isEmpty();
  }
}
