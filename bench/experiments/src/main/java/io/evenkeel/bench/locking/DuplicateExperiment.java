package io.evenkeel.bench.locking;

import io.evenkeel.bench.experiment.Comparison;
import io.evenkeel.bench.experiment.Experiment;
import io.evenkeel.bench.experiment.RunSettings;
import java.io.IOException;
import java.util.ArrayList;
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
    ReplicaHandler of(DatasetRig rig, ExtendedBlock block) throws IOException;
  }

  private record Pair(String label, List<Creation> calls) {}

  private record Round(int successes, int files) {}

  @Override
  public List<Comparison> run(RunSettings settings) throws Exception {
    if (!Release.has(settings, name())) {
      return List.of();
    }
    Creation rbw = (rig, block) -> rig.dataset().createRbw(StorageType.SSD, null, block, false);
    Creation temporary =
        (rig, block) -> rig.dataset().createTemporary(StorageType.SSD, null, block, false);
    int rounds = settings.quick() ? QUICK_ROUNDS : ROUNDS;
    List<Comparison> rows = new ArrayList<>();
    try (DatasetRig stock = DatasetRig.start(DatasetRig.FOUR_SSD, null);
        DatasetRig ours = DatasetRig.start(DatasetRig.FOUR_SSD, DatasetRig.OURS)) {
      List<DatasetRig> rigs = List.of(stock, ours);
      rows.addAll(compare(rigs, new Pair("createRbw twice", List.of(rbw, rbw)), rounds));
      Pair temporaries = new Pair("createTemporary twice", List.of(temporary, temporary));
      rows.addAll(compare(rigs, temporaries, rounds));
    }
    return rows;
  }

  private static List<Comparison> compare(List<DatasetRig> rigs, Pair pair, int rounds)
      throws Exception {
    double[][] successes = new double[rigs.size()][rounds];
    double[][] files = new double[rigs.size()][rounds];
    for (int i = 0; i < rounds; i++) {
      for (int side = 0; side < rigs.size(); side++) {
        Round round = round(rigs.get(side), pair.calls);
        successes[side][i] = round.successes;
        files[side][i] = round.files;
      }
    }
    String what = pair.label + ", " + rounds + " rounds: ";
    return List.of(
        Comparison.repeated(what + "successes", "per round", successes[0], successes[1]),
        Comparison.repeated(what + "files", "per round", files[0], files[1]));
  }

  private static Round round(DatasetRig rig, List<Creation> calls) throws Exception {
    ExtendedBlock block = rig.newBlock();
    List<Attempt> attempts = new ArrayList<>();
    for (Creation call : calls) {
      Attempt attempt = new Attempt(rig, block, call);
      rig.io().hang(attempt);
      attempts.add(attempt);
    }
    attempts.forEach(Thread::start);
    for (Attempt attempt : attempts) {
      while (attempt.isAlive() && !rig.io().hangs(attempt) && !Waiting.forLock(attempt)) {
        Thread.sleep(1);
      }
    }
    rig.io().letGo();
    int successes = 0;
    for (Attempt attempt : attempts) {
      successes += attempt.succeeded() ? 1 : 0;
    }
    return new Round(successes, rig.files(block));
  }

  private static final class Attempt extends Thread {
    private final DatasetRig rig;
    private final ExtendedBlock block;
    private final Creation call;
    private volatile boolean done;
    private volatile IOException failure;

    Attempt(DatasetRig rig, ExtendedBlock block, Creation call) {
      super("create");
      this.rig = rig;
      this.block = new ExtendedBlock(block);
      this.call = call;
      setDaemon(true);
    }

    @Override
    public void run() {
      try (ReplicaHandler handler = call.of(rig, block)) {
        done = handler.getReplica() != null;
      } catch (IOException e) {
        failure = e;
      }
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
