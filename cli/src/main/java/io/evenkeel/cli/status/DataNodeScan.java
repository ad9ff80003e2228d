package io.evenkeel.cli.status;

import io.evenkeel.cli.core.Finding;
import io.evenkeel.cli.datanodes.core.DataNodeAnswer;
import io.evenkeel.cli.datanodes.core.DataNodesReport;
import io.evenkeel.cli.status.core.DaemonReport;
import io.evenkeel.common.jmx.JmxClient;
import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/**
 * Asks DataNodes for one bean of a plugin, many at once. Separate from the command, because it
 * knows no options and prints nothing. Immutable; each call is a round of its own.
 *
 * @param <D> what one DataNode answers
 */
public final class DataNodeScan<D extends DataNodeAnswer> {
  private static final String DATANODE = "Hadoop:service=DataNode,name=DataNodeInfo";

  private final int timeoutMillis;
  private final Consumer<String> progress;
  private final Clock clock;
  private final BiFunction<URI, List<Map<String, Object>>, List<D>> reader;
  private final BiFunction<URI, String, D> silent;
  private final BiFunction<List<D>, List<String>, List<Finding>> findings;

  /**
   * Creates a scan.
   *
   * @param timeoutMillis limit per connection and read, in milliseconds
   * @param progress told in one line, from time to time, who has not answered
   * @param clock says when a round ended
   * @param reader what a DataNode with these beans of plugins answers; several only of the one JVM
   *     of a mini cluster
   * @param silent the answer of one that gives none in time, with the reason in one line
   * @param findings of all answers, and of one line for each daemon that could not be asked
   */
  public DataNodeScan(
      int timeoutMillis,
      Consumer<String> progress,
      Clock clock,
      BiFunction<URI, List<Map<String, Object>>, List<D>> reader,
      BiFunction<URI, String, D> silent,
      BiFunction<List<D>, List<String>, List<Finding>> findings) {
    this.timeoutMillis = timeoutMillis;
    this.progress = progress;
    this.clock = clock;
    this.reader = reader;
    this.silent = silent;
    this.findings = findings;
  }

  /**
   * Asks the DataNodes at these addresses.
   *
   * @throws InterruptedException when the waiting thread is interrupted; threads end with it
   */
  public DataNodesReport<D> ask(List<URI> dataNodes) throws InterruptedException {
    return ask("addresses given", dataNodes, Collections.<String>emptyList());
  }

  /**
   * Asks the DataNodes that the NameNodes of a cluster call live.
   *
   * @throws InterruptedException when the waiting thread is interrupted; threads end with it
   */
  public DataNodesReport<D> ask(ClusterSource source) throws InterruptedException {
    ClusterScan.Members members = new ClusterScan(timeoutMillis, progress).members(source);
    List<String> missing = new ArrayList<>();
    for (DaemonReport nameNode : members.nameNodes()) {
      if (!nameNode.hasAnswered()) {
        missing.add(
            "NameNode " + nameNode.daemon().name() + " did not answer: " + nameNode.error());
      }
    }
    members.deadDataNodes().forEach(dead -> missing.add(dead + " is dead, says the NameNode"));
    return ask(source.description(), members.liveDataNodes(), missing);
  }

  private DataNodesReport<D> ask(String source, List<URI> dataNodes, List<String> missing)
      throws InterruptedException {
    List<Callable<List<D>>> questions = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (URI uri : dataNodes) {
      names.add(uri.getAuthority());
      questions.add(() -> answers(uri));
    }
    List<D> answers = new ArrayList<>();
    new ManyAtOnce(timeoutMillis, progress)
        .ask(names, questions, (number, reason) -> none(dataNodes.get(number), reason))
        .forEach(answers::addAll);
    return new DataNodesReport<>(
        source, clock.instant(), answers, findings.apply(answers, missing));
  }

  private List<D> answers(URI uri) {
    JmxClient jmx = new JmxClient(uri, timeoutMillis);
    try {
      List<D> answers = reader.apply(uri, jmx.query("io.evenkeel:*"));
      boolean shown = answers.stream().anyMatch(DataNodeAnswer::hasBean);
      return shown || !jmx.bean(DATANODE).isEmpty()
          ? answers
          : none(uri, "it answers, but is no DataNode");
    } catch (IOException e) {
      return none(uri, DaemonProbe.reason(uri, e));
    }
  }

  private List<D> none(URI uri, String reason) {
    return Collections.singletonList(silent.apply(uri, reason));
  }
}
