package io.evenkeel.mover.mixed;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** The daemon as a process of its own. Not thread-safe. */
final class Daemon implements AutoCloseable {
  private final List<String> command;
  private final Path output;
  private final int port;
  private Process process;

  /**
   * Prepares.
   *
   * @param site configuration of HDFS
   * @param output what the processes print
   * @param settings {@code key=value}
   */
  Daemon(Path site, Path output, String... settings) throws IOException {
    this.output = output;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    for (String argument : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
      if (argument.startsWith("--add-opens")) {
        command.add(argument);
      }
    }
    command.addAll(
        List.of(
            "-Xmx256m",
            "-Dcom.sun.management.jmxremote.port=" + port,
            "-Dcom.sun.management.jmxremote.host=127.0.0.1",
            "-Dcom.sun.management.jmxremote.authenticate=false",
            "-Dcom.sun.management.jmxremote.ssl=false",
            "-Djava.rmi.server.hostname=127.0.0.1",
            "-Djava.net.preferIPv4Stack=true",
            "-Dlog4j.configuration=" + System.getProperty("log4j.configuration"),
            "-cp",
            System.getProperty("java.class.path"),
            "io.evenkeel.mover.MoverTool",
            "-conf",
            site.toString()));
    for (String setting : settings) {
      command.add("-D" + setting);
    }
    command.add("--follow");
  }

  void start() throws IOException {
    process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()))
            .start();
  }

  boolean isAlive() {
    return process != null && process.isAlive();
  }

  /** Kills it as a machine that loses power does. */
  void kill() throws InterruptedException {
    process.destroyForcibly();
    process.waitFor();
  }

  /** Holds it, or lets it go on. */
  void hold(boolean held) throws IOException, InterruptedException {
    int code =
        new ProcessBuilder("kill", held ? "-STOP" : "-CONT", Long.toString(process.pid()))
            .start()
            .waitFor();
    if (code != 0) {
      throw new IOException("kill ended with " + code + ": " + printed());
    }
  }

  /** Ends it as an operator does. */
  void end() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      throw new AssertionError("the daemon does not end");
    }
  }

  String printed() throws IOException {
    return Files.exists(output) ? Files.readString(output) : "";
  }

  /** Its numbers by the attributes of its bean; empty while it does not answer. */
  @SuppressWarnings("BanJNDI") // of a process of ours
  Map<String, Long> numbers() {
    Map<String, Long> numbers = new HashMap<>();
    String address = "service:jmx:rmi:///jndi/rmi://127.0.0.1:" + port + "/jmxrmi";
    try (JMXConnector connector = JMXConnectorFactory.connect(new JMXServiceURL(address))) {
      MBeanServerConnection server = connector.getMBeanServerConnection();
      ObjectName any = new ObjectName("io.evenkeel:type=Mover,name=Follow,*");
      for (ObjectName bean : server.queryNames(any, null)) {
        for (MBeanAttributeInfo attribute : server.getMBeanInfo(bean).getAttributes()) {
          Object value = server.getAttribute(bean, attribute.getName());
          if (value instanceof Long) {
            numbers.put(attribute.getName(), (Long) value);
          } else if (attribute.getName().equals("State")) {
            numbers.put("Active", value.equals("active") ? 1L : 0L);
          }
        }
      }
    } catch (IOException | JMException e) {
      numbers.clear();
    }
    return numbers;
  }

  @Override
  public void close() {
    if (process != null) {
      process.destroyForcibly();
    }
  }
}
