package io.evenkeel.mover.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.mover.core.plan.WantedTypes;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StoragePoliciesTest {
  private static final BlockStoragePolicy OLD = policy(12, "OLD", StorageType.SSD);
  private static final BlockStoragePolicy ADDED = policy(14, "ADDED", StorageType.ARCHIVE);

  private BlockStoragePolicy[] offered = {OLD};
  private int reads;
  private long now = -7;
  private StoragePolicies policies;

  private static BlockStoragePolicy policy(int id, String name, StorageType type) {
    StorageType[] types = {type};
    return new BlockStoragePolicy((byte) id, name, types, types, types);
  }

  @BeforeEach
  void open() throws IOException {
    policies =
        new StoragePolicies(
            () -> {
              reads++;
              return offered;
            },
            () -> {
              throw new IOException("not asked for");
            },
            () -> now);
  }

  private WantedTypes wantedTypes(int id) throws IOException {
    return policies.wantedTypes((byte) id, 3, null);
  }

  @Test
  void wantedTypes_policyAddedLater_isReadOnce() throws IOException {
    offered = new BlockStoragePolicy[] {OLD, ADDED};
    assertThat(wantedTypes(12).policy()).isEqualTo("OLD");
    assertThat(reads).isEqualTo(1);
    assertThat(wantedTypes(14).policy()).isEqualTo("ADDED");
    assertThat(wantedTypes(14).isSupported()).isTrue();
    assertThat(reads).isEqualTo(2);
  }

  @Test
  void wantedTypes_policyNobodyKnows_isUnknownAndSeldomAskedFor() throws IOException {
    for (int i = 0; i < 3; i++) {
      assertThat(wantedTypes(14).isKnown()).isFalse();
      assertThat(wantedTypes(14).isSupported()).isFalse();
      assertThat(wantedTypes(14).policy()).contains("14");
    }
    assertThat(reads).isEqualTo(2);
    offered = new BlockStoragePolicy[] {OLD, ADDED};
    now += TimeUnit.SECONDS.toNanos(StoragePolicies.AGAIN_SECONDS);
    assertThat(wantedTypes(14).isKnown()).isTrue();
    assertThat(reads).isEqualTo(3);
  }
}
