package io.evenkeel.bench.gameday.round;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.bench.gameday.schedule.Schedule;
import io.evenkeel.common.cli.CommandException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class GameDayTest {
  private static Schedule schedule(String fault, String target) {
    return Schedule.fromJson(
        "{\"format\":1,\"seed\":3,\"acknowledgements\":9,\"steps\":[{\"begin\":1,\"end\":2,\"fault\":\""
            + fault
            + "\",\"target\":\""
            + target
            + "\"}]}");
  }

  @Test
  void replay_targetThatIsNotThere_isRefused() {
    GameDay.require(schedule("KILL_DATANODE", "dn8"));
    GameDay.require(schedule("KILL_HOST", "host4"));
    GameDay.require(schedule("KILL_NAMENODE", "nn"));
    assertThatThrownBy(() -> GameDay.require(schedule("KILL_DATANODE", "dn99")))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("dn99");
  }

  @Test
  void replay_noSchedule_saysWhatIsMissing() {
    assertThatThrownBy(() -> schedule("EXPLODE", "dn1"))
        .hasMessageContaining("'EXPLODE'")
        .hasMessageContaining("KILL_DATANODE");
    assertThatThrownBy(() -> Schedule.fromJson("{}")).hasMessageContaining("acknowledgements");
  }

  @Test
  void options_json_isReadBack() {
    GameDayOptions options =
        new GameDayOptions(-3, 7, false, null, "3.5.0", null, true, Path.of("/tmp/x"));
    assertThat(GameDayOptions.fromJson(options.toJson())).isEqualTo(options);
  }
}
