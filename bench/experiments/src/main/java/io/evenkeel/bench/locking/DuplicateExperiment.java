package io.evenkeel.bench.locking;

import io.evenkeel.bench.experiment.Comparison;
import io.evenkeel.bench.experiment.Experiment;
import io.evenkeel.bench.experiment.RunSettings;
import io.evenkeel.bench.experiment.Runs;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.ReplicaAlreadyExistsException;
import org.apache.hadoop.hdfs.server.datanode.ReplicaHandler;

/** Two threads create the same block; both are inside their I/O, or wait, before either goes on. */
public final class DuplicateExperiment implements Experiment {
  private static final int ROUNDS = 200;
  private static final int QUICK_ROUNDS = 20;

  @Override
  public String name() {
    return "locking.duplicate";
  }

  @Override
  public String description() {
    return "two threads create one block while the disks hang: calls that succeed, files left";
  }

  private interface Creation {
    ReplicaHandler of(OneDataNode dataNode, ExtendedBlock block) throws IOException;
  }

  private record Round(int successes, int files) {}

  @Override
  public List<Comparison> run(RunSettings settings) throws Exception {
    if (!Release.has(settings, name())) {
      return List.of();
    }
    Creation rbw = (node, block) -> node.dataset().createRbw(StorageType.SSD, null, block, false);
    Creation temporary =
        (node, block) -> node.dataset().createTemporary(StorageType.SSD, null, block, false);
    int rounds = settings.quick() ? QUICK_ROUNDS : ROUNDS;
    List<Comparison> rows = new ArrayList<>();
    try (OneDataNode stock = OneDataNode.stock(OneDataNode.FOUR_SSD);
        OneDataNode ours = OneDataNode.ours(OneDataNode.FOUR_SSD)) {
      rows.addAll(
          rows("createRbw", Runs.inTurn(rounds, stock, ours, (node, i) -> round(node, rbw))));
      rows.addAll(
          rows(
              "createTemporary",
              Runs.inTurn(rounds, stock, ours, (node, i) -> round(node, temporary))));
    }
    return rows;
  }

  private static List<Comparison> rows(String call, Runs<Round> rounds) {
    String what = call + " twice, " + rounds.stock().size() + " rounds: ";
    return List.of(
        rounds.mean(what + "successes", "per round", Round::successes),
        rounds.mean(what + "files", "per round", Round::files));
  }

  private static Round round(OneDataNode dataNode, Creation call) throws Exception {
    ExtendedBlock block = dataNode.newBlock();
    List<Attempt> attempts = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      Attempt attempt = new Attempt(dataNode, block, call);
      dataNode.io().hang(attempt);
      attempts.add(attempt);
    }
    attempts.forEach(Thread::start);
    for (Attempt attempt : attempts) {
      while (attempt.isAlive() && !dataNode.io().hangs(attempt) && !attempt.waitsForLock()) {
        Thread.sleep(1);
      }
    }
    dataNode.io().letGo();
    int successes = 0;
    for (Attempt attempt : attempts) {
      successes += attempt.succeeded() ? 1 : 0;
    }
    return new Round(successes, dataNode.files(block));
  }

  private static final class Attempt extends Thread {
    private final OneDataNode dataNode;
    private final ExtendedBlock block;
    private final Creation call;
    private volatile boolean done;
    private volatile IOException failure;

    Attempt(OneDataNode dataNode, ExtendedBlock block, Creation call) {
      super("create");
      this.dataNode = dataNode;
      this.block = new ExtendedBlock(block);
      this.call = call;
      setDaemon(true);
    }

    @Override
    public void run() {
      try (ReplicaHandler handler = call.of(dataNode, block)) {
        done = handler.getReplica() != null;
      } catch (IOException e) {
        failure = e;
      }
    }

    /** For a lock or a monitor, at this moment; hung I/O is not a lock. */
    boolean waitsForLock() {
      List<String> stack =
          Arrays.stream(getStackTrace()).map(StackTraceElement::getClassName).toList();
      return getState() == State.BLOCKED
          || (stack.stream().anyMatch(name -> name.contains("LockSupport"))
              && stack.stream().anyMatch(name -> name.contains("ReentrantReadWriteLock"))
              && !stack.contains(StuckIo.class.getName()));
    }

    /** Only a refusal of an existing replica is expected of the one that loses. */
    boolean succeeded() throws Exception {
      join();
      if (failure != null && !(failure instanceof ReplicaAlreadyExistsException)) {
        throw failure;
      }
      return done;
    }
  }
}
