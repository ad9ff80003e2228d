package io.evenkeel.placement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.DNSToSwitchMapping;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class NodeGroupMappingConcurrencyTest {
  private static final int HOSTS = 40;
  private static final int ROUNDS = 3_000;

  private final List<String> names = new ArrayList<>();
  private final List<String> locations = new ArrayList<>();

  NodeGroupMappingConcurrencyTest() {
    FakeSite.reset();
    for (int i = 0; i < HOSTS; i++) {
      names.add("10.0.1." + i);
      locations.add("/r" + i % 4 + "/n" + i % 20);
      FakeSite.TABLE.put(names.get(i), locations.get(i));
    }
  }

  /** Answers of three threads that differ from the mapping, while a fourth clears the cache. */
  private long wrong(DNSToSwitchMapping mapping) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    AtomicBoolean done = new AtomicBoolean();
    try {
      Future<?> reloads =
          threads.submit(
              () -> {
                while (!done.get()) {
                  mapping.reloadCachedMappings();
                  mapping.reloadCachedMappings(names.subList(0, 5));
                }
              });
      List<Future<Long>> askers = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        askers.add(threads.submit(asker(mapping)));
      }
      long wrong = 0;
      for (Future<Long> asker : askers) {
        wrong += asker.get();
      }
      done.set(true);
      reloads.get();
      return wrong;
    } finally {
      done.set(true);
      threads.shutdownNow();
      threads.awaitTermination(10, TimeUnit.SECONDS);
    }
  }

  private Callable<Long> asker(DNSToSwitchMapping mapping) {
    return () -> {
      long wrong = 0;
      for (int i = 0; i < ROUNDS; i++) {
        wrong += locations.equals(mapping.resolve(names)) ? 0 : 1;
      }
      return wrong;
    };
  }

  @Test
  void resolve_whileTheCacheIsCleared_neverLosesAKnownHost() throws Exception {
    Configuration conf = new Configuration(false);
    conf.set("evenkeel.placement.mapping.wrapped", FakeSite.Cached.class.getName());
    NodeGroupMapping mapping = new NodeGroupMapping();
    mapping.setConf(conf);
    // stock's cache alone gives no list at all when it is cleared at the wrong moment
    long stock = 0;
    for (int i = 0; i < 20 && stock == 0; i++) {
      stock = wrong(new FakeSite.Cached());
    }
    assertThat(stock).as("stock").isPositive();
    assertThat(wrong(mapping)).isZero();
    assertThat(mapping.watch().unknown()).isZero();
  }
}
