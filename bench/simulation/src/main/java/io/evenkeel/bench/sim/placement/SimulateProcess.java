package io.evenkeel.bench.sim.placement;

import io.evenkeel.bench.runtime.HadoopRuntime;
import io.evenkeel.bench.runtime.Jvm;
import io.evenkeel.bench.runtime.Programs;
import io.evenkeel.common.cli.CommandException;

/**
 * Runs {@link SimulateMain} in a child JVM on the classes of a Hadoop release. Stands apart from it
 * because the launcher, which has no Hadoop, loads this class. Stateless.
 */
public final class SimulateProcess {
  private SimulateProcess() {}

  /**
   * Simulates the writing of blocks and waits; progress goes to this process's standard error.
   *
   * @param request JSON for {@link SimulateMain}
   * @return its answer, JSON
   * @throws CommandException when the release or the JVM cannot be had, or there is no answer
   * @throws InterruptedException when interrupted; the child is ended first
   */
  public static String simulate(String hadoopVersion, String request) throws InterruptedException {
    HadoopRuntime hadoop = HadoopRuntime.resolve(hadoopVersion);
    return Programs.answer(Jvm.command(hadoop, "1g", SimulateMain.class.getName()), request);
  }
}
