package io.evenkeel.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.testing.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/** What happens to a DataNode process under load: it is killed, its volumes stall and go. */
final class NodeStrikes {
  private static final int MOST_MILLIS = 4000;

  /** One of them. */
  enum Strike {
    KILL,
    STALL,
    REMOVE,
    REMOVE_STALLED
  }

  private final PluginCluster plugin;
  private final Path directory;
  private final int stalling;
  private final Random random;

  /**
   * Prepares.
   *
   * @param directory for the files that command a {@link StallAgent}
   * @param stalling the volume it stalls
   */
  NodeStrikes(PluginCluster plugin, Path directory, int stalling, Random random) {
    this.plugin = plugin;
    this.directory = directory;
    this.stalling = stalling;
    this.random = random;
  }

  /** The file that stalls the volume while it is there. */
  Path command(ReconfiguredNode node) {
    return directory.resolve("stall-" + node.name());
  }

  void strike(Strike strike, ReconfiguredNode node) throws Exception {
    switch (strike) {
      case KILL -> {
        assertThat(plugin.cluster().kill(node.name())).containsExactly(node.name());
        plugin.cluster().revive(node.name());
      }
      case STALL -> whileStalled(node, () -> {});
      case REMOVE -> {
        node.use(random.nextInt(node.volumes()));
        pause();
        comeBack(node);
      }
      case REMOVE_STALLED -> {
        whileStalled(node, () -> node.use(stalling));
        comeBack(node);
      }
    }
  }

  private interface Act {
    void act() throws Exception;
  }

  private void whileStalled(ReconfiguredNode node, Act act) throws Exception {
    Files.createFile(command(node));
    try {
      pause();
      act.act();
      pause();
    } finally {
      Files.delete(command(node));
    }
  }

  private void comeBack(ReconfiguredNode node) throws Exception {
    awaitChange(node);
    pause();
    node.use(-1);
    awaitChange(node);
  }

  private static void awaitChange(ReconfiguredNode node) {
    String[] errors = new String[1];
    CrashCheck.await(
        node.name() + " has changed its volumes",
        () -> {
          try {
            errors[0] = node.changed();
            return errors[0] != null;
          } catch (IOException e) {
            return false; // asked again
          }
        });
    assertThat(errors[0]).as(node.name()).isEmpty();
  }

  /** Some time of at most a few seconds. */
  void pause() throws InterruptedException {
    Await.pause(random.nextInt(MOST_MILLIS));
  }
}
