package io.evenkeel.bench.cluster;

import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Recognises and ends the processes of one cluster directory.
 *
 * <p>A process id alone is never trusted: the command line must name this directory and this
 * process, and the start time must be the recorded one. Stateless and thread-safe.
 */
final class Processes {
  private static final long START_TOLERANCE_MILLIS = 2000; // the clock may have been set meanwhile
  private static final Duration GRACE = Duration.ofSeconds(10);
  private static final Duration ORDERLY = Duration.ofSeconds(30);

  private final Path dir;

  Processes(Path dir) {
    this.dir = dir;
  }

  /** The options on a command line by which a process is known again. */
  static List<String> marks(Path dir, String name) {
    return List.of("-Devenkeel.cluster.dir=" + dir, "-Devenkeel.cluster.node=" + name);
  }

  /** The running process of a member. */
  Optional<ProcessHandle> find(Member member) {
    if (member.pid() <= 0) {
      return Optional.empty();
    }
    return ProcessHandle.of(member.pid())
        .filter(p -> isOurs(p, member.name()))
        .filter(p -> startMillis(p) - member.started() <= START_TOLERANCE_MILLIS)
        .filter(p -> member.started() - startMillis(p) <= START_TOLERANCE_MILLIS);
  }

  boolean alive(Member member) {
    return find(member).isPresent();
  }

  /** All running processes that carry the mark of this directory, recorded or not. */
  List<ProcessHandle> all() {
    return ProcessHandle.allProcesses().filter(p -> isOurs(p, "")).toList();
  }

  /** Kills at once, as a machine that loses power: nothing is flushed or told to anyone. */
  void kill(List<ProcessHandle> processes) {
    Set<ProcessHandle> all = new LinkedHashSet<>(processes);
    // Containers of a NodeManager stand on the same machine and go with it.
    processes.forEach(p -> p.descendants().forEach(all::add));
    all.forEach(ProcessHandle::destroyForcibly);
    requireGone(all);
  }

  /** Ends processes politely, and those that have not ended after 30 s as {@link #kill} does. */
  void terminate(List<ProcessHandle> processes) {
    processes.forEach(ProcessHandle::destroy);
    if (!await(ORDERLY, () -> processes.stream().noneMatch(Processes::running))) {
      kill(processes);
    }
  }

  /**
   * Sends a signal.
   *
   * @param signal its name without SIG, such as STOP
   */
  void signal(List<ProcessHandle> processes, String signal) {
    List<String> command = new ArrayList<>(List.of("kill", "-" + signal));
    processes.forEach(p -> command.add(Long.toString(p.pid())));
    if (processes.isEmpty()) {
      return;
    }
    try {
      Process kill = new ProcessBuilder(command).inheritIO().start();
      if (kill.waitFor() != 0) {
        throw new CommandException(
            ExitCode.COULD_NOT_RUN, String.join(" ", command) + " ended with " + kill.exitValue());
      }
    } catch (IOException e) {
      throw new CommandException(ExitCode.COULD_NOT_RUN, "no program 'kill' on the path", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandException(ExitCode.INTERRUPTED, "interrupted", e);
    }
  }

  /**
   * Ends every process of the directory, politely first.
   *
   * @return how many there were
   */
  int stopAll() {
    List<ProcessHandle> found = all();
    Set<ProcessHandle> everything = new LinkedHashSet<>(found);
    found.forEach(p -> p.descendants().forEach(everything::add));
    found.forEach(ProcessHandle::destroy);
    if (!await(GRACE, () -> everything.stream().noneMatch(Processes::running))) {
      everything.forEach(ProcessHandle::destroyForcibly);
    }
    List<ProcessHandle> late = new ArrayList<>(all()); // containers started while we stopped
    late.forEach(ProcessHandle::destroyForcibly);
    everything.addAll(late);
    requireGone(everything);
    return found.size();
  }

  /** Start time in milliseconds since 1970, 0 when the system does not tell. */
  static long startMillis(ProcessHandle process) {
    return process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
  }

  /** Waits until something holds; false when the time is over or the thread is interrupted. */
  static boolean await(Duration limit, BooleanSupplier condition) {
    long deadline = System.nanoTime() + limit.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() >= deadline || Thread.currentThread().isInterrupted()) {
        return false;
      }
      try {
        Thread.sleep(100);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    return true;
  }

  private boolean isOurs(ProcessHandle process, String name) {
    String line = process.info().commandLine().orElse("");
    List<String> marks = marks(dir, name);
    String node = name.isEmpty() ? marks.get(1) : marks.get(1) + " ";
    return line.contains(marks.get(0) + " ") && line.contains(node);
  }

  /** A process that has ended but was not yet collected by its parent has no command line. */
  private static boolean running(ProcessHandle process) {
    return process.isAlive() && process.info().commandLine().isPresent();
  }

  private static void requireGone(Set<ProcessHandle> processes) {
    if (!await(GRACE, () -> processes.stream().noneMatch(Processes::running))) {
      List<Long> left =
          processes.stream().filter(Processes::running).map(ProcessHandle::pid).toList();
      throw new CommandException(
          ExitCode.COULD_NOT_RUN, "processes " + left + " did not end after kill -9");
    }
  }
}
