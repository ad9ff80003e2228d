package io.evenkeel.cli.doctor;

import io.evenkeel.cli.doctor.core.YarnHistory;
import io.evenkeel.cli.doctor.core.YarnHistory.NodeManager;
import io.evenkeel.cli.doctor.core.YarnHistory.Numbers;
import io.evenkeel.cli.status.ClusterSource;
import io.evenkeel.cli.status.ManyAtOnce;
import io.evenkeel.common.jmx.JmxClient;
import io.evenkeel.common.json.Json;
import java.io.IOException;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Asks a ResourceManager and its NodeManagers, once when the watch of HDFS begins and once when it
 * has ended. Apart from {@link Sampler}, which asks the daemons of HDFS in rounds. Confined to the
 * thread that calls it; one object asks one YARN once.
 */
public final class YarnSampler {
  private static final String MANAGER = "Hadoop:service=ResourceManager,name=";
  private static final String NODE = "Hadoop:service=NodeManager,name=";
  private static final double NANOS = 1e9;

  private final int timeoutMillis;
  private final LongSupplier nanos;
  private final Consumer<String> progress;
  private final List<URI> resourceManagers;
  private final List<String> unseen = new ArrayList<>();
  private JmxClient manager;
  private Map<String, Object> managerBefore = Collections.emptyMap();
  private final Map<String, Map<String, Object>> nodesBefore = new LinkedHashMap<>();
  private long began;

  /**
   * Creates it.
   *
   * @param resourceManagers those of one YARN; none where it is not asked
   * @param timeoutMillis limit per connection and read, in milliseconds
   * @param nanos a clock that never goes back
   * @param progress told in one line who has not answered
   */
  public YarnSampler(
      List<URI> resourceManagers,
      int timeoutMillis,
      LongSupplier nanos,
      Consumer<String> progress) {
    this.resourceManagers = resourceManagers;
    this.timeoutMillis = timeoutMillis;
    this.nanos = nanos;
    this.progress = progress;
  }

  /** What one daemon said. Immutable. */
  private static final class Answer {
    private final Map<String, Object> attributes;
    private final String silence;
    private final boolean unknownHere;

    Answer(Map<String, Object> attributes, String silence, boolean unknownHere) {
      this.attributes = attributes;
      this.silence = silence;
      this.unknownHere = unknownHere;
    }
  }

  /**
   * Asks for the first time; the ResourceManager is the one that has NodeManagers, which a standby
   * one has not.
   *
   * @throws InterruptedException when the waiting thread is interrupted; threads end with it
   */
  public void begin() throws InterruptedException {
    began = nanos.getAsLong();
    manager = find();
    if (manager == null) {
      return;
    }
    try {
      managerBefore = numbers(manager, MANAGER, "ClusterMetrics");
      ask(nodes(manager)).forEach((name, answer) -> nodesBefore.put(name, answer.attributes));
    } catch (IOException e) {
      unseen.add("YARN at the beginning: " + e.getMessage());
    }
  }

  /**
   * Asks again, after a failover the other ResourceManager.
   *
   * @return null when none answered
   * @throws InterruptedException when the waiting thread is interrupted; threads end with it
   */
  public YarnHistory end() throws InterruptedException {
    if (manager == null) {
      return null;
    }
    JmxClient before = manager;
    manager = find();
    if (manager == null) {
      return null;
    }
    double seconds = (nanos.getAsLong() - began) / NANOS;
    boolean same = before.base().equals(manager.base());
    try {
      Map<String, Map<?, ?>> known = nodes(manager);
      Numbers numbers =
          new Numbers(
              same ? managerBefore : Collections.emptyMap(),
              numbers(manager, MANAGER, "ClusterMetrics"));
      List<NodeManager> nodes = new ArrayList<>();
      List<String> unknown = new ArrayList<>();
      Map<String, Answer> answers = ask(known);
      answers.forEach(
          (name, answer) -> {
            if (answer.unknownHere) {
              unknown.add(name);
            }
          });
      if (!unknown.isEmpty()) {
        unseen.add("NodeManagers " + Places.some(unknown) + ": their hosts are not known here");
      }
      answers.forEach(
          (name, answer) ->
              nodes.add(
                  new NodeManager(
                      name,
                      known.get(name),
                      new Numbers(
                          nodesBefore.getOrDefault(name, Collections.emptyMap()),
                          answer.attributes),
                      answer.silence)));
      if (nodes.isEmpty()) {
        unseen.add("YARN: " + manager.base() + " knows no NodeManager, as a standby one");
      }
      return new YarnHistory("ResourceManager", seconds, numbers, nodes);
    } catch (IOException e) {
      unseen.add("YARN: the ResourceManager has not answered again: " + e.getMessage());
      return null;
    }
  }

  /** Null when none answers, with a line for that. */
  private JmxClient find() {
    JmxClient found = null;
    List<String> failures = new ArrayList<>();
    for (URI uri : resourceManagers) {
      JmxClient jmx = new JmxClient(uri, timeoutMillis);
      try {
        if (jmx.bean(MANAGER + "RMNMInfo").isEmpty()) {
          failures.add(uri + " answers, but is no ResourceManager");
        } else if (found == null || !nodes(jmx).isEmpty()) {
          found = jmx;
        }
      } catch (IOException e) {
        failures.add(e.getMessage());
      }
    }
    if (found == null && !resourceManagers.isEmpty()) {
      unseen.add("YARN: no ResourceManager answered: " + String.join("; ", failures));
    }
    return found;
  }

  /** A line for each thing that could not be looked at, with the reason. */
  public List<String> unseen() {
    return Collections.unmodifiableList(unseen);
  }

  /** Who is asked, in words; empty when nobody answered. */
  public String load() {
    return manager == null
        ? ""
        : "; at the beginning and in the end three to "
            + manager.base()
            + " and two to each of its "
            + nodesBefore.size()
            + " NodeManagers";
  }

  /** The NodeManagers that a ResourceManager lists, by host and web port, else by host. */
  private static Map<String, Map<?, ?>> nodes(JmxClient jmx) throws IOException {
    Object listed = jmx.bean(MANAGER + "RMNMInfo").get("LiveNodeManagers");
    Map<String, Map<?, ?>> nodes = new LinkedHashMap<>();
    Object parsed;
    try {
      parsed = listed == null ? null : Json.parse(listed.toString());
    } catch (IllegalArgumentException e) {
      throw new IOException(jmx.base() + " lists its NodeManagers in no JSON", e);
    }
    for (Object each : parsed instanceof List ? (List<?>) parsed : Collections.emptyList()) {
      if (each instanceof Map) {
        Map<?, ?> node = (Map<?, ?>) each;
        Object address = node.get("NodeHTTPAddress");
        nodes.put(String.valueOf(address == null ? node.get("HostName") : address), node);
      }
    }
    return nodes;
  }

  private Map<String, Answer> ask(Map<String, Map<?, ?>> known) throws InterruptedException {
    List<String> names = new ArrayList<>(known.keySet());
    List<Callable<Answer>> questions = new ArrayList<>();
    for (String name : names) {
      questions.add(() -> ask(name));
    }
    List<Answer> answers =
        new ManyAtOnce(timeoutMillis, progress)
            .ask(names, questions, (i, why) -> new Answer(Collections.emptyMap(), why, false));
    Map<String, Answer> all = new LinkedHashMap<>();
    for (int i = 0; i < names.size(); i++) {
      all.put(names.get(i), answers.get(i));
    }
    return all;
  }

  private Answer ask(String name) {
    try {
      URI uri = ClusterSource.address(manager.base().getScheme() + "://" + name);
      JmxClient node = new JmxClient(uri, timeoutMillis);
      return new Answer(numbers(node, NODE, "NodeManagerMetrics"), "", false);
    } catch (IllegalArgumentException e) {
      return new Answer(Collections.emptyMap(), "", false); // it has no web address
    } catch (IOException e) {
      // a name that is not known here says nothing of the daemon
      boolean unknown = e.getCause() instanceof UnknownHostException;
      String silence = unknown ? "" : String.valueOf(e.getMessage());
      return new Answer(Collections.emptyMap(), silence, unknown);
    }
  }

  private static Map<String, Object> numbers(JmxClient daemon, String prefix, String bean)
      throws IOException {
    Map<String, Object> numbers = new LinkedHashMap<>(daemon.bean(prefix + bean));
    numbers.putAll(daemon.bean(prefix + "JvmMetrics"));
    return numbers;
  }
}
