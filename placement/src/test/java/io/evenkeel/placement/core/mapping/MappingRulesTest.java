package io.evenkeel.placement.core.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("once")
class MappingRulesTest {
  private static final String HOST = "10.0.0.7";

  private static String locate(UnknownMode mode, int depth, String said) {
    return new MappingRules(depth, mode, EmitLevel.PATH)
        .locate(HOST, said)
        .map(NetworkLocation::toString)
        .orElse("none");
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "null",
      quoteCharacter = '"',
      value = {
        // said, finding, isolate, warn
        "/r1/n1, KNOWN, /r1/n1, /r1/n1",
        "//r1//n1/, KNOWN, /r1/n1, /r1/n1",
        "/default-rack/n1, KNOWN, /default-rack/n1, /default-rack/n1",
        "null, UNKNOWN, /default-rack/unknown-10.0.0.7, /default-rack/default-nodegroup",
        "\"\", UNKNOWN, /default-rack/unknown-10.0.0.7, /default-rack/default-nodegroup",
        "/default-rack, UNKNOWN, /default-rack/unknown-10.0.0.7, /default-rack/default-nodegroup",
        "/default-rack/default-nodegroup, UNKNOWN,"
            + " /default-rack/unknown-10.0.0.7, /default-rack/default-nodegroup",
        "/r1/default-nodegroup, UNKNOWN, /r1/unknown-10.0.0.7, /r1/default-nodegroup",
        "/r1/NotFound, UNKNOWN, /r1/unknown-10.0.0.7, /r1/NotFound",
        "/NotFound/NotFound, UNKNOWN, /NotFound/unknown-10.0.0.7, /NotFound/NotFound",
        "/r1, WRONG_DEPTH, /r1/unknown-10.0.0.7, /r1/default-nodegroup",
        "/dc/r1/n1, WRONG_DEPTH, /default-rack/unknown-10.0.0.7, /dc/r1",
        "r1/n1, MALFORMED, /default-rack/unknown-10.0.0.7, /default-rack/default-nodegroup",
        "/, MALFORMED, /default-rack/unknown-10.0.0.7, /default-rack/default-nodegroup",
        "\"/r1/n 1\", MALFORMED, /default-rack/unknown-10.0.0.7, /default-rack/default-nodegroup",
      })
  void locate_twoLevels_followsTheTable(
      String said, Finding finding, String isolated, String fitted) {
    MappingRules rules = new MappingRules(2, UnknownMode.FAIL, EmitLevel.PATH);
    assertThat(rules.find(said)).isEqualTo(finding);
    assertThat(locate(UnknownMode.ISOLATE, 2, said)).isEqualTo(isolated);
    assertThat(locate(UnknownMode.WARN, 2, said)).isEqualTo(fitted);
    assertThat(locate(UnknownMode.FAIL, 2, said))
        .isEqualTo(finding == Finding.KNOWN ? isolated : "none");
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "null",
      value = {
        "/dc/r1/n1, /dc/r1/n1, /dc/r1/n1",
        "/dc/r1, /dc/r1/unknown-10.0.0.7, /dc/r1/default-nodegroup",
        "/r1, /default-rack/default-rack/unknown-10.0.0.7, /r1/default-rack/default-nodegroup",
        "/a/b/c/d, /default-rack/default-rack/unknown-10.0.0.7, /a/b/c",
        "null, /default-rack/default-rack/unknown-10.0.0.7,"
            + " /default-rack/default-rack/default-nodegroup",
      })
  void locate_threeLevels_followsTheTable(String said, String isolated, String fitted) {
    assertThat(locate(UnknownMode.ISOLATE, 3, said)).isEqualTo(isolated);
    assertThat(locate(UnknownMode.WARN, 3, said)).isEqualTo(fitted);
  }

  @Test
  void locate_anyAnswerOfAnyMode_hasTheDepth() {
    List<String> said =
        List.of("/a", "/a/b", "/a/b/c", "/a/b/c/d/e", "x", "", "/default-rack", "/a\t/b");
    for (int depth = 2; depth <= 8; depth++) {
      for (UnknownMode mode : UnknownMode.values()) {
        MappingRules rules = new MappingRules(depth, mode, EmitLevel.PATH);
        for (String one : said) {
          int wanted = depth;
          rules.locate(HOST, one).ifPresent(l -> assertThat(l.depth()).isEqualTo(wanted));
        }
      }
    }
  }

  @Test
  void locate_warnedTwice_staysWhereItIs() {
    for (String said : List.of("/r1", "/dc/r1/n1", "/default-rack", "nonsense")) {
      String once = locate(UnknownMode.WARN, 2, said);
      assertThat(locate(UnknownMode.WARN, 2, once)).isEqualTo(once);
    }
  }

  @Test
  void emit_eachLevel_tellsThatMuch() {
    NetworkLocation location = NetworkLocation.parse("/dc/r1/n1").get();
    assertThat(EmitLevel.PATH.text(location)).isEqualTo("/dc/r1/n1");
    assertThat(EmitLevel.NODEGROUP.text(location)).isEqualTo("/dc+r1+n1");
    assertThat(EmitLevel.RACK.text(location)).isEqualTo("/dc/r1");
  }

  @Test
  void emit_nodeGroupOfDifferentLocations_differs() {
    List<String> paths =
        List.of("/a/b", "/a+b/c", "/a/b+c", "/a%2bb/c", "/a%/2bc", "/r1/n1", "/r2/n1", "/r-1/n");
    Set<String> texts = new HashSet<>();
    for (String path : paths) {
      String text = EmitLevel.NODEGROUP.text(NetworkLocation.parse(path).get());
      assertThat(NetworkLocation.parse(text).get().depth()).isEqualTo(1);
      texts.add(text);
    }
    assertThat(texts).hasSameSizeAs(paths);
  }

  @Test
  void ownGroup_differentHosts_neverShareAName() {
    List<String> hosts =
        List.of("10.0.0.1", "10.0.0.11", "a.b", "a-b", "a_b", "a/b", "a b", "a:b", "fe80:0:0:1");
    Set<String> names = new HashSet<>();
    for (String host : hosts) {
      String name = OwnGroup.of(host);
      assertThat(NetworkLocation.parse("/r/" + name).get().levels()).containsExactly("r", name);
      names.add(name);
    }
    assertThat(names).hasSameSizeAs(hosts);
    assertThat(OwnGroup.of("VM1.Example")).isEqualTo(OwnGroup.of("vm1.example"));
    assertThat(OwnGroup.of("a/b")).isEqualTo("unknown-a_002fb");
  }

  @Test
  void rules_depthWithoutRack_isRefused() {
    assertThatThrownBy(() -> new MappingRules(1, UnknownMode.WARN, EmitLevel.PATH))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("depth 1");
  }
}
