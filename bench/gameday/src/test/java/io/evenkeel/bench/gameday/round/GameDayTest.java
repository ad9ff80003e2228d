package io.evenkeel.bench.gameday.round;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.bench.gameday.cluster.DataNodeState;
import io.evenkeel.bench.gameday.history.Finding;
import io.evenkeel.bench.gameday.history.Finding.Kind;
import io.evenkeel.bench.gameday.history.History;
import io.evenkeel.bench.gameday.history.Operation.Append;
import io.evenkeel.bench.gameday.history.Operation.Create;
import io.evenkeel.bench.gameday.history.Operation.SetReplication;
import io.evenkeel.bench.gameday.history.Timeline;
import io.evenkeel.bench.gameday.schedule.Fault;
import io.evenkeel.bench.gameday.schedule.Mix;
import io.evenkeel.bench.gameday.schedule.NamedSchedules;
import io.evenkeel.bench.gameday.schedule.Schedule;
import io.evenkeel.bench.gameday.schedule.Schedules;
import io.evenkeel.bench.gameday.schedule.Step;
import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("once")
class GameDayTest {
  private static Schedule schedule(String fault, String target) {
    return Schedule.fromJson(
        "{\"format\":1,\"seed\":3,\"acknowledgements\":9,\"steps\":[{\"begin\":1,\"end\":2,\"fault\":\""
            + fault
            + "\",\"target\":\""
            + target
            + "\"}]}");
  }

  @Test
  void replay_targetThatIsNotThere_isRefused() {
    GameDay.require(schedule("KILL_DATANODE", "dn8"), 1);
    GameDay.require(schedule("KILL_HOST", "host4"), 1);
    GameDay.require(schedule("KILL_NAMENODE", "nn"), 2);
    assertThatThrownBy(() -> GameDay.require(schedule("KILL_DATANODE", "dn99"), 1))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("dn99");
  }

  @Test
  void replay_failoverOfOneNameNode_isRefused() {
    Schedule failover = schedule("FAILOVER", "nn");
    GameDay.require(failover, 2);
    assertThatThrownBy(() -> GameDay.require(failover, 1))
        .hasMessage("--replay: FAILOVER nn needs --namenodes 2")
        .isInstanceOfSatisfying(
            CommandException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.USAGE));
  }

  @Test
  void step_listsOfTargetsAndVolumes_isOneStepForEach() {
    Schedule schedule =
        Schedule.fromJson(
            "{\"format\":1,\"seed\":3,\"acknowledgements\":9,\"steps\":[{\"begin\":1,\"end\":2,"
                + "\"fault\":\"HANG_VOLUME\",\"target\":[\"dn1\",\"dn2\"],\"volume\":[\"SSD\",\"DISK\"]}]}");
    assertThat(schedule.steps().stream().map(step -> step.fault().toString()))
        .containsExactly(
            "HANG_VOLUME dn1 SSD",
            "HANG_VOLUME dn1 DISK",
            "HANG_VOLUME dn2 SSD",
            "HANG_VOLUME dn2 DISK");
    assertThat(Schedule.fromJson(schedule.toJson())).isEqualTo(schedule);
  }

  @Test
  void step_emptyListOfTargets_isRefused() {
    assertThatThrownBy(
            () ->
                Schedule.fromJson(
                    "{\"format\":1,\"seed\":3,\"acknowledgements\":9,\"steps\":[{\"begin\":1,"
                        + "\"end\":2,\"fault\":\"KILL_DATANODE\",\"target\":[]}]}"))
        .hasMessage("a step whose list of target is empty");
  }

  @Test
  void step_targetThatIsNamedTwice_isRefused() {
    assertThatThrownBy(
            () ->
                Schedule.fromJson(
                    "{\"format\":1,\"seed\":3,\"acknowledgements\":9,\"steps\":[{\"begin\":1,"
                        + "\"end\":2,\"fault\":\"KILL_DATANODE\",\"target\":[\"dn1\",\"dn1\"]}]}"))
        .hasMessage("a step that names a target twice: [dn1, dn1]");
  }

  @Test
  void removalThatDoesNotEnd_isOfStock_onlyWithAsManyReceiversThatEndedInTheirConstructor() {
    DataNodeState state =
        new DataNodeState(
            1,
            "",
            0,
            0,
            0,
            List.of(
                new DataNodeState.Volume("ssd1", "DS-1", "SSD", true, 2, 0),
                new DataNodeState.Volume("disk1", "DS-2", "DISK", false, 9, 0)),
            Map.of());
    Finding ours = Leaks.ofRemoval("dn1", state, 1, Map.of()).orElseThrow();
    assertThat(ours.place()).isEqualTo("dn1 ssd1");
    assertThat(ours.reason())
        .isEqualTo("a removal does not end: 2 references are not given back, 0 writers live");
    assertThat(StockDefects.explains(ours)).isFalse();
    assertThat(Leaks.ofRemoval("dn1", state, 2, Map.of("DS-2", 1L)).flatMap(StockDefects::of))
        .contains(StockDefects.LOST_REFERENCE);
    assertThat(Leaks.ofRemoval("dn1", state, 2, Map.of("DS-1", 1L)).flatMap(StockDefects::of))
        .isEmpty();
  }

  @Test
  void metaFileOfADeletedReplica_isOfStock_onlyWhereItsDataNodeWasKilledMeanwhile() {
    String scheduled =
        "2026 INFO  impl.FsDatasetAsyncDiskService: Scheduling blk_17_9 replica"
            + " ReplicaWaitingToBeRecovered, blk_17_9, RWR";
    String deleted = "2026 INFO  impl.FsDatasetAsyncDiskService: Deleted BP-1 blk_17_9 URI file:/c";
    String started = "STARTUP_MSG: Starting DataNode";
    assertThat(Proofs.isHalfDeleted(Stream.of(started, scheduled, started), "17")).isTrue();
    assertThat(Proofs.isHalfDeleted(Stream.of(scheduled, deleted, started), "17")).isFalse();
    assertThat(Proofs.isHalfDeleted(Stream.of(started, scheduled), "17")).isFalse();
    assertThat(Proofs.isHalfDeleted(Stream.of(scheduled, started), "7")).isFalse();
    String reason = "a meta file in rbw that is of no replica";
    assertThat(StockDefects.of(new Finding(Kind.LEFT_OVER, "", "", reason))).isEmpty();
    assertThat(StockDefects.of(new Finding(Kind.LEFT_OVER, "", "", reason + Proofs.HALF_DELETED)))
        .contains(StockDefects.HALF_DELETED);
  }

  @Test
  void checksumThatIsWrong_isOfStock_onlyInTheLastChunkOfWhatARecoveryTook() {
    String reason =
        "ChecksumException: Checksum CRC32C not matched for file BP-1-1.1.1.1-1:blk_17_1709 at"
            + " position 1024: expected=1 but computed=2, algorithm=CRC32C";
    String line =
        "2026 INFO  impl.FsDatasetImpl: Resetting bytesOnDisk to match blockDataLength (=%d) for"
            + " replica ReplicaBeingWritten, blk_%d_1643, RBW";
    assertThat(Proofs.isStale(reason, Stream.of("", line.formatted(1025, 17)))).isTrue();
    assertThat(Proofs.isStale(reason, Stream.of(line.formatted(1536, 17)))).isTrue();
    assertThat(Proofs.isStale(reason, Stream.of(line.formatted(1537, 17)))).isFalse();
    assertThat(Proofs.isStale(reason, Stream.of(line.formatted(1024, 17)))).isFalse();
    assertThat(Proofs.isStale(reason, Stream.of(line.formatted(2000, 17)))).isFalse();
    assertThat(Proofs.isStale(reason, Stream.of(line.formatted(1025, 7)))).isFalse();
    assertThat(Proofs.isStale("EOFException: 17", Stream.of(line.formatted(1025, 17)))).isFalse();
    assertThat(StockDefects.of(new Finding(Kind.UNREADABLE, "/f", "", reason))).isEmpty();
    assertThat(StockDefects.of(new Finding(Kind.UNREADABLE, "/f", "", reason + Proofs.STALE)))
        .contains(StockDefects.STALE_CHECKSUM);
  }

  private static DataNodeState withThreads(Map<String, Long> threads) {
    return new DataNodeState(1, "", 0, 0, 0, List.of(), threads);
  }

  @Test
  void threads_ofWorkMustEnd_othersMayBeAFewMore() {
    String recovery = "org.apache.hadoop.hdfs.server.datanode.BlockRecoveryWorker$";
    Map<String, DataNodeState> before =
        Map.of("dn1", withThreads(Map.of("refreshUsed", 5L, "PacketResponder", 1L)));
    Map<String, DataNodeState> pools =
        Map.of("dn1", withThreads(Map.of("refreshUsed", 25L, "PacketResponder", 1L)));
    assertThat(Leaks.among(before, pools, Map.of())).isEmpty();
    Map<String, DataNodeState> leaks =
        Map.of(
            "dn1",
            withThreads(
                new TreeMap<>(
                    Map.of(
                        "refreshUsed", 26L, "PacketResponder", 2L, recovery, 1L, "Probe", 21L))));
    assertThat(Leaks.among(before, leaks, Map.of()).stream().map(Finding::reason))
        .containsExactly(
            "2 threads PacketResponder",
            "21 threads Probe",
            "1 threads " + recovery,
            "26 threads refreshUsed");
  }

  @Test
  void receiverThatGotNoReplica_isNotOneThatLostAReference() {
    String line = "2026 WARN  datanode.DataNode: IOException in BlockReceiver constructor ";
    Stream<String> log =
        Stream.of(
            line + ":Corrupted block: ReplicaBeingWritten, blk_1_9, RBW",
            "2026 INFO  datanode.DataNode: STARTUP_MSG: Starting DataNode",
            line + ":Corrupted block: ReplicaBeingWritten, blk_1_9, RBW",
            line + ":Possible disk error: Failed to create /data/disk/rbw/blk_2. Cause is ",
            line + ":Out of space: The volume with the most available space (=0 B) is too small",
            line + ":Input/output error. Cause is ");
    assertThat(Leaks.receivers(log)).isEqualTo(2);
  }

  @Test
  void restart_onlyWhereAVolumeWasNotGivenUpOrPutBack() {
    assertThat(Steps.isHung(Fault.Kind.REMOVE_VOLUME, List.of("not within 60 s"))).isTrue();
    assertThat(Steps.isHung(Fault.Kind.FAIL_VOLUME, List.of("not within 60 s"))).isTrue();
    assertThat(Steps.isHung(Fault.Kind.FULL_VOLUME, List.of("not within 60 s"))).isFalse();
    assertThat(Steps.isHung(Fault.Kind.REMOVE_VOLUME, List.of())).isFalse();
    assertThat(Steps.isHung(Fault.Kind.REMOVE_VOLUME, List.of(Steps.OVER))).isFalse();
    assertThat(Steps.isHung(Fault.Kind.FAIL_VOLUME, List.of(Steps.STOOD_STILL))).isFalse();
    assertThat(Steps.isHung(Fault.Kind.FAIL_VOLUME, List.of("not reconfigured", Steps.OVER)))
        .isTrue();
  }

  @Test
  void load_thatDidNotComeToItsEnd_isAFinding() {
    assertThat(Round.ofLoad(6000, 6001, Duration.ofMinutes(15))).isEmpty();
    assertThat(Round.ofLoad(6000, 5990, Duration.ofMinutes(15)).orElseThrow().toString())
        .isEqualTo("NOT_CALM : the load had 5990 of 6000 acknowledgements after 900 s");
  }

  @Test
  void roundThatHasItsFile_isNotRunAgain_butWhatItFoundCounts(@TempDir Path out) throws Exception {
    ByteArrayOutputStream told = new ByteArrayOutputStream();
    assertThat(again(out, "", told)).isEqualTo(ExitCode.OK);
    assertThat(told.toString(StandardCharsets.UTF_8))
        .contains("round -3: has its file already, with no finding");
    String finding = "{\"kind\":\"LEAK\",\"path\":\"\",\"place\":\"dn1\",\"reason\":\"r\"}";
    assertThat(again(out, finding, told)).isEqualTo(ExitCode.FINDING);
    assertThat(told.toString(StandardCharsets.UTF_8)).contains("already, with findings: 1");
  }

  private static ExitCode again(Path out, String findings, ByteArrayOutputStream told)
      throws Exception {
    Path file = Files.createDirectories(out.resolve("rounds")).resolve("-3-on.json");
    Files.writeString(file, "{\"findings\":[" + findings + "]}");
    GameDayOptions options = new GameDayOptions(-3, 0, 1, true, null, "3.4.3", null, false, out);
    PrintStream terminal = new PrintStream(told, true, StandardCharsets.UTF_8);
    return new GameDay(options, out.resolve("cluster"), terminal).run(Optional.empty());
  }

  @Test
  void refusedPipeline_isProofOfItsBlockOnly() {
    String reason = "IOException: opReadBlock BP-1-10.0.0.1-9:blk_17_1005 received exception";
    Finding read = new Finding(Kind.UNREADABLE, "/f", "", reason);
    assertThat(Proofs.isOf(read, 17)).isTrue();
    assertThat(Proofs.isOf(read, 7)).isFalse();
    Finding replica = new Finding(Kind.UNREADABLE, "/f", "BP-1:blk_17_1005 on dn1:9", "");
    assertThat(Proofs.isOf(replica, 18)).isFalse();
    assertThat(Proofs.isOf(new Finding(Kind.UNREADABLE, "/f", "", ""), 18)).isTrue();
  }

  @Test
  void removalThatDidNotEnd_isKeptWhenReplicasAreLookedAtAgain() {
    Finding removal = new Finding(Kind.LEAK, "", "dn1 ssd", "a removal does not end");
    Finding excess = new Finding(Kind.MANY_REPLICAS, "/f", "", "3 replicas of 2");
    assertThat(Round.lasting(List.of(removal, excess))).containsExactly(removal);
  }

  @Test
  void excessReplica_isOfStock_onlyWhereItsFileWasOpenedAgain() {
    History history = new History(new Timeline(System::nanoTime, Runnable::run));
    history.begin("w", new Create("/f", 3, "HOT", "")).acknowledged();
    history.begin("w", new SetReplication("/f", 1)).acknowledged();
    assertThat(Proofs.isOpenedAgain(history, "/f")).isFalse();
    assertThat(Proofs.isOpenedAgain(history, "/d/.snapshot/s/f")).as("not told").isTrue();
    history.begin("w", new Append("/f")).inDoubt();
    assertThat(Proofs.isOpenedAgain(history, "/f")).isTrue();
  }

  @Test
  void excessReplica_isOfStock_onlyWhereItsBlockWasChangedSinceItWasAllocated() {
    String log = "2026 INFO  hdfs.StateChange: BLOCK* allocate blk_17_1001, replicas=a, b for /f";
    assertThat(Proofs.wasChanged(Stream.of("", log), "17", "1005")).isTrue();
    assertThat(Proofs.wasChanged(Stream.of("", log), "17", "1001")).isFalse();
    assertThat(Proofs.wasChanged(Stream.of("", log), "7", "1005")).isFalse();
    assertThat(Proofs.wasChanged(Stream.of(), "17", "1005")).isFalse();
  }

  @Test
  void olderReplica_isOfStock_onlyWhereTheNameNodeCountsAllGoodOnesAsExcess() {
    String counted =
        """
        Block Id: blk_1073742004
        No. of Expected Replica: 1
        No. of live Replica: %d
        No. of excess Replica: %d
        No. of corrupted Replica: 1
        """;
    assertThat(Proofs.counts(counted.formatted(0, 1)))
        .isEqualTo("; by fsck 1 Expected, 0 live, 1 excess, 1 corrupted");
    assertThat(Proofs.isOnlyExcess(counted.formatted(0, 1))).isTrue();
    assertThat(Proofs.isOnlyExcess(counted.formatted(1, 1))).isFalse();
    assertThat(Proofs.isOnlyExcess(counted.formatted(0, 0))).isFalse();
    assertThat(Proofs.isOnlyExcess("Fsck on blockId 'blk_1073742004\n\nnull")).isFalse();
    String reason = "a FINALIZED replica nobody knows of";
    assertThat(StockDefects.of(new Finding(Kind.LEFT_OVER, "", "", reason))).isEmpty();
    assertThat(StockDefects.of(new Finding(Kind.LEFT_OVER, "", "", reason + Proofs.ONLY_EXCESS)))
        .contains(StockDefects.ONLY_EXCESS);
    String few = "1 replicas of 3";
    assertThat(StockDefects.of(new Finding(Kind.FEW_REPLICAS, "", "", few))).isEmpty();
    assertThat(StockDefects.of(new Finding(Kind.FEW_REPLICAS, "", "", few + Proofs.ONLY_EXCESS)))
        .contains(StockDefects.NOT_COPIED);
  }

  @Test
  void copyOfDeletedReplica_isOfStock_onlyWithItsProof() {
    String reason = "a block file in lazypersist that is of no replica";
    assertThat(StockDefects.of(new Finding(Kind.LEFT_OVER, "", "", reason))).isEmpty();
    String proven = reason + Proofs.SAVED_AFTER_DELETION;
    assertThat(StockDefects.of(new Finding(Kind.LEFT_OVER, "", "", proven)))
        .contains(StockDefects.SAVED_AFTER_DELETION);
  }

  @Test
  void fileOfNoReplica_isOfStock_onlyWhileTheScannerPassesOverItsBlock() {
    List<String> log = new ArrayList<>();
    log.add("impl.FsDatasetAsyncDiskService: Deleted BP-1 blk_16_1001 URI file:/a");
    assertThat(Proofs.isPassedOver(log.stream(), "17")).isFalse();
    log.add("impl.FsDatasetAsyncDiskService: Deleted BP-1 blk_17_1002 URI file:/a");
    assertThat(Proofs.isPassedOver(log.stream(), "17")).isTrue();
    assertThat(Proofs.isPassedOver(log.stream(), "7")).isFalse();
    assertThat(
            Proofs.isPassedOver(
                Stream.concat(log.stream(), Stream.of("STARTUP_MSG: Starting DataNode")), "17"))
        .as("it has forgotten")
        .isFalse();
    for (int i = 0; i < 64; i++) {
      log.add("impl.FsDatasetAsyncDiskService: Deleted BP-1 blk_" + (100 + i) + "_1 URI file:/a");
    }
    assertThat(Proofs.isPassedOver(log.stream(), "17")).isFalse();
    String reason = "a block file in finalized that is of no replica";
    assertThat(StockDefects.of(new Finding(Kind.LEFT_OVER, "", "", reason))).isEmpty();
    assertThat(StockDefects.of(new Finding(Kind.LEFT_OVER, "", "", reason + Proofs.PASSED_OVER)))
        .contains(StockDefects.PASSED_OVER);
  }

  /** Rounds that have their file are not run again, so each seed has to stay what it was. */
  @Test
  void oneNameNode_drawsWhatItAlwaysDrew() {
    StringBuilder steps = new StringBuilder();
    for (long seed = 1; seed <= 100; seed++) {
      for (Step step : Schedules.draw(seed, GameDay.shape(1)).steps()) {
        steps.append(step.begin()).append('-').append(step.end()).append(' ');
        steps.append(step.fault()).append('\n');
      }
    }
    assertThat(steps.toString()).hasSize(24_079);
    assertThat(steps.toString().hashCode()).isEqualTo(-364_994_598);
  }

  @Test
  void files_ofTwoNameNodes_haveNamesOfTheirOwn() {
    assertThat(options(1, true).suffix()).isEqualTo("-on");
    assertThat(options(2, true).suffix()).isEqualTo("-on-ha");
    assertThat(options(2, false).suffix()).isEqualTo("-off-ha");
  }

  private static GameDayOptions options(int nameNodes, boolean plugins) {
    return new GameDayOptions(
        -3, 7, nameNodes, plugins, null, "3.5.0", null, true, Path.of("/tmp/x"));
  }

  @Test
  void replay_fileOfARound_isItsSchedule() {
    Schedule schedule = Schedules.draw(7, GameDay.shape(1));
    RoundResult.Read read = new RoundResult.Read(1, 3);
    RoundResult.Refusals none = new RoundResult.Refusals(0, 0);
    RoundResult result =
        new RoundResult(
            schedule,
            true,
            List.of(),
            List.of(),
            Duration.ZERO,
            new TreeMap<>(),
            none,
            new TreeMap<>(),
            List.of(),
            read);
    assertThat(Schedule.fromJson(result.toJson())).isEqualTo(schedule);
  }

  @Test
  void replay_noSchedule_saysWhatIsMissing() {
    assertThatThrownBy(() -> schedule("EXPLODE", "dn1"))
        .hasMessageContaining("'EXPLODE'")
        .hasMessageContaining("KILL_DATANODE");
    assertThatThrownBy(() -> Schedule.fromJson("{}")).hasMessageContaining("acknowledgements");
  }

  @Test
  void options_json_isReadBack() {
    GameDayOptions options = options(2, false);
    assertThat(GameDayOptions.fromJson(options.toJson())).isEqualTo(options);
  }

  @ParameterizedTest
  @MethodSource
  void namedSchedule_hasTargetsThatAreThere_andIsReadBack(String name) {
    Schedule schedule = NamedSchedules.get(name);
    GameDay.require(schedule, 1);
    assertThat(schedule.about()).endsWith(".");
    assertThat(Schedule.fromJson(schedule.toJson())).isEqualTo(schedule);
  }

  static List<String> namedSchedule_hasTargetsThatAreThere_andIsReadBack() {
    return NamedSchedules.NAMES;
  }

  @Test
  void unknownName_saysWhichThereAre() {
    assertThatThrownBy(() -> NamedSchedules.get("teragen"))
        .hasMessageContaining("teragen-host-lost")
        .hasMessageContaining("neither a file");
  }

  @Test
  void load_namesOnlyWhatDiffers_andNothingUnknown() {
    String text = "{\"format\":1,\"seed\":3,\"acknowledgements\":9,\"steps\":[],\"load\":{%s}}";
    Mix mix = Schedule.fromJson(text.formatted("\"logs\":0,\"changes\":[\"APPEND\"]")).mix();
    assertThat(mix.logs()).isZero();
    assertThat(mix.files()).isEqualTo(Mix.DEFAULT.files());
    assertThat(mix.changes()).containsExactly(Mix.Change.APPEND);
    assertThatThrownBy(() -> Schedule.fromJson(text.formatted("\"writers\":1")))
        .hasMessageContaining("[writers]");
    assertThatThrownBy(() -> Schedule.fromJson(text.formatted("\"tools\":[\"HAMMER\"]")))
        .hasMessageContaining("'HAMMER'")
        .hasMessageContaining("BALANCER");
  }

  @Test
  void defectsOfStock_areKnownByTheirProofOnly() {
    String path = "/game/HOT/a";
    String shown = "Expected to read 4 bytes from offset 663 but reached end of file., for OP";
    assertThat(StockDefects.of(new Finding(Kind.UNREADABLE, path, "dn1", shown))).isEmpty();
    assertThat(StockDefects.of(new Finding(Kind.UNREADABLE, path, "dn1", shown + Proofs.REFUSED)))
        .contains(StockDefects.FEWER_CHECKSUMS);
    String open = "IOException: not closed in 240 s";
    assertThat(StockDefects.of(new Finding(Kind.UNREADABLE, path, "", open))).isEmpty();
    assertThat(StockDefects.of(new Finding(Kind.UNREADABLE, path, "", open + Proofs.EMPTY_META)))
        .contains(StockDefects.EMPTY_META);
    Finding lost = new Finding(Kind.LOST_BYTES, path, "", "5 of 9 are missing" + Proofs.DELETED);
    assertThat(StockDefects.of(lost)).as("lost bytes are never explained away").isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "KILL_HOST     | dn3   | ''   | 1 | no host is named 'dn3'",
        "KILL_DATANODE | host3 | ''   | 1 | no DataNode is named 'host3'",
        "KILL_NAMENODE | dn3   | ''   | 1 | the target is nn",
        "FULL_VOLUME   | dn3   | NVDIMM | 1 | the volumes are",
        "KILL_DATANODE | dn3   | ''   | 10 | begins after the 9 of the load"
      })
  void replay_stepThatCannotBePlayed_isRefused(
      String kind, String target, String volume, long begin, String why) {
    Fault fault = new Fault(Fault.Kind.valueOf(kind), target, volume, 0);
    Schedule schedule = new Schedule(3, 9, List.of(new Step("", begin, begin, fault)));
    assertThatThrownBy(() -> GameDay.require(schedule, 1))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining(why);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"lode\":{}                            | a schedule has no [lode]",
        "\"load\":{\"logs\":4294967297}         | logs 4294967297: 0 to",
        "\"load\":{\"logs\":1.9}                | logs is no whole number: 1.9",
        "\"load\":{\"policies\":[\"NOPE\"]}     | policies [NOPE]",
        "\"load\":[]                            | load and conf, which are objects",
        "\"steps\":[{\"begn\":1}]               | a step has no [begn]"
      })
  void replay_textThatSaysSomethingElse_isRefused(String part, String why) {
    String steps = part.startsWith("\"steps") ? "" : "\"steps\":[],";
    String text = "{\"format\":1,\"seed\":3,\"acknowledgements\":9," + steps + part + "}";
    assertThatThrownBy(() -> Schedule.fromJson(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(why);
  }
}
