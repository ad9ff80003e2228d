package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.channels.ClosedChannelException;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Orders to delete replicas, beside a map that changes between two looks. */
class ReplicaDeletionsTest {
  private static final String POOL = "BP-1";

  private final Block ordered = new Block(1, 0, 7);
  private final FineGrainedDataset dataset = mock(FineGrainedDataset.class);
  private final ReplicaMap map = mock(ReplicaMap.class);
  private final ReplicaInfo replica = mock(ReplicaInfo.class);
  private final FsVolumeImpl volume = mock(FsVolumeImpl.class);

  @BeforeEach
  void useTheMap() throws Exception {
    Field field = FsDatasetImpl.class.getDeclaredField("volumeMap");
    field.setAccessible(true);
    field.set(dataset, map);
    when(replica.getVolume()).thenReturn(volume);
    when(volume.obtainReference()).thenThrow(new ClosedChannelException());
  }

  @Test
  void order_createdAtThatMoment_isNoOtherGenerationStamp() throws IOException {
    when(replica.getGenerationStamp()).thenReturn(7L);
    when(map.get(any(String.class), any(Block.class))).thenReturn(null, replica);
    when(map.get(any(String.class), anyLong())).thenReturn(replica);
    new ReplicaDeletions(dataset).order(POOL, new Block[] {ordered});
    verify(volume).obtainReference();
  }

  @Test
  void order_anotherGenerationStamp_isRefused() {
    when(replica.getGenerationStamp()).thenReturn(8L);
    when(map.get(any(String.class), anyLong())).thenReturn(replica);
    assertThatThrownBy(() -> new ReplicaDeletions(dataset).order(POOL, new Block[] {ordered}))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("GenerationStamp not matched");
  }
}
