package io.evenkeel.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.testing.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ProcessesTest {
  @TempDir private Path dir;
  private final List<Process> started = new ArrayList<>();

  @AfterEach
  void killAll() {
    started.forEach(Process::destroyForcibly);
  }

  /** A process that waits for input and carries the marks as arguments, as our JVMs do. */
  private Member start(Path marked, String name) throws IOException {
    List<String> command = new ArrayList<>(List.of("sh", "-c", "read x; exit 0", "sh"));
    command.addAll(Processes.marks(marked, name));
    command.add("end");
    Process process = new ProcessBuilder(command).start();
    started.add(process);
    return member(name).running(process.pid(), Processes.startMillis(process.toHandle()));
  }

  private static Member member(String name) {
    return new Member(Member.Kind.DATANODE, name, "", "", "127.0.0.1", 1, 0, 0, List.of());
  }

  @Test
  void alive_ownProcess_isFoundAndKilled() throws Exception {
    Processes processes = new Processes(dir);
    Member dn1 = start(dir, "dn1");
    assertThat(processes.alive(dn1)).isTrue();
    processes.kill(processes.find(dn1).stream().toList());
    assertThat(started.get(0).waitFor(10, TimeUnit.SECONDS)).isTrue();
    assertThat(processes.alive(dn1)).isFalse();
  }

  /** It is setsid first, then java, and has no command line in between. */
  @Test
  void alive_justStarted_isFound() throws Exception {
    Path node = Files.createDirectories(dir.resolve("nodes/dn1"));
    Files.writeString(
        node.resolve("java.args"),
        "-agentlib:jdwp=transport=dt_socket,server=y,suspend=y,address=127.0.0.1:0");
    Processes processes = new Processes(dir);
    for (int i = 0; i < 10; i++) {
      Member dn1 = new Daemons(dir).start(member("dn1"));
      ProcessHandle process = ProcessHandle.of(dn1.pid()).orElseThrow();
      for (int look = 0; look < 1000; look++) {
        boolean alive = processes.alive(dn1);
        if (!alive) {
          process.destroyForcibly();
        }
        assertThat(alive).isTrue();
      }
      processes.kill(List.of(process));
    }
  }

  @Test
  void alive_pidOfAnotherProgram_isNotTaken() throws Exception {
    Processes processes = new Processes(dir);
    Member other = start(dir.resolve("elsewhere"), "dn1");
    assertThat(processes.alive(other)).isFalse();
    Member sibling = start(dir, "dn2");
    assertThat(processes.alive(member("dn1").running(sibling.pid(), sibling.started()))).isFalse();
    assertThat(processes.alive(member("dn").running(sibling.pid(), sibling.started()))).isFalse();
  }

  @Test
  void alive_otherStartTime_isNotTaken() throws Exception {
    Member dn1 = start(dir, "dn1");
    Member old = dn1.running(dn1.pid(), dn1.started() - 60_000);
    assertThat(new Processes(dir).alive(old)).isFalse();
  }

  @Test
  void alive_neverStartedOrGone_isNot() {
    Processes processes = new Processes(dir);
    assertThat(processes.alive(member("dn1"))).isFalse();
    assertThat(processes.alive(member("dn1").running(Long.MAX_VALUE, 1))).isFalse();
  }

  @Test
  void signal_stopAndContinue_haltsAndLetsGoOn() throws Exception {
    Processes processes = new Processes(dir);
    Member dn1 = start(dir, "dn1");
    List<ProcessHandle> own = processes.find(dn1).stream().toList();
    processes.signal(own, "STOP");
    started.get(0).getOutputStream().close(); // it would end now
    Await.until("it is stopped", () -> stateOf(dn1) == 'T');
    assertThat(processes.alive(dn1)).isTrue();
    processes.signal(own, "CONT");
    assertThat(started.get(0).waitFor(10, TimeUnit.SECONDS)).isTrue();
    processes.signal(List.of(), "STOP");
  }

  /** The letter that the system gives for what a process does. */
  private static char stateOf(Member member) throws IOException {
    String stat = Files.readString(Path.of("/proc", Long.toString(member.pid()), "stat"));
    return stat.charAt(stat.lastIndexOf(')') + 2);
  }

  @Test
  void terminate_ownProcess_ends() throws Exception {
    Processes processes = new Processes(dir);
    Member dn1 = start(dir, "dn1");
    processes.terminate(processes.find(dn1).stream().toList());
    assertThat(started.get(0).waitFor(10, TimeUnit.SECONDS)).isTrue();
    assertThat(processes.alive(dn1)).isFalse();
  }

  @Test
  void stopAll_recordedOrNot_endsOnlyThisDirectory() throws Exception {
    start(dir, "dn1");
    start(dir, "dn2");
    start(Path.of(dir + "2"), "dn1");
    assertThat(new Processes(dir).stopAll()).isEqualTo(2);
    assertThat(started.get(0).waitFor(10, TimeUnit.SECONDS)).isTrue();
    assertThat(started.get(1).waitFor(10, TimeUnit.SECONDS)).isTrue();
    assertThat(started.get(2).isAlive()).isTrue();
  }
}
