package io.evenkeel.mover.core.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.mover.core.plan.BlockPlanner;
import io.evenkeel.mover.core.plan.BlockView;
import io.evenkeel.mover.core.plan.ClusterView;
import io.evenkeel.mover.core.plan.FileView;
import io.evenkeel.mover.core.plan.NodeView;
import io.evenkeel.mover.core.plan.Replica;
import io.evenkeel.mover.core.plan.ReplicaMove;
import io.evenkeel.mover.core.plan.WantedTypes;
import io.evenkeel.mover.core.task.FileTask.Decision;
import io.evenkeel.mover.core.task.MoveResult.Kind;
import io.evenkeel.mover.request.FileOutcome;
import io.evenkeel.mover.request.FileReport;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The state of one file; time is a number the test sets. */
@Tag("once") // says nothing about a Hadoop release
class FileTaskTest {
  private static final long SETTLE = 1_000;
  private static final long REFUSE = 100;

  private final TaskRules rules = new TaskRules(SETTLE, REFUSE, 3);
  private final List<NodeView> nodes = new ArrayList<>();
  private final List<String> wanted = new ArrayList<>(List.of("SSD", "SSD", "SSD"));
  private IntFunction<List<String>> types = count -> wanted;
  private boolean striped;
  private boolean supported = true;
  private boolean open;
  private NameNodeState nameNode = NameNodeState.USUAL;
  private long now = 5_000;

  private void nodes(int count, String... types) {
    nodesOn(i -> "/r", count, types);
  }

  private void nodesOn(IntFunction<String> rack, int count, String... types) {
    for (int i = 0; i < count; i++) {
      Map<String, List<Long>> space = new HashMap<>();
      for (String type : types) {
        space.put(type, List.of(1L << 30));
      }
      String uuid = types[0] + i;
      nodes.add(new NodeView(uuid, rack.apply(i), uuid, NodeView.Use.TARGET, space));
    }
  }

  private BlockPlanner planner() {
    return planner(now);
  }

  private BlockPlanner planner(long replacedAt) {
    ClusterView view = new ClusterView(nodes, false, false, 0);
    return new BlockPlanner(view, (s, all, from, to) -> true, new Random(3), replacedAt);
  }

  private FileView file(BlockView... blocks) {
    WantedTypes wantedTypes = new WantedTypes("POLICY", striped ? 9 : 3, striped, supported, types);
    return new FileView("/f", 7, wantedTypes, List.of(blocks), open);
  }

  /** A block given as "node type" pairs. */
  private static BlockView block(long id, long stamp, String... replicas) {
    List<Replica> list = new ArrayList<>();
    for (String one : replicas) {
      String[] parts = one.split(" ");
      list.add(new Replica(parts[0], parts[1], id, 10));
    }
    return new BlockView(id, stamp, 10, list, false);
  }

  /** A striped group of that id given as "node type internal-block" triples. */
  private static BlockView group(List<String> units) {
    List<Replica> list = new ArrayList<>();
    for (String one : units) {
      String[] parts = one.split(" ");
      list.add(new Replica(parts[0], parts[1], 16 + Long.parseLong(parts[2]), 10));
    }
    return new BlockView(16, 1, 60, list, false);
  }

  private void stripedOnArchive() {
    striped = true;
    types = count -> Collections.nCopies(count, "ARCHIVE");
  }

  private static BlockView onDisk() {
    return block(1, 1, "DISK0 DISK", "DISK1 DISK", "DISK2 DISK");
  }

  private Decision look(FileTask task, BlockView... blocks) {
    return task.look(file(blocks), planner(), now);
  }

  private void end(FileTask task, Decision step, Kind kind) {
    for (ReplicaMove move : step.moves()) {
      task.ended(move, MoveResult.of(kind, ""), now);
    }
  }

  private FileReport dryRun(FileView file) {
    return new FileTask(file, rules, () -> nameNode).dryRun(file, planner());
  }

  @Test
  void confirmed_notDoneUntilTheNameNodeShowsIt() {
    nodes(3, "DISK", "SSD");
    FileTask task = new FileTask(file(onDisk()), rules, () -> nameNode);
    Decision first = look(task, onDisk());
    assertThat(first.moves()).hasSize(3).allMatch(ReplicaMove::isLocal);
    assertThat(task.inFlight()).isEqualTo(3);
    end(task, first, Kind.DONE);
    assertThat(task.inFlight()).isZero();

    Decision unseen = look(task, onDisk());
    assertThat(unseen.moves()).isEmpty();
    assertThat(unseen.report()).isNull();
    assertThat(unseen.waitMillis()).isPositive();

    Decision seen = look(task, block(1, 1, "DISK0 SSD", "DISK1 SSD", "DISK2 SSD"));
    assertThat(seen.report().outcome()).isEqualTo(FileOutcome.MOVED);
    assertThat(seen.report().counts().localReplicas()).isEqualTo(3);
  }

  @Test
  void waits_growToTheLimitAndStartAgainAfterAMove() {
    nodes(3, "DISK", "SSD");
    FileTask task =
        new FileTask(file(onDisk()), new TaskRules(1_000_000, REFUSE, 3), () -> nameNode);
    end(task, look(task, onDisk()), Kind.DONE);
    List<Long> waits = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      waits.add(look(task, onDisk()).waitMillis());
    }
    assertThat(waits).isSorted().startsWith(40L, 80L, 160L).endsWith(2_000L, 2_000L);
  }

  @Test
  void confirmedButNeverShown_plannedAnewThenGivenUp() {
    nodes(3, "DISK", "SSD");
    FileTask task = new FileTask(file(onDisk()), rules, () -> nameNode);
    FileReport report = null;
    int rounds = 0;
    while (report == null) {
      Decision step = look(task, onDisk());
      end(task, step, Kind.DONE);
      now += SETTLE + 1;
      report = step.report();
      assertThat(++rounds).isLessThan(20);
    }
    assertThat(rounds).isGreaterThan(1);
    assertThat(report.outcome()).isEqualTo(FileOutcome.PARTIAL);
    assertThat(report.reason()).contains("the NameNode does not show it");
  }

  @Test
  void remote_oneMoveOfABlockAtATime() {
    nodes(3, "DISK");
    nodes(3, "SSD");
    FileTask task = new FileTask(file(onDisk()), rules, () -> nameNode);
    Decision first = look(task, onDisk());
    assertThat(first.moves()).hasSize(1).noneMatch(ReplicaMove::isLocal);
    String target = first.moves().get(0).target();
    String source = first.moves().get(0).replica().node();
    end(task, first, Kind.DONE);

    // not seen yet: nothing is started
    assertThat(look(task, onDisk()).moves()).isEmpty();

    // the copy is there and the old replica is to be deleted: the next one goes, elsewhere
    BlockView four = block(1, 1, "DISK0 DISK", "DISK1 DISK", "DISK2 DISK", target + " SSD");
    Decision second = look(task, four);
    assertThat(second.moves()).hasSize(1);
    assertThat(second.moves().get(0).target()).isNotEqualTo(target);
    assertThat(second.moves().get(0).replica().node()).isNotEqualTo(source);
    assertThat(second.moves().get(0).proxy()).isNotEqualTo(source);
  }

  @Test
  void remote_allCopiesThere_notDoneBeforeTheOldOnesAreDeleted() {
    nodes(3, "DISK");
    nodes(1, "SSD");
    wanted.clear();
    wanted.addAll(List.of("SSD", "DISK", "DISK"));
    FileTask task = new FileTask(file(onDisk()), rules, () -> nameNode);
    Decision first = look(task, onDisk());
    String source = first.moves().get(0).replica().node();
    end(task, first, Kind.DONE);
    BlockView four = block(1, 1, "DISK0 DISK", "DISK1 DISK", "DISK2 DISK", "SSD0 SSD");

    Decision both = look(task, four);
    assertThat(both.moves()).isEmpty();
    assertThat(both.report()).isNull();
    assertThat(both.waitMillis()).isEqualTo(1_000);

    now += SETTLE + 1; // it is not deleted: in excess
    assertThat(look(task, four).report()).isNull();
    now += SETTLE + 1;
    assertThat(look(task, four).report().outcome()).isEqualTo(FileOutcome.PARTIAL);

    List<String> three = new ArrayList<>(List.of("DISK0 DISK", "DISK1 DISK", "DISK2 DISK"));
    three.remove(source + " DISK");
    three.add("SSD0 SSD");
    assertThat(look(task, block(1, 1, three.toArray(new String[0]))).report().outcome())
        .isEqualTo(FileOutcome.MOVED);
  }

  @Test
  void excess_pendingWhenItStays() {
    nodes(3, "DISK", "SSD");
    nodes(1, "SSD");
    BlockView four = block(1, 1, "DISK0 SSD", "DISK1 SSD", "DISK2 SSD", "SSD0 SSD");
    FileTask task = new FileTask(file(four), rules, () -> nameNode);
    assertThat(look(task, four).waitMillis()).isPositive();
    now += SETTLE + 1;
    FileReport report = look(task, four).report();
    assertThat(report.outcome()).isEqualTo(FileOutcome.PENDING_REPLICATION);
    assertThat(report.reason()).contains("4 replicas of 3");
  }

  /** Stock's mover does not either: the NameNode may have thousands to delete. */
  @Test
  void excessOfTheWrongType_notStriped_notMoved() {
    nodes(3, "DISK", "SSD");
    nodes(1, "SSD");
    BlockView four = block(1, 1, "DISK0 DISK", "DISK1 SSD", "DISK2 SSD", "SSD0 SSD");
    types = count -> Collections.nCopies(count, "SSD");
    FileTask task = new FileTask(file(four), rules, () -> nameNode);
    look(task, four);
    now += SETTLE + 1;
    assertThat(look(task, four).report().reason()).contains("4 replicas of 3");
  }

  @Test
  void fewerReplicas_allOnTheType_waitedForOnceThenSatisfiedAndSaid() {
    nodes(3, "DISK", "SSD");
    BlockView two = block(1, 1, "DISK0 SSD", "DISK1 SSD");
    FileTask task = new FileTask(file(two), rules, () -> nameNode);
    Decision first = look(task, two);
    assertThat(first.report()).isNull();
    assertThat(first.moves()).isEmpty();
    assertThat(first.waitMillis()).isBetween(1L, SETTLE);
    now += SETTLE;
    FileReport report = look(task, two).report();
    assertThat(report.outcome()).isEqualTo(FileOutcome.SATISFIED);
    assertThat(report.reason()).isEqualTo("2 of 3 replicas");
  }

  @Test
  void onlyARightReplicaIsReportedSoFar_theOthersAreWaitedForAndMoved() {
    nodes(3, "DISK", "SSD");
    BlockView one = block(1, 1, "DISK0 SSD");
    FileTask task = new FileTask(file(one), rules, () -> nameNode);
    assertThat(look(task, one).waitMillis()).isPositive();
    now += SETTLE / 2;
    assertThat(look(task, one).waitMillis()).isPositive();
    Decision all = look(task, block(1, 1, "DISK0 SSD", "DISK1 DISK", "DISK2 DISK"));
    assertThat(all.moves()).hasSize(2);
  }

  @Test
  void fewerReplicas_seenLongBeforeTheLastMove_notWaitedForAgain() {
    nodes(2, "DISK", "SSD");
    BlockView two = block(1, 1, "DISK0 DISK", "DISK1 DISK");
    FileTask task = new FileTask(file(two), rules, () -> nameNode);
    end(task, look(task, two), Kind.DONE);
    now += SETTLE;
    FileReport report = look(task, block(1, 1, "DISK0 SSD", "DISK1 SSD")).report();
    assertThat(report.outcome()).isEqualTo(FileOutcome.MOVED);
    assertThat(report.reason()).isEqualTo("2 of 3 replicas");
  }

  @Test
  void fewerReplicasInSafeMode_pendingAsTheOthersMayNotBeReported() {
    nodes(3, "DISK", "SSD");
    nameNode = new NameNodeState(true, false);
    BlockView two = block(1, 1, "DISK0 SSD", "DISK1 SSD");
    FileTask task = new FileTask(file(two), rules, () -> nameNode);
    assertThat(look(task, two).waitMillis()).isPositive();
    now += SETTLE;
    FileReport report = look(task, two).report();
    assertThat(report.outcome()).isEqualTo(FileOutcome.PENDING_REPLICATION);
    assertThat(report.reason()).contains("2 replicas of 3");

    BlockView right = block(2, 1, "DISK0 SSD", "DISK1 SSD", "DISK2 SSD");
    FileTask all = new FileTask(file(right), rules, () -> nameNode);
    assertThat(look(all, right).report().outcome()).isEqualTo(FileOutcome.SATISFIED);
  }

  @Test
  void fewerReplicasInMaintenance_pendingAsTheOthersAreNotShown() {
    nodes(3, "DISK", "SSD");
    nameNode = new NameNodeState(false, true);
    BlockView two = block(1, 1, "DISK0 SSD", "DISK1 SSD");
    assertThat(dryRun(file(two)).outcome()).isEqualTo(FileOutcome.PENDING_REPLICATION);
    FileTask task = new FileTask(file(two), rules, () -> nameNode);
    assertThat(look(task, two).waitMillis()).isPositive();
    now += SETTLE;
    FileReport report = look(task, two).report();
    assertThat(report.outcome()).isEqualTo(FileOutcome.PENDING_REPLICATION);
    assertThat(report.reason()).contains("2 replicas of 3; DataNodes are in maintenance");

    BlockView three = block(1, 1, "DISK0 SSD", "DISK1 SSD", "DISK2 SSD");
    FileTask whole = new FileTask(file(three), rules, () -> nameNode);
    assertThat(look(whole, three).report().outcome()).isEqualTo(FileOutcome.SATISFIED);
  }

  @Test
  void fewerAndFewerReplicas_eachLossIsWaitedFor() {
    nodes(3, "DISK", "SSD");
    BlockView two = block(1, 1, "DISK0 SSD", "DISK1 SSD");
    FileTask task = new FileTask(file(two), rules, () -> nameNode);
    assertThat(look(task, two).waitMillis()).isPositive();
    now += SETTLE;
    BlockView one = block(1, 1, "DISK0 SSD");
    assertThat(look(task, one).waitMillis()).isPositive();
    now += SETTLE;
    assertThat(look(task, one).report().outcome()).isEqualTo(FileOutcome.PENDING_REPLICATION);
  }

  @Test
  void dryRunOfFewerReplicas_notWaitedForAndSaid() {
    nodes(3, "DISK", "SSD");
    FileReport report = dryRun(file(block(1, 1, "DISK0 SSD", "DISK1 SSD")));
    assertThat(report.outcome()).isEqualTo(FileOutcome.SATISFIED);
    assertThat(report.reason()).isEqualTo("2 of 3 replicas");
  }

  @Test
  void stripedAndNothingIsDeleted_eachInternalBlockIsCopiedOnceThenPending() {
    stripedOnArchive();
    nodes(9, "DISK");
    nodes(20, "ARCHIVE");
    for (int units : List.of(9, 4)) { // a full group, and a small one of one unit with its parity
      List<String> there = new ArrayList<>();
      for (int i = 0; i < units; i++) {
        there.add("DISK" + i + " DISK " + i);
      }
      FileTask task = new FileTask(file(group(there)), rules, () -> nameNode);
      List<Long> copied = new ArrayList<>();
      FileReport report = null;
      for (int looks = 0; report == null; looks++) {
        assertThat(looks).isLessThan(1_000);
        Decision step = look(task, group(there));
        end(task, step, Kind.DONE);
        for (ReplicaMove move : step.moves()) {
          copied.add(move.replica().blockId());
          there.add(move.target() + " ARCHIVE " + (move.replica().blockId() - 16));
        }
        now += Math.max(1, step.waitMillis());
        report = step.report();
      }
      assertThat(copied).hasSize(units).doesNotHaveDuplicates();
      assertThat(report.outcome()).isEqualTo(FileOutcome.PARTIAL);
      assertThat(report.reason()).contains(2 * units + " replicas of " + units);
    }
  }

  @Test
  void stripedKnownInPart_waitedForAndMovedOrSaid() {
    stripedOnArchive();
    nodes(4, "ARCHIVE", "DISK");
    BlockView wrong = group(List.of("ARCHIVE0 ARCHIVE 0", "ARCHIVE1 DISK 1")).asGroupOf(3);
    FileTask wrongInPart = new FileTask(file(wrong), rules, () -> nameNode);
    assertThat(look(wrongInPart, wrong).moves()).isEmpty();
    now += SETTLE;
    assertThat(look(wrongInPart, wrong).moves()).hasSize(1);

    BlockView part = group(List.of("ARCHIVE0 ARCHIVE 0", "ARCHIVE1 ARCHIVE 1")).asGroupOf(3);
    FileTask waits = new FileTask(file(part), rules, () -> nameNode);
    Decision first = look(waits, part);
    assertThat(first.report()).isNull();
    assertThat(first.waitMillis()).isPositive();
    List<String> reported = List.of("ARCHIVE0 ARCHIVE 0", "ARCHIVE1 ARCHIVE 1", "ARCHIVE2 DISK 2");
    assertThat(look(waits, group(reported).asGroupOf(3)).moves()).hasSize(1);

    FileTask never = new FileTask(file(part), rules, () -> nameNode);
    look(never, part);
    now += SETTLE;
    FileReport report = look(never, part).report();
    assertThat(report.outcome()).isEqualTo(FileOutcome.SATISFIED);
    assertThat(report.reason()).isEqualTo("2 of 3 internal blocks");
  }

  /** Looks until the file is done, and does what is asked for; nothing is deleted. */
  private FileReport run(List<String> there, List<Long> copied) {
    FileTask task = new FileTask(file(group(there)), rules, () -> nameNode);
    FileReport report = null;
    for (int looks = 0; report == null; looks++) {
      assertThat(looks).isLessThan(1_000);
      Decision step = look(task, group(there));
      for (ReplicaMove move : step.moves()) {
        copied.add(move.replica().blockId() - 16);
        there.add(move.target() + " ARCHIVE " + (move.replica().blockId() - 16));
      }
      end(task, step, Kind.DONE);
      now += Math.max(1, step.waitMillis());
      report = step.report();
    }
    return report;
  }

  /**
   * Two internal blocks have a copy that is wrong and, where nodes are set so, alone on its rack.
   */
  private static List<String> doubled() {
    return new ArrayList<>(
        List.of(
            "DISK0 DISK 0",
            "ARCHIVE0 ARCHIVE 0",
            "DISK1 DISK 6",
            "ARCHIVE1 ARCHIVE 6",
            "ARCHIVE2 ARCHIVE 7",
            "ARCHIVE3 ARCHIVE 8"));
  }

  @Test
  void doubledInternalBlocks_nothingIsDeleted_eachCopiedOnceInAllTasks() {
    stripedOnArchive();
    nodesOn(i -> "/alone" + i, 2, "DISK");
    nodes(20, "ARCHIVE");
    List<String> there = doubled();
    List<Long> copied = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      FileReport report = run(there, copied);
      assertThat(report.outcome().isSatisfied()).isFalse();
      assertThat(report.reason()).contains("8 replicas of 4");
      assertThat(copied).containsExactlyInAnyOrder(0L, 6L);
    }
    assertThat(dryRun(file(group(there))).reason()).contains("8 replicas of 4");
  }

  /** Then it is only late, as after a failover. */
  @Test
  void doubledInternalBlocks_theNameNodeCanChoose_notCopied() {
    stripedOnArchive();
    nodesOn(i -> "/alone", 1, "DISK"); // the right copy of 0 is alone on its rack as well
    nodesOn(i -> i == 0 ? "/other" : "/r", 24, "ARCHIVE");
    nodes.add(new NodeView("DISK1", "/r", "DISK1", NodeView.Use.TARGET, Map.of()));
    List<Long> copied = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      assertThat(run(doubled(), copied).outcome()).isEqualTo(FileOutcome.PENDING_REPLICATION);
    }
    assertThat(copied).isEmpty();
  }

  @Test
  void doubledInternalBlock_anotherUnitIsWrongToo_allMovedInOneTask() {
    stripedOnArchive();
    nodesOn(i -> "/alone" + i, 3, "DISK");
    nodes(20, "ARCHIVE");
    List<String> there = doubled();
    there.set(4, "DISK2 DISK 7");
    List<Long> copied = new ArrayList<>();
    run(there, copied);
    assertThat(copied).contains(7L, 0L, 6L);
  }

  @Test
  void doubledInternalBlock_moveFails_triedAgain() {
    stripedOnArchive();
    nodesOn(i -> "/alone", 1, "DISK");
    nodes(5, "ARCHIVE");
    List<String> there = doubled();
    there.remove("DISK1 DISK 6");
    FileTask task = new FileTask(file(group(there)), rules, () -> nameNode);
    look(task, group(there));
    now += SETTLE;
    end(task, look(task, group(there)), Kind.FAILED);
    Decision refused = look(task, group(there));
    assertThat(refused.waitMillis()).as("the only target").isBetween(1L, REFUSE);
    now += REFUSE;
    assertThat(look(task, group(there)).moves()).hasSize(1);
  }

  @Test
  void doubledInternalBlock_noTarget_saysSo() {
    stripedOnArchive();
    nodesOn(i -> "/alone", 1, "DISK");
    nodes(4, "ARCHIVE");
    List<String> there = doubled();
    there.remove("DISK1 DISK 6");
    List<Long> copied = new ArrayList<>();
    FileReport report = run(there, copied);
    assertThat(report.outcome()).isEqualTo(FileOutcome.NO_TARGET);
    assertThat(report.reason()).contains("ARCHIVE");
    assertThat(copied).isEmpty();
  }

  @Test
  void doubledInternalBlock_waitedForThenMovedThenTheNameNodeHasTimeAgain() {
    stripedOnArchive();
    nodesOn(i -> "/alone", 1, "DISK", "ARCHIVE");
    nodes(9, "ARCHIVE");
    List<String> there = doubled();
    there.remove("DISK1 DISK 6");
    BlockView five = group(there);
    FileTask task = new FileTask(file(five), rules, () -> nameNode);
    Decision first = look(task, five);
    assertThat(first.moves()).isEmpty();
    assertThat(first.waitMillis()).isPositive();
    now += SETTLE;
    Decision wrong = look(task, five);
    assertThat(wrong.moves()).singleElement().matches(ReplicaMove::isLocal);
    end(task, wrong, Kind.DONE);
    there.set(0, "DISK0 ARCHIVE 0");
    assertThat(look(task, group(there)).waitMillis()).isPositive();
    now += SETTLE / 2;
    assertThat(look(task, group(there)).waitMillis()).isPositive();
    there.remove("ARCHIVE0 ARCHIVE 0");
    assertThat(look(task, group(there)).report().outcome()).isEqualTo(FileOutcome.MOVED);
  }

  @Test
  void doubledInternalBlock_theNewCopyIsDeleted_movedAtOnce() {
    stripedOnArchive();
    nodesOn(i -> "/alone", 1, "DISK");
    nodes(9, "ARCHIVE");
    List<String> there = doubled();
    there.remove("DISK1 DISK 6");
    FileTask task = new FileTask(file(group(there)), rules, () -> nameNode);
    look(task, group(there));
    now += SETTLE;
    end(task, look(task, group(there)), Kind.DONE);
    there.remove("DISK0 DISK 0");
    assertThat(look(task, group(there)).report().outcome()).isEqualTo(FileOutcome.MOVED);
  }

  @Test
  void doubledInternalBlock_safeMode_pendingNotMoved() {
    stripedOnArchive();
    nodesOn(i -> "/alone" + i, 2, "DISK");
    nodes(9, "ARCHIVE");
    nameNode = new NameNodeState(true, false);
    List<Long> copied = new ArrayList<>();
    assertThat(run(doubled(), copied).reason()).contains("6 replicas of 4").contains("safe mode");
    assertThat(copied).isEmpty();
  }

  @Test
  void failures_refusedForATimeThenGivenUp() {
    nodes(3, "DISK", "SSD");
    wanted.clear();
    wanted.addAll(List.of("SSD", "DISK", "DISK"));
    nodes.set(1, new NodeView("DISK1", "/r", "DISK1", NodeView.Use.TARGET, Map.of()));
    nodes.set(2, new NodeView("DISK2", "/r", "DISK2", NodeView.Use.TARGET, Map.of()));
    FileTask task = new FileTask(file(onDisk()), rules, () -> nameNode);
    for (int attempt = 0; attempt < 3; attempt++) {
      Decision step = look(task, onDisk());
      assertThat(step.moves()).hasSize(1);
      end(task, step, Kind.UNREACHABLE);
      Decision refused = look(task, onDisk());
      if (attempt < 2) {
        assertThat(refused.moves()).isEmpty();
        assertThat(refused.waitMillis()).isBetween(1L, REFUSE << attempt);
        now += (REFUSE << attempt) + 1;
      } else {
        assertThat(refused.report().outcome()).isEqualTo(FileOutcome.FAILED);
        assertThat(refused.report().reason()).contains("UNREACHABLE").contains("DISK0");
        assertThat(refused.report().counts().retries()).isEqualTo(3);
      }
    }
  }

  @Test
  void failed_lookedAtLongAfter_theRefusalStillCounts() {
    nodes(1, "DISK", "SSD");
    nodes(1, "SSD");
    BlockView block = block(1, 1, "DISK0 DISK");
    wanted.clear();
    wanted.add("SSD");
    FileTask task = new FileTask(file(block), rules, () -> nameNode);
    Decision local = look(task, block);
    assertThat(local.moves()).hasSize(1).allMatch(ReplicaMove::isLocal);
    end(task, local, Kind.NO_SPACE);
    now += 10 * REFUSE;

    assertThat(look(task, block).moves()).extracting(ReplicaMove::target).containsExactly("SSD0");
  }

  /** As it does when the DataNode restarts, or when somebody resets what it goes over. */
  @Test
  void connectionOfALocalMoveBreaks_notSentAgainForAMinute() {
    nodes(1, "DISK", "SSD");
    wanted.clear();
    wanted.add("SSD");
    BlockView block = block(1, 1, "DISK0 DISK");
    FileTask task = new FileTask(file(block), rules, () -> nameNode);
    end(task, look(task, block), Kind.BROKEN_OFF);
    assertThat(look(task, block).moves()).isEmpty();
    now += 59_000;
    assertThat(look(task, block).moves()).isEmpty();
    now += 2_000;
    assertThat(look(task, block).moves()).hasSize(1);
  }

  @Test
  void appendedMeanwhile_oldConfirmationsForgotten() {
    nodes(3, "DISK", "SSD");
    FileTask task = new FileTask(file(onDisk()), rules, () -> nameNode);
    end(task, look(task, onDisk()), Kind.DONE);

    Decision step = look(task, block(1, 2, "DISK0 DISK", "DISK1 DISK", "DISK2 DISK"));

    assertThat(step.moves()).hasSize(3);
    assertThat(step.moves()).allMatch(move -> move.generationStamp() == 2);
  }

  @Test
  void theAnswerWasLost_existsCountsWhenTheNameNodeAgrees() {
    nodes(3, "DISK", "SSD");
    FileTask task = new FileTask(file(onDisk()), rules, () -> nameNode);
    end(task, look(task, onDisk()), Kind.EXISTS);
    Decision seen = look(task, block(1, 1, "DISK0 SSD", "DISK1 SSD", "DISK2 SSD"));
    assertThat(seen.report().outcome().isSatisfied()).isTrue();
    assertThat(seen.report().counts().replicas()).isZero();
  }

  @Test
  void noRoomLeftByPlansOfOthers_askedOnceMoreWithANewerView() {
    Map<String, List<Long>> one = Map.of("SSD", List.of(10L));
    nodes.add(new NodeView("DISK0", "/r", "DISK0", NodeView.Use.TARGET, one));
    BlockView block = block(1, 1, "DISK0 DISK");
    BlockPlanner shared = planner();
    new FileTask(file(block), rules, () -> nameNode)
        .look(file(block), shared, now); // takes the room there is
    FileTask task = new FileTask(file(block), rules, () -> nameNode);

    Decision first = task.look(file(block), shared, now);
    assertThat(first.report()).isNull();
    assertThat(first.waitMillis()).isPositive();
    assertThat(task.look(file(block), planner(), now + 1).moves()).hasSize(1);

    FileTask other = new FileTask(file(block), rules, () -> nameNode);
    assertThat(other.look(file(block), shared, now).report()).isNull();
    assertThat(other.look(file(block), shared, now + 11_000).report().outcome())
        .isEqualTo(FileOutcome.NO_TARGET);
  }

  /** A listing each second for each of many such files would be for nothing. */
  @Test
  void noRoomLeftByPlansOfOthers_notAskedBeforeThereIsANewerView() {
    Map<String, List<Long>> one = Map.of("SSD", List.of(10L));
    nodes.add(new NodeView("DISK0", "/r", "DISK0", NodeView.Use.TARGET, one));
    BlockView block = block(1, 1, "DISK0 DISK");
    TaskRules patient = new TaskRules(60_000, REFUSE, 2);
    BlockPlanner shared = planner(now + 9_000);
    new FileTask(file(block), patient, () -> nameNode).look(file(block), shared, now);
    FileTask task = new FileTask(file(block), patient, () -> nameNode);

    assertThat(task.look(file(block), shared, now).waitMillis()).isEqualTo(9_000);
    assertThat(task.look(file(block), shared, now + 8_900).waitMillis()).isEqualTo(1_000);
    assertThat(task.look(file(block), planner(), now + 9_900).moves()).hasSize(1);
  }

  /** Of one DataNode, which may have no key yet, so it is no denial of the NameNode. */
  @Test
  void denied_asOftenAsTheAttempts_failed() {
    nodes(3, "DISK", "SSD");
    FileTask task = new FileTask(file(onDisk()), rules, () -> nameNode);
    end(task, look(task, onDisk()), Kind.DENIED);
    now += REFUSE + 1;
    assertThat(look(task, onDisk()).report().outcome()).isEqualTo(FileOutcome.FAILED);
  }

  @Test
  void deniedOnceThenUnreachable_triedAgain() {
    nodes(1, "DISK", "SSD");
    wanted.clear();
    wanted.add("SSD");
    BlockView block = block(1, 1, "DISK0 DISK");
    FileTask task = new FileTask(file(block), rules, () -> nameNode);
    end(task, look(task, block), Kind.DENIED);
    now += REFUSE + 1;
    end(task, look(task, block), Kind.UNREACHABLE);
    now += REFUSE + 1;
    assertThat(look(task, block).moves()).hasSize(1);
  }

  /**
   * What a target says of bytes whose checksum is wrong is no more than that it failed. Here the
   * nearest holder, on another rack the source, is the corrupt one.
   */
  @ParameterizedTest
  @CsvSource({"/x, /c, /d", "/d, /c, /d"})
  void bytesOfTheFirstHolderAreBad_anotherIsReadTheNextTime(
      String source, String others, String to) {
    nodesOn(i -> source, 1, "DISK");
    nodesOn(i -> i < 2 ? others : to, 5, "SSD");
    BlockView block = block(1, 1, "DISK0 DISK", "SSD0 SSD", "SSD1 SSD");
    FileTask task = new FileTask(file(block), rules, () -> nameNode);
    Decision first = look(task, block);
    assertThat(first.moves()).hasSize(1).allMatch(move -> move.proxy().equals("DISK0"));
    end(task, first, Kind.FAILED);

    assertThat(look(task, block).moves())
        .hasSize(1)
        .noneMatch(move -> move.proxy().equals("DISK0"));
  }

  /** As while it restarts: five targets in a row could be blamed for it within a second. */
  @Test
  void holderCannotBeReadFrom_anotherIsReadAndElseItIsWaitedFor() {
    nodes(2, "DISK");
    nodes(4, "SSD");
    wanted.clear();
    wanted.addAll(List.of("SSD", "SSD"));
    BlockView block = block(1, 1, "DISK0 DISK", "DISK1 DISK");
    FileTask task = new FileTask(file(block), rules, () -> nameNode);
    Decision first = look(task, block);
    String away = first.moves().get(0).proxy();
    end(task, first, Kind.PROXY_UNREACHABLE);
    Decision second = look(task, block);
    assertThat(second.moves()).hasSize(1);
    assertThat(second.moves().get(0).proxy()).isNotEqualTo(away);
    end(task, second, Kind.PROXY_UNREACHABLE);

    Decision third = look(task, block);
    assertThat(third.moves()).isEmpty();
    assertThat(third.report()).isNull();
    now += third.waitMillis() + 1;
    assertThat(look(task, block).moves()).hasSize(1);
  }

  @Test
  void dataNodeIsAway_itIsWaitedForBeforeItsReplicaIsCopiedFromAnother() {
    FileTask task = awayAndAnotherHolder(new TaskRules(SETTLE, REFUSE, 5));
    for (int attempt = 0; attempt < 3; attempt++) {
      Decision local = look(task, twoHolders());
      assertThat(local.moves()).hasSize(1).allMatch(ReplicaMove::isLocal);
      end(task, local, Kind.UNREACHABLE);
      Decision refused = look(task, twoHolders());
      assertThat(refused.moves()).isEmpty();
      assertThat(refused.waitMillis()).isBetween(1L, REFUSE << attempt);
      now += (REFUSE << attempt) + 1;
    }
    end(task, look(task, twoHolders()), Kind.UNREACHABLE);
    assertThat(look(task, twoHolders()).moves())
        .hasSize(1)
        .allMatch(move -> move.target().equals("SSD0") && move.proxy().equals("DISK1"));
  }

  private static BlockView twoHolders() {
    return block(1, 1, "DISK0 DISK", "DISK1 SSD");
  }

  private FileTask awayAndAnotherHolder(TaskRules patience) {
    nodes(2, "DISK", "SSD");
    nodes(1, "SSD");
    wanted.clear();
    wanted.addAll(List.of("SSD", "SSD"));
    return new FileTask(file(twoHolders()), patience, () -> nameNode);
  }

  /** It may be at it still, and a DataNode does not keep two such moves apart. */
  @Test
  void localMoveIsNotAnswered_notSentAgainForLong() {
    nodes(1, "DISK", "SSD");
    wanted.clear();
    wanted.add("SSD");
    BlockView block = block(1, 1, "DISK0 DISK");
    FileTask task = new FileTask(file(block), rules, () -> nameNode);
    end(task, look(task, block), Kind.UNANSWERED);
    now += 590_000;
    Decision step = look(task, block); // the time counts from here
    assertThat(step.moves()).isEmpty();
    assertThat(step.report()).isNull();
    now += 590_000;
    assertThat(look(task, block).moves()).isEmpty();
    now += 20_000;
    assertThat(look(task, block).moves()).hasSize(1);
  }

  @Test
  void targetIsStalled_anotherIsTriedAndElseItIsSaidAtOnce() {
    nodes(1, "DISK");
    nodes(2, "SSD");
    BlockView block = block(1, 1, "DISK0 DISK", "DISK0 SSD", "DISK0 SSD");
    FileTask task = new FileTask(file(block), rules, () -> nameNode);
    Decision first = look(task, block);
    end(task, first, Kind.STALLED);
    Decision second = look(task, block);
    assertThat(second.moves()).hasSize(1);
    assertThat(second.moves().get(0).target()).isNotEqualTo(first.moves().get(0).target());
    end(task, second, Kind.STALLED);
    FileReport report = look(task, block).report();
    assertThat(report.outcome()).isEqualTo(FileOutcome.FAILED);
    assertThat(report.reason()).contains("STALLED");
  }

  /** Its replica has to leave it anyway. */
  @Test
  void sourceIsStalled_readFromAnotherHolder() {
    nodes(2, "DISK");
    nodes(1, "SSD");
    BlockView block = block(1, 1, "DISK0 DISK", "DISK1 SSD", "DISK1 SSD");
    FileTask task = new FileTask(file(block), rules, () -> nameNode);
    Decision first = look(task, block);
    assertThat(first.moves()).hasSize(1);
    String source = first.moves().get(0).proxy();
    end(task, first, Kind.PROXY_STALLED);
    assertThat(look(task, block).moves()).hasSize(1).noneMatch(move -> move.proxy().equals(source));
  }

  /** DataNodes have not reported yet, so none of its replicas is known. */
  @Test
  void noReplicaInSafeMode_pendingNotMissing() {
    nameNode = new NameNodeState(true, false);
    FileTask task = new FileTask(file(onDisk()), rules, () -> nameNode);
    FileReport report = look(task, block(1, 1)).report();
    assertThat(report.outcome()).isEqualTo(FileOutcome.PENDING_REPLICATION);
    assertThat(report.reason()).contains("no live replica", "safe mode");
    assertThat(dryRun(file(block(1, 1))).outcome()).isEqualTo(FileOutcome.PENDING_REPLICATION);
    nameNode = NameNodeState.USUAL;
    assertThat(look(task, block(1, 1)).report().outcome()).isEqualTo(FileOutcome.MISSING);
  }

  /** Nor have those come that have the type. */
  @Test
  void noTargetInSafeMode_pending() {
    nodes(3, "DISK");
    nameNode = new NameNodeState(true, false);
    FileTask task = new FileTask(file(onDisk()), rules, () -> nameNode);
    assertThat(look(task, onDisk()).report().outcome()).isEqualTo(FileOutcome.PENDING_REPLICATION);
    assertThat(dryRun(file(onDisk())).outcome()).isEqualTo(FileOutcome.PENDING_REPLICATION);
  }

  /** As for a snapshot that was made before the replication was lowered. */
  @Test
  void moreReplicasThanAsked_allOnTheType_satisfiedAtOnce() {
    nodes(4, "DISK", "SSD");
    types = count -> Collections.nCopies(count, "SSD");
    BlockView four = block(1, 1, "DISK0 SSD", "DISK1 SSD", "DISK2 SSD", "DISK3 SSD");
    FileTask task = new FileTask(file(four), rules, () -> nameNode);
    assertThat(look(task, four).report().outcome()).isEqualTo(FileOutcome.SATISFIED);
    assertThat(dryRun(file(four)).outcome()).isEqualTo(FileOutcome.SATISFIED);
  }

  @Test
  void fewerReplicasThanAsked_theOldOneIsNotDeletedAndNotWaitedFor() {
    nodes(2, "DISK");
    nodes(3, "SSD");
    BlockView two = block(1, 1, "DISK0 DISK", "DISK1 DISK");
    FileTask task = new FileTask(file(two), rules, () -> nameNode);
    Decision first = look(task, two);
    String target = first.moves().get(0).target();
    end(task, first, Kind.DONE);
    Decision second = look(task, block(1, 1, "DISK0 DISK", "DISK1 DISK", target + " SSD"));
    assertThat(second.moves()).hasSize(1);
  }

  @Test
  void pinned_movedInsideOnlyElseSaid() {
    nodes(3, "DISK");
    nodes(3, "SSD");
    FileTask task = new FileTask(file(onDisk()), rules, () -> nameNode);
    Decision step = look(task, onDisk());
    for (int i = 0; i < 3 && step.report() == null; i++) {
      end(task, step, Kind.PINNED);
      step = look(task, onDisk());
    }
    assertThat(step.report().outcome()).isEqualTo(FileOutcome.PINNED);
  }

  @Test
  void pinnedSaidByAnotherHolder_theOneToBeMovedIsAskedItself() {
    for (String near : List.of("NEAR0", "NEAR1", "SSD0")) {
      Map<String, List<Long>> space = Map.of("SSD", List.of(1L << 30));
      nodes.add(new NodeView(near, "/near", near, NodeView.Use.TARGET, space));
    }
    nodes.add(new NodeView("FAR", "/far", "FAR", NodeView.Use.TARGET, Map.of()));
    BlockView block = block(1, 1, "NEAR0 SSD", "NEAR1 SSD", "FAR DISK");
    FileTask task = new FileTask(file(block), rules, () -> nameNode);
    Decision first = look(task, block);
    assertThat(first.moves()).extracting(ReplicaMove::proxy).allMatch(p -> p.startsWith("NEAR"));
    end(task, first, Kind.PINNED);
    Decision second = look(task, block);
    assertThat(second.moves()).extracting(ReplicaMove::proxy).containsExactly("FAR");
    end(task, second, Kind.PINNED);
    assertThat(look(task, block).report().outcome()).isEqualTo(FileOutcome.PINNED);
  }

  @Test
  void pinnedSaidOfLocalMoves_givenUpAfterSomeAttempts() {
    nodes(3, "DISK", "SSD");
    FileTask task = new FileTask(file(onDisk()), rules, () -> nameNode);
    Decision step = look(task, onDisk());
    for (int i = 0; i < 20 && step.report() == null; i++) {
      end(task, step, Kind.PINNED);
      now += REFUSE + 1;
      step = look(task, onDisk());
    }
    assertThat(step.report().outcome()).isEqualTo(FileOutcome.FAILED);
  }

  @Test
  void dryRunOfABlockInExcess_pendingNotSatisfied() {
    nodes(4, "DISK", "SSD");
    BlockView four = block(1, 1, "DISK0 SSD", "DISK1 SSD", "DISK2 SSD", "DISK3 DISK");
    FileReport report = dryRun(file(four));
    assertThat(report.outcome()).isEqualTo(FileOutcome.PENDING_REPLICATION);
    assertThat(report.reason()).contains("4 replicas of 3");
  }

  @Test
  void openLostUnsupported_eachSaid() {
    nodes(3, "DISK", "SSD");
    BlockView lost = new BlockView(1, 1, 10, List.of(), false);
    assertThat(look(new FileTask(file(lost), rules, () -> nameNode), lost).report().reason())
        .contains("no live replica");

    BlockView right = block(1, 1, "DISK0 SSD", "DISK1 SSD", "DISK2 SSD");
    open = true;
    assertThat(look(new FileTask(file(right), rules, () -> nameNode), right).report().outcome())
        .isEqualTo(FileOutcome.PENDING_OPEN);

    striped = true;
    supported = false;
    FileReport report = look(new FileTask(file(right), rules, () -> nameNode), right).report();
    assertThat(report.outcome()).isEqualTo(FileOutcome.UNSUPPORTED_EC_POLICY);
    assertThat(report.reason()).contains("POLICY");
  }

  @Test
  void aReplicaIsLostOnTheWay_waitedForThenPending() {
    nodes(3, "DISK", "SSD");
    FileTask task = new FileTask(file(onDisk()), rules, () -> nameNode);
    end(task, look(task, onDisk()), Kind.DONE);
    BlockView two = block(1, 1, "DISK0 SSD", "DISK1 SSD");
    now += SETTLE + 1; // the move to the third was confirmed and never seen
    Decision step = look(task, two);
    assertThat(step.waitMillis()).isPositive();
    now += SETTLE + 1;
    FileReport report = look(task, two).report();
    assertThat(report.outcome()).isEqualTo(FileOutcome.PARTIAL);
    assertThat(report.reason()).contains("pending").contains("2 replicas of 3");
  }

  @Test
  void aReplicaIsLostOnTheWay_replacedByTheNameNode_moved() {
    nodes(4, "DISK", "SSD");
    FileTask task = new FileTask(file(onDisk()), rules, () -> nameNode);
    end(task, look(task, onDisk()), Kind.DONE);
    now += SETTLE + 1;
    assertThat(look(task, block(1, 1, "DISK0 SSD", "DISK1 SSD")).waitMillis()).isPositive();
    BlockView again = block(1, 1, "DISK0 SSD", "DISK1 SSD", "DISK3 SSD");
    assertThat(look(task, again).report().outcome()).isEqualTo(FileOutcome.MOVED);
  }

  @Test
  void twoBlocksInTrouble_theWorseIsSaidOfTheFile() {
    nodes(3, "DISK");
    BlockView noTarget = onDisk();
    BlockView lost = new BlockView(2, 1, 10, List.of(), false);
    for (BlockView[] order : new BlockView[][] {{noTarget, lost}, {lost, noTarget}}) {
      FileReport report = look(new FileTask(file(order), rules, () -> nameNode), order).report();
      assertThat(report.outcome()).isEqualTo(FileOutcome.MISSING);
      assertThat(report.reason()).contains("block 2");
    }
  }

  @Test
  void oneBlockRightOneWithoutTarget_partial() {
    nodes(3, "DISK", "SSD");
    nodes.add(new NodeView("x", "/r", "x", NodeView.Use.SOURCE_ONLY, Map.of()));
    nodes.add(new NodeView("y", "/r", "y", NodeView.Use.SOURCE_ONLY, Map.of()));
    nodes.add(new NodeView("z", "/r", "z", NodeView.Use.SOURCE_ONLY, Map.of()));
    wanted.clear();
    wanted.addAll(List.of("SSD", "SSD", "SSD"));
    BlockView a = onDisk();
    BlockView b = block(2, 1, "x DISK", "y DISK", "DISK0 DISK");
    FileTask task = new FileTask(file(a, b), rules, () -> nameNode);
    nodes.set(1, new NodeView("DISK1", "/r", "DISK1", NodeView.Use.TARGET, Map.of()));
    FileReport report = dryRun(file(a, b));
    assertThat(report.outcome()).isEqualTo(FileOutcome.PLANNED);
    assertThat(report.counts().replicas()).isPositive();
    assertThat(task.inFlight()).isZero();
  }

  @Test
  void policyNobodyKnows_failedWithTheReasonNeverSatisfied() {
    nodes(3, "DISK", "SSD");
    for (boolean ec : List.of(false, true)) {
      WantedTypes wantedTypes = WantedTypes.unknown("storage policy 14", 3, ec);
      FileView view = new FileView("/f", 7, wantedTypes, List.of(onDisk()), false);
      FileReport report =
          new FileTask(view, rules, () -> nameNode).look(view, planner(), now).report();
      assertThat(report.outcome()).isEqualTo(FileOutcome.FAILED);
      assertThat(report.reason()).contains("storage policy 14", "not known");
      assertThat(dryRun(view).outcome()).isEqualTo(FileOutcome.FAILED);
    }
  }
}
