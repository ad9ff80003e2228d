package io.evenkeel.bench.gameday.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.bench.gameday.fault.DiskOrder.Effect;
import io.evenkeel.common.testing.Await;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider.OPERATION;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class FaultyDisksTest {
  private final FaultyDisks disks = new FaultyDisks();
  private final FsVolumeSpi disk = volume("file:/c/data/disk/", "DS-1", StorageType.DISK);
  private final FsVolumeSpi disk2 = volume("file:/c/data/disk2/", "DS-2", StorageType.DISK);
  private final FsVolumeSpi ssd = volume("file:/c/data/ssd/", "DS-3", StorageType.SSD);

  @AfterEach
  void heal() {
    disks.use(List.of());
  }

  private static FsVolumeSpi volume(String uri, String storage, StorageType type) {
    Map<String, Object> answers =
        Map.of("getBaseURI", URI.create(uri), "getStorageID", storage, "getStorageType", type);
    return (FsVolumeSpi)
        Proxy.newProxyInstance(
            FsVolumeSpi.class.getClassLoader(),
            new Class<?>[] {FsVolumeSpi.class},
            (proxy, method, arguments) -> answers.get(method.getName()));
  }

  private Thread operation(FsVolumeSpi volume, AtomicReference<Throwable> thrown) {
    Thread thread =
        new Thread(
            () -> {
              try {
                disks.beforeFileIo(volume, OPERATION.READ, 1);
              } catch (Throwable e) {
                thrown.set(e);
              }
            });
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  @ParameterizedTest
  @ValueSource(strings = {"disk", "DS-1", "DISK"})
  void order_byDirectoryIdOrType_isForThatVolume(String name) {
    disks.use(List.of(new DiskOrder(name, Effect.FAIL)));
    assertThatThrownBy(() -> disks.beforeFileIo(disk, OPERATION.READ, 1))
        .isInstanceOf(IOException.class);
    assertThatCode(() -> disks.beforeFileIo(ssd, OPERATION.READ, 1)).doesNotThrowAnyException();
    assertThatCode(() -> disks.beforeFileIo(null, OPERATION.READ, 1)).doesNotThrowAnyException();
    assertThat(disks.ordered(disk, Effect.FAIL)).isTrue();
    assertThat(disks.ordered(disk2, Effect.FAIL)).isEqualTo(name.equals("DISK"));
    assertThat(disks.met()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({
    "FULL,WRITE,true",
    "FULL,NATIVE_COPY,true",
    "FULL,READ,false",
    "FULL,MKDIRS,false",
    "FAIL,WRITE,true",
    "FAIL,MOVE,true",
    "FAIL,DELETE,false",
    "FAIL,EXISTS,false"
  })
  void operation_onFullOrFailingVolume_failsWhereItCan(Effect effect, OPERATION op, boolean fails) {
    disks.use(List.of(new DiskOrder("disk", effect)));
    if (fails) {
      assertThatThrownBy(() -> disks.beforeMetadataOp(disk, op)).isInstanceOf(IOException.class);
    } else {
      assertThatCode(() -> disks.beforeMetadataOp(disk, op)).doesNotThrowAnyException();
    }
  }

  @Test
  void opening_onFailingVolume_failsAsJavaDoes() {
    disks.use(List.of(new DiskOrder("disk", Effect.FAIL)));
    assertThatThrownBy(() -> disks.beforeMetadataOp(disk, OPERATION.OPEN))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessageContaining("Input/output error");
  }

  @Test
  void hang_otherOrdersComeAndGo_lastsUntilItsEndAndSurvivesInterrupts() throws Exception {
    DiskOrder hang = new DiskOrder("disk", Effect.HANG);
    disks.use(List.of(hang));
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    Thread thread = operation(disk, thrown);
    Await.until("it hangs", () -> disks.waiting() == 1);
    disks.use(List.of(new DiskOrder("ssd", Effect.HANG), hang));
    thread.interrupt();
    disks.use(List.of(hang));
    assertThat(disks.waiting()).isEqualTo(1);
    assertThat(thread.isAlive()).isTrue();
    disks.use(List.of());
    thread.join();
    assertThat(thrown.get()).isNull();
    assertThat(disks.waiting()).isZero();
  }

  @Test
  void hangOfCreations_otherOperations_goOn() throws Exception {
    disks.use(List.of(new DiskOrder("disk", Effect.HANG_CREATIONS)));
    disks.beforeMetadataOp(disk, OPERATION.DELETE);
    disks.beforeFileIo(disk, OPERATION.WRITE, 1);
    assertThat(disks.waiting()).isZero();
    Thread creation = new Thread(() -> disks.beforeMetadataOp(disk, OPERATION.EXISTS));
    creation.start();
    Await.until("it hangs", () -> disks.waiting() == 1);
    disks.use(List.of());
    Await.until("it goes on", () -> !creation.isAlive());
  }

  @Test
  void hang_thatTurnsIntoFailing_fails() throws Exception {
    disks.use(List.of(new DiskOrder("disk", Effect.HANG)));
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    Thread thread = operation(disk, thrown);
    Await.until("it hangs", () -> disks.waiting() == 1);
    disks.use(List.of(new DiskOrder("disk", Effect.FAIL)));
    thread.join();
    assertThat(thrown.get()).isInstanceOf(IOException.class);
  }

  @Test
  void slow_thatEnds_delaysNoLonger() throws Exception {
    disks.use(List.of(new DiskOrder("disk", Effect.SLOW, 1)));
    disks.beforeFileIo(disk, OPERATION.READ, 1);
    disks.use(List.of(new DiskOrder("disk", Effect.SLOW, 1_000_000)));
    Thread thread = operation(disk, new AtomicReference<>());
    Await.until("it is delayed", () -> disks.waiting() == 1);
    disks.use(List.of());
    thread.join();
    assertThat(disks.met()).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource({
    "DataXceiver for client DFSClient_NONMAPREDUCE_-1_2 at /127.0.0.1:4 [Receiving block BP-1],"
        + "DataXceiver for client",
    "'PacketResponder: BP-1:blk_1_2, type=LAST_IN_PIPELINE',PacketResponder",
    "Async disk worker #3 for volume /c/data/disk,Async disk worker",
    "FsVolumeImplWorker-/c/data/disk-0,FsVolumeImplWorker",
    "org.apache.hadoop.hdfs.server.datanode.DataNode$DataTransfer@1f,"
        + "org.apache.hadoop.hdfs.server.datanode.DataNode$DataTransfer",
    "org.apache.hadoop.hdfs.server.datanode.BlockRecoveryWorker$1@2f,"
        + "org.apache.hadoop.hdfs.server.datanode.BlockRecoveryWorker$",
    "IPC Server handler 7 on default port 9867,IPC Server handler",
    "main,main"
  })
  void kind_ofAThread_isItsNameWithoutDetails(String name, String kind) {
    assertThat(DataNodeBeans.kind(name)).isEqualTo(kind);
  }
}
