package io.evenkeel.cli;

import io.evenkeel.common.json.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Runs {@code evenkeel volumes} against web servers that answer as a DataNode's /jmx does. */
@Timeout(60)
abstract class VolumesCommandFixture {
  static final String BEAN = "io.evenkeel:type=Volumes,module=volume";
  static final Clock CLOCK = Clock.fixed(Instant.parse("2026-03-04T05:06:07.8Z"), ZoneOffset.UTC);

  @TempDir Path dir;
  private final List<FakeDaemon> started = new ArrayList<>();
  final Map<String, String> environment = new HashMap<>();
  final StringWriter out = new StringWriter();
  final StringWriter err = new StringWriter();
  final FakeScreen screen = new FakeScreen();

  @AfterEach
  void stop() {
    started.forEach(FakeDaemon::close);
  }

  static final class FakeScreen implements Screen {
    final List<Integer> pauses = new ArrayList<>();
    boolean terminal;
    boolean gone;
    Runnable whilePausing = () -> {};

    @Override
    public boolean isTerminal() {
      return terminal;
    }

    @Override
    public boolean isGone() {
      return gone;
    }

    @Override
    public void pause(int seconds) {
      pauses.add(seconds);
      whilePausing.run();
    }
  }

  FakeDaemon keep(FakeDaemon daemon) {
    started.add(daemon);
    return daemon;
  }

  /** A DataNode with stock classes. */
  FakeDaemon stock() throws IOException {
    return keep(FakeDaemon.start())
        .bean("Hadoop:service=DataNode,name=DataNodeInfo", Map.of("Version", "3.4.3"));
  }

  /** Lets the environment name a configuration with this NameNode. */
  void configure(FakeDaemon nameNode) throws IOException {
    Files.writeString(
        dir.resolve("hdfs-site.xml"),
        "<configuration><property><name>dfs.namenode.http-address</name><value>"
            + nameNode.address()
            + "</value></property></configuration>");
    environment.put("HADOOP_CONF_DIR", dir.toString());
  }

  FakeDaemon dataNode(List<Map<String, Object>> volumes) throws IOException {
    return stock().bean(BEAN, bean(volumes)).volume(plugin(""));
  }

  static Map<String, Object> plugin(String reason) {
    return Map.of(
        "PluginClass", "io.evenkeel.volume.LatencyAwareVolumeChoosingPolicy", "Reason", reason);
  }

  static Map<String, Object> bean(List<Map<String, Object>> volumes) {
    Map<String, Object> bean = new LinkedHashMap<>();
    bean.put("State", "active");
    bean.put("Choices", 400);
    bean.put("OutOfSpace", 3);
    bean.put("Rescued", 1);
    bean.put("WouldDiffer", 0);
    bean.put("Volumes", volumes);
    return bean;
  }

  /** A volume in use; pairs of attribute and value replace the usual ones. */
  static Map<String, Object> volume(String directory, Object... different) {
    Map<String, Object> volume = new LinkedHashMap<>();
    volume.put("directory", directory);
    volume.put("storageType", "DISK");
    volume.put("deviceClass", "");
    volume.put("weight", 1.0);
    volume.put("health", "in_use");
    volume.put("healthSeconds", 0.0);
    volume.put("reason", "");
    volume.put("choices", 100);
    volume.put("share", 0.25);
    volume.put("recentShare", 0.125);
    volume.put("wouldHaveChosen", 0);
    volume.put("inFlight", 3.0);
    volume.put("idleUsers", 0.0);
    volume.put("score", 1.5);
    volume.put("latencyMillis", 12.5);
    volume.put("ejections", 2);
    volume.put("probes", 4);
    volume.put("availableBytes", 3L << 39);
    volume.put("capacityBytes", 4L << 40);
    volume.put("sampleAgeSeconds", 0.5);
    volume.put("signal", "references, device 8:16");
    for (int i = 0; i < different.length; i += 2) {
      volume.put((String) different[i], different[i + 1]);
    }
    return volume;
  }

  int volumes(String... options) {
    return run("volumes", new VolumesCommand(environment::get, screen, CLOCK), options);
  }

  int run(String name, Object command, String... options) {
    CommandLine line =
        Evenkeel.commandLine(command).setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    List<String> args = new ArrayList<>(List.of(name));
    args.addAll(List.of(options));
    return Evenkeel.run(line, args.toArray(new String[0]));
  }

  @SuppressWarnings("unchecked")
  Map<String, Object> json(FakeDaemon dn) {
    out.getBuffer().setLength(0);
    volumes("--json", dn.url());
    Map<String, Object> json = (Map<String, Object>) Json.parse(out.toString());
    return ((List<Map<String, Object>>) json.get("dataNodes")).get(0);
  }
}
