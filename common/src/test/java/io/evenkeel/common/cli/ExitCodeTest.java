package io.evenkeel.common.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class ExitCodeTest {
  @Test
  void table_allCodes_areAsDocumented() {
    assertThat(
            Arrays.stream(ExitCode.values()).collect(Collectors.toMap(Enum::name, ExitCode::code)))
        .containsOnly(
            entry("OK", 0),
            entry("COULD_NOT_RUN", 1),
            entry("FINDING", 2),
            entry("NOTHING_TO_DO", 3),
            entry("NO_SUCH_PATH", 4),
            entry("DENIED", 5),
            entry("USAGE", 64),
            entry("INTERRUPTED", 130));
  }

  @Test
  void meaning_everyCode_isSaid() {
    assertThat(ExitCode.values()).allSatisfy(code -> assertThat(code.meaning()).isNotEmpty());
  }

  @Test
  void commandException_always_carriesCodeMessageAndCause() {
    Exception cause = new Exception("inner");
    CommandException e = new CommandException(ExitCode.DENIED, "no write access to /a", cause);
    assertThat(e).hasMessage("no write access to /a").hasCause(cause);
    assertThat(e.exitCode()).isEqualTo(ExitCode.DENIED);
  }
}
