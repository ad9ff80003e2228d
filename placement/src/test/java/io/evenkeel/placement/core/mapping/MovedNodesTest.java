package io.evenkeel.placement.core.mapping;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.placement.core.mapping.MovedNodes.Asked;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Sixteen DataNodes, two on a host: 0 and 1 on /r0/h0, up to 14 and 15 on /r1/h7. */
@Tag("once")
class MovedNodesTest {
  private final MovedNodes moved = new MovedNodes();
  private final Map<String, String> registered = new TreeMap<>();
  private final Map<String, String> said = new HashMap<>();

  MovedNodesTest() {
    for (int i = 0; i < 16; i++) {
      registered.put("dn" + i, "/r" + i / 8 + "/h" + i / 2);
    }
    said.putAll(registered);
  }

  private Map<String, String> look() {
    List<Asked> asked = new ArrayList<>();
    registered.forEach((id, location) -> asked.add(new Asked(id, location, said.get(id))));
    return moved.look(asked);
  }

  @Test
  void move_toldTwice_counts() {
    said.put("dn2", "/r0/h0");
    assertThat(look()).isEmpty();
    assertThat(look()).containsExactly(Map.entry("dn2", "/r0/h0"));
    said.put("dn2", "/r0/h1");
    assertThat(look()).as("it may be a glitch").hasSize(1);
    assertThat(look()).isEmpty();
  }

  /** The table changed between two questions of a look. */
  @Test
  void neighboursMoveAtOnce_areNeverApart() {
    said.put("dn2", "/r0/new");
    assertThat(look()).isEmpty();
    said.put("dn3", "/r0/new");
    assertThat(look()).isEmpty();
    assertThat(look()).hasSize(2);
    said.put("dn3", "/r0/h1"); // once
    assertThat(look()).hasSize(2);
    said.put("dn3", "/r0/new");
    assertThat(look()).hasSize(2);
    assertThat(look()).hasSize(2);
  }

  @Test
  void move_toldOnceEachOfTwoHosts_doesNotCount() {
    said.put("dn2", "/r0/h0");
    look();
    said.put("dn2", "/r0/h3");
    assertThat(look()).isEmpty();
    assertThat(look()).containsExactly(Map.entry("dn2", "/r0/h3"));
  }

  @Test
  void answerIsMissing_whatWasKnownStays() {
    said.put("dn2", "/r0/h0");
    look();
    look();
    said.remove("dn2");
    assertThat(look()).containsExactly(Map.entry("dn2", "/r0/h0"));
  }

  /** It said itself where it is, later than the mapping did. */
  @Test
  void registersAgain_whatWasKnownIsForgotten() {
    said.put("dn2", "/r0/h0");
    look();
    look();
    registered.put("dn2", "/r1/h4");
    said.remove("dn2");
    assertThat(look()).isEmpty();
  }

  @Test
  void aQuarterMoves_counts_oneMoreIsDoubted() {
    for (int i = 0; i < 4; i++) {
      said.put("dn" + i, "/r0/new" + i);
    }
    look();
    assertThat(look()).hasSize(4);
    assertThat(moved.doubt()).isEmpty();
    said.put("dn4", "/r0/new4");
    look();
    assertThat(look()).as("what was known").hasSize(4).doesNotContainKey("dn4");
    assertThat(moved.doubt()).startsWith("5 of 16 DataNodes are elsewhere");
  }

  @Test
  void unknownOnesAreKnownNow_asManyAsThereAreCount() {
    registered.replaceAll((id, location) -> "/default-rack/unknown-" + id);
    look();
    assertThat(look()).isEqualTo(said);
    assertThat(moved.doubt()).isEmpty();
  }

  @Test
  void unknownOnesAreAllOnOneHost_isDoubted() {
    registered.replaceAll((id, location) -> "/default-rack/unknown-" + id);
    said.replaceAll((id, location) -> "/r/h");
    look();
    assertThat(look()).isEmpty();
    assertThat(moved.doubt()).startsWith("the mapping puts 16 of 16 DataNodes on one host, /r/h");
  }

  @Test
  void lastOfARackMoves_staysInIt() {
    registered
        .values()
        .removeIf(location -> location.startsWith("/r1") && !location.endsWith("h7"));
    said.put("dn14", "/r0/h0");
    said.put("dn15", "/r0/h0");
    look();
    assertThat(look()).isEmpty();
    said.put("dn15", "/r1/h7");
    look();
    assertThat(look()).containsOnlyKeys("dn14");
  }
}
