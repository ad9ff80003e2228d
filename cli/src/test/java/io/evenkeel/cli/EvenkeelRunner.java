package io.evenkeel.cli;

import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import picocli.CommandLine;

/** Runs a command of the launcher in this JVM and keeps what it prints. One run each. */
public final class EvenkeelRunner {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final Map<String, String> environment = new HashMap<>();
  private String input = "";

  /** Standard input of the command. */
  public EvenkeelRunner input(String text) {
    input = text;
    return this;
  }

  public EvenkeelRunner environment(String name, String value) {
    environment.put(name, value);
    return this;
  }

  /** The exit code. */
  public int run(Object... arguments) {
    ByteArrayInputStream in = new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8));
    CommandLine line =
        Evenkeel.commandLine(
                new TopologyCheckCommand(environment::get, in),
                new SimulateCommand(in),
                new LocalityCommand(environment::get, in))
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err));
    return Evenkeel.run(line, Arrays.stream(arguments).map(String::valueOf).toArray(String[]::new));
  }

  public String out() {
    return out.toString();
  }

  public String err() {
    return err.toString();
  }
}
