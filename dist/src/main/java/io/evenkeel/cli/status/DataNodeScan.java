package io.evenkeel.cli.status;

import io.evenkeel.cli.status.core.DaemonReport;
import java.net.URI;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Asks DataNodes one question each, many at once. Immutable; each call is a round of its own.
 *
 * @param <T> what one DataNode answers
 */
public final class DataNodeScan<T> {
  private final int timeoutMillis;
  private final Clock clock;
  private final Function<URI, List<T>> question;
  private final BiFunction<URI, String, T> silent;

  /**
   * Creates a scan.
   *
   * @param timeoutMillis limit per connection and read, in milliseconds
   * @param clock says when a round ended
   * @param question asks the DataNode at an address; several answers only of a mini cluster
   * @param silent the answer of one that gives none in time, with the reason in one line
   */
  public DataNodeScan(
      int timeoutMillis,
      Clock clock,
      Function<URI, List<T>> question,
      BiFunction<URI, String, T> silent) {
    this.timeoutMillis = timeoutMillis;
    this.clock = clock;
    this.question = question;
    this.silent = silent;
  }

  /** One round. Immutable. */
  public static final class Round<T> {
    private final String source;
    private final Instant time;
    private final List<T> answers;
    private final List<String> missing;

    Round(String source, Instant time, List<T> answers, List<String> missing) {
      this.source = source;
      this.time = time;
      this.answers = Collections.unmodifiableList(answers);
      this.missing = Collections.unmodifiableList(missing);
    }

    /** Where the addresses came from, in words. */
    public String source() {
      return source;
    }

    /** When the round ended. */
    public Instant time() {
      return time;
    }

    /** In the order of the addresses. */
    public List<T> answers() {
      return answers;
    }

    /** Daemons that could not be asked, one line each. */
    public List<String> missing() {
      return missing;
    }
  }

  /**
   * Asks the DataNodes at these addresses.
   *
   * @throws InterruptedException when the waiting thread is interrupted; threads end with it
   */
  public Round<T> ask(List<URI> dataNodes) throws InterruptedException {
    return ask("addresses given", dataNodes, Collections.<String>emptyList());
  }

  /**
   * Asks the DataNodes that the NameNodes of a cluster call live.
   *
   * @throws InterruptedException when the waiting thread is interrupted; threads end with it
   */
  public Round<T> ask(ClusterSource source) throws InterruptedException {
    ClusterScan.Members members = new ClusterScan(timeoutMillis).members(source);
    List<String> missing = new ArrayList<>();
    for (DaemonReport nameNode : members.nameNodes()) {
      if (!nameNode.hasAnswered()) {
        missing.add(
            "NameNode " + nameNode.daemon().address() + " did not answer: " + nameNode.error());
      }
    }
    members.deadDataNodes().forEach(dead -> missing.add(dead + " is dead for the NameNode"));
    return ask(source.description(), members.liveDataNodes(), missing);
  }

  private Round<T> ask(String source, List<URI> dataNodes, List<String> missing)
      throws InterruptedException {
    List<Callable<List<T>>> questions = new ArrayList<>();
    for (URI uri : dataNodes) {
      questions.add(() -> question.apply(uri));
    }
    List<T> answers = new ArrayList<>();
    new ManyAtOnce(timeoutMillis)
        .ask(
            questions,
            (number, reason) ->
                Collections.singletonList(silent.apply(dataNodes.get(number), reason)))
        .forEach(answers::addAll);
    return new Round<>(source, clock.instant(), answers, missing);
  }
}
