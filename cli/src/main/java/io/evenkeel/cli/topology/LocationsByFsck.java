package io.evenkeel.cli.topology;

import io.evenkeel.cli.core.blocks.ListedBlock;
import io.evenkeel.cli.core.blocks.PathSampler;
import io.evenkeel.cli.core.blocks.Reservoir;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * Where DataNodes are by the locations of blocks, for NameNodes that do not say it otherwise. Of a
 * large cluster it reads files drawn at random until it has found all DataNodes. Apart from {@link
 * TopologySource}, so that it can go with Hadoop before 3.3. Stateless.
 */
final class LocationsByFsck {
  /** A cluster of no more blocks is read whole. */
  private static final long FEW_BLOCKS = 20_000;

  private static final int MOST_DRAWS = 300;
  private static final int FILES_OF_A_DRAW = 200;
  private static final int SINGLE_FILES = 20;
  private static final long SEED = 9608;

  private LocationsByFsck() {}

  /**
   * The live DataNodes, each with its {@code location} where a block of it was found.
   *
   * @param live attributes by name
   * @throws io.evenkeel.common.cli.CommandException when files cannot be asked for
   */
  static Map<String, Object> located(NameNodeWeb web, Map<?, ?> live) {
    Map<String, Map<String, Object>> byAddress = new HashMap<>();
    Map<String, Object> located = new LinkedHashMap<>();
    live.forEach(
        (name, attributes) -> {
          Map<String, Object> copy = new LinkedHashMap<>();
          ((Map<?, ?>) attributes).forEach((key, value) -> copy.put(String.valueOf(key), value));
          located.put(String.valueOf(name), copy);
          byAddress.put(String.valueOf(copy.get("xferaddr")), copy);
        });
    look(web, block -> block.replicas().forEach(r -> place(byAddress, r.location())), byAddress);
    return located;
  }

  private static void place(Map<String, Map<String, Object>> missing, String location) {
    int last = location.lastIndexOf('/');
    Map<String, Object> node = missing.remove(location.substring(last + 1));
    if (node != null && last > 0) {
      node.put("location", location.substring(0, last));
    }
  }

  private static void look(
      NameNodeWeb web, Consumer<ListedBlock> blocks, Map<String, Map<String, Object>> missing) {
    if (web.blocks() <= FEW_BLOCKS) {
      web.fsck("/", blocks);
      return;
    }
    SplittableRandom random = new SplittableRandom(SEED);
    PathSampler sampler = new PathSampler(web, FILES_OF_A_DRAW, random.split());
    Set<String> read = new HashSet<>();
    for (int i = 0; i < MOST_DRAWS && !missing.isEmpty(); i++) {
      PathSampler.Piece piece = sampler.draw();
      if (piece != null && piece.isWhole() && read.add(piece.path())) {
        web.fsck(piece.path(), blocks);
      } else if (piece != null && !piece.isWhole()) {
        Reservoir some = new Reservoir(SINGLE_FILES, random);
        web.files(piece.path(), some::add);
        some.kept().forEach(name -> web.fsck(PathSampler.join(piece.path(), name), blocks));
      }
    }
  }
}
