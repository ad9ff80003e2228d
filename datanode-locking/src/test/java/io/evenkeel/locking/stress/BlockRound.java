package io.evenkeel.locking.stress;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;

/** One block through one round: set up, run, checked, cleaned up. */
final class BlockRound {
  private final StressDataNode node;
  private final long id;
  private final Plan plan;
  private final Lock turn;
  private final List<Actor> actors = new ArrayList<>();
  private List<List<Step>> steps = List.of();
  private State start = State.ABSENT;
  private State found = State.ABSENT;
  private final List<String> faults = new ArrayList<>();

  /**
   * A round of one block.
   *
   * @param serial whether calls on the block run one at a time: then the model must always agree
   */
  BlockRound(StressDataNode node, long id, Plan plan, boolean serial) {
    this.turn = serial ? new ReentrantLock() : null;
    this.node = node;
    this.id = id;
    this.plan = plan;
  }

  Plan plan() {
    return plan;
  }

  List<String> faults() {
    return faults;
  }

  List<Step> made() {
    List<Step> made = new ArrayList<>();
    for (List<Step> thread : steps) {
      for (Step step : thread) {
        if (step.outcome != null) {
          made.add(step);
        }
      }
    }
    return made;
  }

  /** Brings the block into its first state; each thread ends before the next begins. */
  void setUp() throws InterruptedException {
    for (List<Step> thread : plan.freshSetup()) {
      Thread writer =
          new Thread(new Actor(node, id, thread, System.nanoTime(), null), "setup " + id);
      writer.start();
      writer.join();
      for (Step step : thread) {
        if (step.outcome == null || !step.ok()) {
          throw new IllegalStateException("setup of block " + id + " failed: " + thread);
        }
      }
    }
    start = new DiskView(node, id).state();
  }

  /** The threads of the round, not started. */
  List<Thread> threads(long startNanos, java.util.Random jitter) {
    steps = plan.freshActors(start);
    List<Thread> threads = new ArrayList<>();
    for (List<Step> thread : steps) {
      long wait = jitter.nextInt(3) == 0 ? jitter.nextInt(4_000_000) : 0;
      Actor actor = new Actor(node, id, thread, startNanos + wait, turn);
      actors.add(actor);
      Thread t = new Thread(actor, "block " + id + " thread " + actors.size());
      t.setDaemon(true);
      threads.add(t);
    }
    return threads;
  }

  /** Compares map, disk and model. Answers false if the block's files are excused. */
  boolean check(Rules rules) throws IOException {
    long quietNanos = System.nanoTime();
    faults.clear();
    DiskView view = new DiskView(node, id);
    found = view.state();
    for (Actor actor : actors) {
      if (!actor.misread().isEmpty()) {
        faults.add(actor.misread());
      }
    }
    if (actors.stream().anyMatch(actor -> actor.late(made()))) {
      return false;
    }
    faults.addAll(view.faults());
    checkCopies();
    List<Step> history = new ArrayList<>();
    List<Step> deletions = new ArrayList<>();
    for (Step step : made()) {
      if (step.act == Act.READ) {
        if (step.outcome.result() == Outcome.Result.RUNTIME) {
          faults.add("THROWN by a read: " + step.outcome.text());
        }
        continue;
      }
      history.add(step);
      if (step.act == Act.DELETE && step.ok()) {
        deletions.add(step.deletion(quietNanos));
      }
    }
    history.addAll(deletions);
    if (!new Explainer(rules, history, found).explains(start)) {
      boolean gap = new Explainer(rules, halved(history), found).explains(start);
      faults.add(
          gap
              ? "GAP others saw the block absent while a creation replaced it"
              : "UNEXPLAINED no order of the calls gives what was seen");
    }
    return true;
  }

  /**
   * Compares map and disk after a volume was taken away. No search for an order: a volume does not
   * go in one moment.
   */
  void checkWithoutVolume() throws IOException {
    DiskView view = new DiskView(node, id);
    found = view.state();
    if (actors.stream().noneMatch(actor -> actor.late(made()))) {
      List<String> seen = view.faults();
      if (lostBefore()) {
        seen.removeIf(fault -> fault.startsWith("MISSING "));
      }
      faults.addAll(seen);
    }
    for (Step step : made()) {
      if (step.outcome.result() == Outcome.Result.RUNTIME) {
        faults.add("THROWN while a volume went: " + step);
      }
    }
  }

  /**
   * Whether a creation that replaces had deleted the older replica's files when the disk it had
   * chosen failed: stock leaves the map's entry then.
   */
  private boolean lostBefore() {
    return made().stream().anyMatch(step -> step.act == Act.REPLACE_RBW && !step.ok());
  }

  /**
   * The history with the deletion inside each creation that replaces as a call of its own: who
   * looks without a lock, as stock does first in most calls, sees the block absent in between. One
   * of createTemporary may delete twice, when another creation comes in between.
   */
  private static List<Step> halved(List<Step> history) {
    List<Step> halves = new ArrayList<>();
    for (Step step : history) {
      boolean temporary = step.act == Act.CREATE_TEMPORARY || step.act == Act.TRANSFER_TEMPORARY;
      if (temporary || step.act == Act.REPLACE_RBW) {
        halves.add(step.dropping());
      }
      if (temporary) {
        halves.add(step.dropping());
      }
      halves.add(step);
    }
    return halves;
  }

  private void checkCopies() throws IOException {
    for (Step step : made()) {
      if (step.act != Act.UPDATE_COPY) {
        continue;
      }
      DiskView copy = new DiskView(node, Content.copyOf(id, step.actor));
      long length = step.outcome.newLength();
      boolean expected = step.ok() && length < step.outcome.length();
      State state = copy.state();
      boolean there =
          state.kind() == State.Kind.FINALIZED && state.gs() == step.newGs && state.len() == length;
      if (expected ? !there : step.ok() && !copy.gone()) {
        faults.add("WRONG_COPY " + copy);
      }
      if (expected) {
        copy.faults().forEach(fault -> faults.add(fault + " (copy)"));
      }
    }
  }

  private List<Long> ids() {
    List<Long> ids = new ArrayList<>(List.of(id));
    for (Step step : made()) {
      if (step.act == Act.UPDATE_COPY) {
        ids.add(Content.copyOf(id, step.actor));
      }
    }
    return ids;
  }

  /** Asks the dataset to delete what is left. */
  void askToDelete() {
    for (long any : ids()) {
      DiskView view = new DiskView(node, any);
      if (view.entry() != null) {
        ExtendedBlock block = node.block(any, 0, view.entry().getGenerationStamp());
        try {
          node.dataset().invalidate(node.pool(any), new Block[] {block.getLocalBlock()});
        } catch (IOException e) {
          faults.add("UNDELETABLE " + e);
        }
      }
    }
  }

  /** After the deletions: a block that was whole must be gone now. Removes what a fault left. */
  void checkGone(boolean excused) {
    for (long any : ids()) {
      DiskView view = new DiskView(node, any);
      if (!view.gone()) {
        if (faults.isEmpty() && !excused && any == id) {
          faults.add("LEFT after its deletion: " + view);
        }
        view.deleteFiles();
      }
    }
  }

  /** Everything there is to say about a fault. */
  String report() {
    List<Step> sorted = new ArrayList<>(made());
    sorted.sort(Comparator.comparingLong(s -> s.begin));
    long zero = sorted.isEmpty() ? 0 : sorted.get(0).begin;
    return "block "
        + id
        + "\n  start "
        + start
        + "\n  found "
        + found
        + "\n  "
        + String.join("\n  ", faults)
        + "\n"
        + sorted.stream()
            .map(s -> "    " + micros(s.begin - zero) + ".." + micros(s.end - zero) + " us " + s)
            .collect(Collectors.joining("\n"));
  }

  /** The kinds of faults: the first word of each. */
  Set<String> kinds() {
    Set<String> kinds = new TreeSet<>();
    for (String fault : faults) {
      kinds.add(fault.substring(0, fault.indexOf(' ')));
    }
    return kinds;
  }

  private static long micros(long nanos) {
    return nanos / 1000;
  }
}
