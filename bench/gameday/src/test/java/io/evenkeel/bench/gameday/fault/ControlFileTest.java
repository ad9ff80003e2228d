package io.evenkeel.bench.gameday.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.bench.gameday.fault.DiskOrder.Effect;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("once")
class ControlFileTest {
  @Test
  void parse_whatToTextWrote_isTheSame() {
    ControlFile file =
        new ControlFile(
            7,
            List.of(
                new DiskOrder("disk2", Effect.HANG),
                new DiskOrder("SSD", Effect.SLOW, 200),
                new DiskOrder("DS-1", Effect.FULL),
                new DiskOrder("DS-1", Effect.FAIL)),
            "/tmp/replicas-7");
    assertThat(file.toText())
        .isEqualTo(
            """
            version 7
            disk2 hang
            SSD slow 200
            DS-1 full
            DS-1 fail
            dump /tmp/replicas-7
            """);
    assertThat(ControlFile.parse(file.toText())).isEqualTo(file);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\n", "version 0\n"})
  void parse_noOrders_isVersion0AndHealthy(String text) {
    assertThat(ControlFile.parse(text)).isEqualTo(new ControlFile(0, List.of(), ""));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "disk",
        "disk wobble",
        "disk slow",
        "disk slow 0",
        "disk slow -1",
        "disk slow fast",
        "disk hang 5",
        "disk slow 5 ms",
        "version one",
        "version",
        "dump a b"
      })
  void parse_badLine_isRefusedAndNamed(String line) {
    assertThatThrownBy(() -> ControlFile.parse("version 1\n" + line + "\n"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + line + "'");
  }

  @Test
  void order_ofNoVolume_isRefused() {
    assertThatThrownBy(() -> new DiskOrder("", Effect.HANG))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new DiskOrder("a b", Effect.HANG))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void replicaLine_parsed_isTheSame() {
    ReplicaLine replica = new ReplicaLine("BP-1-127.0.0.1-5", 1073741825L, 1001, 42, "RBW", "DS-1");
    assertThat(replica.toLine()).isEqualTo("BP-1-127.0.0.1-5 1073741825 1001 42 RBW DS-1");
    assertThat(ReplicaLine.parse(replica.toLine())).isEqualTo(replica);
    assertThatThrownBy(() -> ReplicaLine.parse("BP-1 7"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
