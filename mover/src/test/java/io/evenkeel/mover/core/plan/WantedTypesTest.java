package io.evenkeel.mover.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("once") // says nothing about a Hadoop release
class WantedTypesTest {
  @ParameterizedTest
  @CsvSource({
    // striped, ids of the replicas, types asked for
    "false, 1 1,           3",
    "false, 1 1 1 1,       3",
    "true,  1 2,           2",
    "true,  1 2 2 3,       3",
    "true,  1 1 1,         1",
    "true,  1 2 3 4,       4"
  })
  void typesFor_replicas_asksForEachInternalBlockOnce(boolean striped, String ids, int asked) {
    WantedTypes wantedTypes =
        new WantedTypes("policy", 3, striped, true, count -> Collections.nCopies(count, "SSD"));
    List<Replica> replicas = new ArrayList<>();
    for (String id : ids.split(" ")) {
      replicas.add(new Replica("dn" + replicas.size(), "SSD", Long.parseLong(id), 10));
    }
    BlockView block = new BlockView(1, 1, 10, replicas, false);

    assertThat(wantedTypes.typesFor(block)).hasSize(asked);
  }
}
