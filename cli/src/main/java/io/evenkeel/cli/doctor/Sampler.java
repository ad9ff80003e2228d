package io.evenkeel.cli.doctor;

import io.evenkeel.cli.core.topology.Topology;
import io.evenkeel.cli.core.topology.TopologyNode;
import io.evenkeel.cli.doctor.core.BlockListing;
import io.evenkeel.cli.doctor.core.ClusterHistory;
import io.evenkeel.cli.doctor.core.DataNodeHistory;
import io.evenkeel.cli.doctor.core.NameNodeReading;
import io.evenkeel.cli.doctor.core.Reading;
import io.evenkeel.cli.doctor.core.ThreadDump;
import io.evenkeel.cli.status.ClusterSource;
import io.evenkeel.cli.status.LiveDataNode;
import io.evenkeel.cli.status.ManyAtOnce;
import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.common.http.WebClient;
import io.evenkeel.common.http.WebStatusException;
import io.evenkeel.common.jmx.JmxClient;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import javax.net.ssl.SSLException;

/**
 * Asks a NameNode and all its live DataNodes in rounds. Each round asks every DataNode once, all at
 * a time. Confined to the thread that calls it; one object asks one cluster once.
 */
public final class Sampler {
  /**
   * Seconds from the end of a round to the next. A daemon keeps what it shows for ten seconds:
   * asked sooner, it says the same again.
   */
  static final int PAUSE_SECONDS = 10;

  private static final String DATANODE = "Hadoop:service=DataNode,";
  private static final double NANOS = 1e9;
  private static final int SECONDS_PER_MINUTE = 60;
  private static final int ROUNDS_OF_A_MINUTE = SECONDS_PER_MINUTE / PAUSE_SECONDS;
  private static final long PROMPT_MILLIS = 2000;

  /**
   * Threads are asked for in every so many rounds: each time the DataNode writes them to its log.
   */
  private static final int ROUNDS_OF_A_DUMP = 3;

  private final int timeoutMillis;
  private final LongSupplier nanos;
  private final Pause pause;
  private final Consumer<String> progress;
  private final List<String> unseen = new ArrayList<>();
  private final List<NameNodeReading> nameNode = new ArrayList<>();
  private final List<Node> nodes = new ArrayList<>();

  private boolean threads = true;
  private ClusterSource source;
  private NameNodeWatch watch;
  private String noNameNode;
  private Map<String, String> conf;
  private Topology topology;
  private long began;

  /**
   * Creates it.
   *
   * @param timeoutMillis limit per connection and read, in milliseconds
   * @param nanos a clock that never goes back
   * @param progress told in one line what is done
   */
  public Sampler(int timeoutMillis, LongSupplier nanos, Pause pause, Consumer<String> progress) {
    this.timeoutMillis = timeoutMillis;
    this.nanos = nanos;
    this.pause = pause;
    this.progress = progress;
  }

  /** Does not ask for threads, which DataNodes write to their logs as well. */
  public void withoutThreads() {
    threads = false;
  }

  /** A live DataNode and what it has said. Each round writes it in the thread of the sampler. */
  private static final class Node {
    private final String registered;
    private final LiveDataNode daemon;
    private final Topology.Spot spot;
    private final boolean inService;
    private final List<Reading> rounds = new ArrayList<>();
    private final List<ThreadDump> dumps = new ArrayList<>();
    private int first = -1; // round of the first reading
    private int last = -1; // round of the last one
    private String silence;
    private boolean refused;

    /** Seconds by which its clock is ahead of the one here; written by the thread that asks it. */
    private volatile double clock = Double.NaN;

    private String noDump;

    Node(String registered, LiveDataNode daemon, Topology.Spot spot, boolean inService) {
      this.registered = registered;
      this.daemon = daemon;
      this.spot = spot;
      this.inService = inService;
    }

    /** Of an hour of many DataNodes only the ends are kept whole. */
    void add(Reading reading) {
      rounds.add(reading);
      if (reading != null) {
        if (last > first) {
          rounds.set(last, rounds.get(last).numbersOnly());
        }
        last = rounds.size() - 1;
        first = first < 0 ? last : first;
      }
    }

    /**
     * In whole seconds, so that it is later by half of one in the mean. Nobody knows when between
     * question and answer that was: slow ones are left out.
     */
    void tellsTime(long millis, long askedMillis) {
      long now = System.currentTimeMillis();
      if (now - askedMillis <= PROMPT_MILLIS) {
        clock = (millis + 500 - (now + askedMillis) / 2) / 1000.0;
      }
    }
  }

  /** What one question came to. Immutable. */
  private static final class Answer {
    private final Reading reading;
    private final String silence;
    private final boolean refused;

    Answer(Reading reading, String silence, boolean refused) {
      this.reading = reading;
      this.silence = silence;
      this.refused = refused;
    }
  }

  /**
   * Finds the active NameNode of a cluster, and its live DataNodes.
   *
   * @throws CommandException when no NameNode answers
   * @throws InterruptedException when the waiting thread is interrupted
   */
  public void find(ClusterSource cluster, Places places) throws InterruptedException {
    source = cluster;
    watch = NameNodeWatch.find(cluster, timeoutMillis);
    if (watch.notActive() != null) {
      unseen.add(watch.notActive());
    }
    began = nanos.getAsLong();
    NameNodeReading first;
    try {
      first = watch.read(this::seconds, true);
    } catch (IOException e) {
      throw new CommandException(ExitCode.COULD_NOT_RUN, e.getMessage(), e);
    }
    if (first.text("LiveNodes").isEmpty()) {
      throw new CommandException(ExitCode.COULD_NOT_RUN, watch.uri() + " is still starting");
    }
    Map<String, Map<?, ?>> live = first.nodes("LiveNodes");
    if (live.isEmpty() && !first.text("LiveNodes").trim().equals("{}")) {
      throw new CommandException(
          ExitCode.COULD_NOT_RUN, watch.uri() + " lists its DataNodes in no JSON");
    }
    nameNode.add(first);
    unseen.addAll(watch.otherNamespaces(cluster));
    topology = places.of(live, timeoutMillis, unseen);
    for (TopologyNode each : topology.nodes()) {
      Map<?, ?> attributes = live.get(each.name());
      try {
        LiveDataNode daemon = LiveDataNode.of(each.name(), attributes, watch.https());
        nodes.add(new Node(each.name(), daemon, topology.spot(each), each.inService()));
      } catch (IllegalArgumentException e) {
        unseen.add("DataNode " + each.name() + ": the NameNode does not say its web address");
      }
    }
    conf = watch.conf(unseen);
  }

  /** Rounds of a run of some minutes. */
  private static int rounds(int minutes) {
    return 1 + minutes * ROUNDS_OF_A_MINUTE;
  }

  /**
   * The load of a run on the daemons, in a line.
   *
   * @param least minutes
   * @param most minutes
   */
  public String load(int least, int most) {
    int rounds = rounds(most);
    int dumps = threads ? (rounds + ROUNDS_OF_A_DUMP - 1) / ROUNDS_OF_A_DUMP : 0;
    return String.format(
        Locale.ROOT,
        "asking %s and %,d DataNodes for %s min: at most %,d requests to each DataNode (%,d of them"
            + " for its threads, which it also writes to its log), %,d to all of them, and %,d to"
            + " the NameNode",
        watch.uri(),
        nodes.size(),
        least == most ? "" + most : least + " to " + most,
        rounds + dumps,
        dumps,
        (long) (rounds + dumps) * nodes.size(),
        rounds * NameNodeWatch.REQUESTS + NameNodeWatch.REQUESTS_BESIDES);
  }

  /**
   * Asks.
   *
   * @param least minutes
   * @param most minutes
   * @param more whether after the least, and each minute later, a longer watch is worth it
   * @param listings blocks, where they are looked at, by the NameNode that is active in the end;
   *     gives null where they are not
   * @throws InterruptedException when the waiting thread is interrupted; threads end with it
   */
  public Sample run(
      int least, int most, Predicate<ClusterHistory> more, Function<URI, BlockListing> listings)
      throws InterruptedException {
    int rounds = rounds(most);
    double until = seconds() + most * SECONDS_PER_MINUTE;
    boolean last = false;
    for (int round = 1; !last; round++) {
      if (round > 1) {
        pause.seconds(PAUSE_SECONDS);
      }
      // daemons that hang make rounds longer, but not the run
      last = round == rounds || seconds() >= until;
      if (!last && round > rounds(least) && (round - 2) % ROUNDS_OF_A_MINUTE == 0) {
        last = !more.test(history(null));
      }
      if (!last && round == rounds(least) + 1) {
        progress.accept(
            "nobody is slow beyond doubt yet: watching on, up to " + most + " min in all");
      }
      askNameNode(round, last);
      int answered = askDataNodes();
      if (threads && (round - 1) % ROUNDS_OF_A_DUMP == 0) {
        askThreads();
      }
      progress.accept(
          String.format(
              Locale.ROOT,
              "round %d of %d: %,d of %,d DataNodes answered",
              round,
              rounds,
              answered,
              nodes.size()));
    }
    return sample(listings.apply(watch.uri()));
  }

  private double seconds() {
    return (nanos.getAsLong() - began) / NANOS;
  }

  private void askNameNode(int round, boolean last) {
    if (round == 1) {
      return; // it was asked when it was found
    }
    NameNodeReading now = null;
    String failure = "";
    try {
      now = watch.read(this::seconds, last);
    } catch (IOException e) {
      failure = e.getMessage();
    }
    if (now == null || !now.isActive()) {
      NameNodeReading next = failover(last);
      now = next == null ? now : next;
    }
    if (now == null) {
      noNameNode = "the NameNode in round " + round + ": " + failure;
    } else {
      nameNode.add(now.filledFrom(nameNode.get(nameNode.size() - 1)));
    }
  }

  /**
   * Goes over to another NameNode that is active by now, and what it says; null if there is none.
   */
  private NameNodeReading failover(boolean last) {
    NameNodeWatch next = watch.successor(source, nameNode.get(0).text("BlockPoolId"));
    if (next == null) {
      return null;
    }
    try {
      NameNodeReading now = next.read(this::seconds, last);
      watch = next;
      return now;
    } catch (IOException e) {
      return null; // it is asked again in the next round
    }
  }

  private int askDataNodes() throws InterruptedException {
    List<String> names = new ArrayList<>();
    List<Callable<Answer>> questions = new ArrayList<>();
    for (Node node : nodes) {
      names.add(node.daemon.name());
      questions.add(() -> ask(node));
    }
    List<Answer> answers =
        new ManyAtOnce(timeoutMillis, progress)
            .ask(names, questions, (number, reason) -> new Answer(null, reason, false));
    int answered = 0;
    for (int i = 0; i < answers.size(); i++) {
      Answer answer = answers.get(i);
      nodes.get(i).add(answer.reading);
      nodes.get(i).silence = answer.silence;
      nodes.get(i).refused = answer.refused;
      answered += answer.reading == null ? 0 : 1;
    }
    return answered;
  }

  private Answer ask(Node node) {
    try {
      long asked = System.currentTimeMillis();
      List<Map<String, Object>> beans =
          new JmxClient(node.daemon.uri(), timeoutMillis)
              .query(DATANODE + "*", millis -> node.tellsTime(millis, asked));
      return isDataNode(beans)
          ? new Answer(Reading.of(seconds(), beans), null, false)
          : new Answer(null, "it answers, but is no DataNode", false);
    } catch (IOException e) {
      return new Answer(null, reason(node, e), isRefusal(e));
    }
  }

  private void askThreads() throws InterruptedException {
    List<String> names = new ArrayList<>();
    List<Callable<Object>> questions = new ArrayList<>();
    for (Node node : nodes) {
      names.add(node.daemon.name());
      questions.add(() -> threads(node));
    }
    List<Object> answers =
        new ManyAtOnce(timeoutMillis, progress).ask(names, questions, (number, reason) -> reason);
    for (int i = 0; i < answers.size(); i++) {
      if (answers.get(i) instanceof ThreadDump) {
        nodes.get(i).dumps.add((ThreadDump) answers.get(i));
      } else {
        nodes.get(i).noDump = String.valueOf(answers.get(i));
      }
    }
  }

  /** A dump, or the reason why there is none. */
  private Object threads(Node node) {
    ThreadDump.Reader reader = new ThreadDump.Reader();
    try {
      new WebClient(node.daemon.uri(), timeoutMillis).lines("/stacks", reader::line);
      ThreadDump dump = reader.end(seconds());
      return dump == null ? "no thread dump" : dump;
    } catch (IOException e) {
      return reason(node, e);
    }
  }

  private static String reason(Node node, IOException e) {
    String text = String.valueOf(e.getMessage()).replaceAll("\\s+", " ");
    return text.replace(node.daemon.uri().toString(), "").trim();
  }

  /** Whether a server is there that does not speak to us. */
  private static boolean isRefusal(IOException e) {
    boolean refused = e instanceof SSLException || e.getCause() instanceof SSLException;
    refused |= e.getCause() instanceof UnknownHostException; // its name is not known here
    if (e instanceof WebStatusException) {
      int code = ((WebStatusException) e).code();
      refused |= code == HttpURLConnection.HTTP_UNAUTHORIZED;
      refused |= code == HttpURLConnection.HTTP_FORBIDDEN;
    }
    return refused;
  }

  private static boolean isDataNode(List<Map<String, Object>> beans) {
    return beans.stream()
        .anyMatch(bean -> (DATANODE + "name=DataNodeInfo").equals(bean.get("name")));
  }

  /** What was seen so far. */
  private ClusterHistory history(BlockListing listing) {
    List<DataNodeHistory> histories = new ArrayList<>();
    for (Node node : nodes) {
      histories.add(
          new DataNodeHistory(
                  node.daemon.name(),
                  node.spot.host(),
                  node.spot.rack(),
                  node.inService,
                  node.rounds)
              .with(node.dumps)
              .withClock(node.clock)
              .registeredAs(node.registered)
              .refusing(node.refused));
    }
    return new ClusterHistory(histories, nameNode, conf, watch.pluginState(), topology, listing);
  }

  private Sample sample(BlockListing listing) {
    Map<String, List<String>> silent = new LinkedHashMap<>();
    Map<String, List<String>> closed = new LinkedHashMap<>();
    for (Node node : nodes) {
      String name = node.daemon.name();
      if (node.last < 0) {
        silent.computeIfAbsent(String.valueOf(node.silence), r -> new ArrayList<>()).add(name);
      } else if (node.dumps.isEmpty() && threads) {
        closed.computeIfAbsent(String.valueOf(node.noDump), r -> new ArrayList<>()).add(name);
      }
    }
    if (noNameNode != null) {
      unseen.add(noNameNode);
    }
    silent.forEach((reason, names) -> unseen(names, "no answer in any round: " + reason));
    closed.forEach((reason, names) -> unseen(names, "its threads: " + reason));
    return new Sample(watch.uri(), history(listing), Collections.unmodifiableList(unseen));
  }

  private void unseen(List<String> names, String why) {
    String what = names.size() == 1 ? "DataNode " : names.size() + " DataNodes ";
    unseen.add(what + Places.some(names) + ": " + why);
  }
}
