package io.evenkeel.bench.tera;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("once")
class TaskLogsTest {
  private static final String UP = "2026-11-21 15:00:00,250 INFO [main] YarnChild: started\n";

  @TempDir private Path logs;

  @Test
  void addsUpMapTasksOnly() throws IOException {
    log("container_1", UP + "2026-11-21 15:00:04,000 INFO Task: Task 'attempt_1_1_m_0_0' done.\n");
    log("container_2", UP + "2026-11-21 15:00:01,500 INFO Task: Task 'attempt_1_1_m_1_0' done.\n");
    log("container_3", UP + "2026-11-21 15:00:09,000 INFO Task: Task 'attempt_1_1_r_0_0' done.\n");
    assertThat(TaskLogs.mapSeconds(logs, "application_1", 2)).isEqualTo(5.0);
  }

  @Test
  void refusesToCountTooFew() throws IOException {
    log("container_1", UP);
    assertThatIOException()
        .isThrownBy(() -> TaskLogs.mapSeconds(logs, "application_1", 1))
        .withMessageContaining("0 logs of map tasks, not 1");
  }

  private void log(String container, String text) throws IOException {
    Path dir = Files.createDirectories(logs.resolve("application_1").resolve(container));
    Files.writeString(dir.resolve("syslog"), text);
  }
}
