package io.evenkeel.cli.topology;

import io.evenkeel.cli.core.blocks.BlockSample;
import io.evenkeel.cli.core.blocks.ListedBlock;
import io.evenkeel.cli.core.blocks.Migration;
import io.evenkeel.cli.core.blocks.MigrationForecast;
import io.evenkeel.cli.core.blocks.PathSampler;
import io.evenkeel.cli.core.blocks.Reservoir;
import io.evenkeel.cli.core.blocks.StorageTypes;
import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * Blocks of a live cluster: all of them when they are few, else those of paths drawn at random.
 * Apart from the options that ask for it: how to draw is a matter of its own. Confined to one
 * thread.
 */
public final class LiveListing {
  private static final int LEAST_DRAWS = 30;
  private static final int MOST_DRAWS = 400;
  private static final int BLOCKS_OF_A_DRAW = 500;
  private static final int FILES_OF_A_DRAW = 20;

  private final NameNodeWeb web;
  private final Migration migration;
  private final long most;
  private final SplittableRandom random;
  private final Consumer<ListedBlock> blocks;
  private final StorageTypes storageTypes = new StorageTypes();
  private final BlockSample sample = new BlockSample();
  private final Map<String, BlockSample.Part> read = new HashMap<>();
  private final Map<String, Deque<BlockSample.Part>> chunks = new HashMap<>();
  private long paths;

  /**
   * Prepares it.
   *
   * @param migration in which each block is counted
   * @param also told each block as well
   * @param most blocks after which it ends, though not before {@value #LEAST_DRAWS} draws
   */
  public LiveListing(
      NameNodeWeb web, Migration migration, Consumer<ListedBlock> also, long most, long seed) {
    this.web = web;
    this.migration = migration;
    this.most = most;
    this.blocks =
        block -> {
          migration.accept(block);
          also.accept(block);
        };
    this.random = new SplittableRandom(seed);
  }

  /**
   * Reads and judges.
   *
   * @return what a switch copies in the whole cluster
   * @throws CommandException when the NameNode does not answer, or denies it
   */
  public MigrationForecast read() {
    long population = web.blocks();
    if (population <= most) {
      fsck("/");
      return migration.forecast(0);
    }
    draw();
    return migration.forecast(population, sample);
  }

  /** Paths that were drawn and read; 0 when all blocks were read at once. */
  public long paths() {
    return paths;
  }

  /** What fsck counted by storage types. */
  public StorageTypes storageTypes() {
    return storageTypes;
  }

  private void fsck(String path) {
    storageTypes.add(web.fsck(path, blocks).storageTypes(), path);
  }

  private void draw() {
    int draws = (int) Math.max(LEAST_DRAWS, Math.min(MOST_DRAWS, most / BLOCKS_OF_A_DRAW));
    PathSampler sampler = new PathSampler(web, Math.max(1, most / draws), random.split());
    List<PathSampler.Piece> pieces = new ArrayList<>();
    Map<String, Integer> hits = new HashMap<>();
    // paths that went while they were looked for are drawn again, but not for ever
    for (int i = 0; i < 2 * draws && pieces.size() < draws; i++) {
      PathSampler.Piece piece = sampler.draw();
      if (piece != null) {
        pieces.add(piece);
        hits.merge(piece.path(), 1, Integer::sum);
      }
    }
    if (pieces.size() < LEAST_DRAWS) {
      throw new CommandException(
          ExitCode.COULD_NOT_RUN, web.base() + " has blocks, but hardly any files" + web.byFile());
    }
    for (PathSampler.Piece piece : pieces) {
      if (migration.blocks() < most || sample.size() < LEAST_DRAWS) {
        sample.add(piece.isWhole() ? whole(piece) : some(piece, hits.get(piece.path())));
      }
    }
  }

  private BlockSample.Part whole(PathSampler.Piece piece) {
    BlockSample.Part part = read.get(piece.path());
    if (part == null) {
      part = migration.part(piece.files());
      paths++;
      fsck(piece.path());
      read.put(piece.path(), part);
    }
    return part;
  }

  /** Other files of the directory with every draw, all of them when they are few. */
  private BlockSample.Part some(PathSampler.Piece piece, int draws) {
    Deque<BlockSample.Part> left = chunks.get(piece.path());
    if (left == null) {
      left = new ArrayDeque<>();
      Reservoir reservoir = new Reservoir(FILES_OF_A_DRAW * draws, random.split());
      web.files(piece.path(), reservoir::add);
      List<String> names = reservoir.kept();
      boolean enough = names.size() == FILES_OF_A_DRAW * draws;
      int each = enough ? FILES_OF_A_DRAW : Math.max(1, names.size());
      for (int from = 0; from < Math.max(1, names.size()); from += each) {
        left.add(files(piece.path(), names.subList(from, Math.min(names.size(), from + each))));
      }
      chunks.put(piece.path(), left);
    }
    return left.size() > 1 ? left.poll() : left.peek();
  }

  private BlockSample.Part files(String directory, List<String> names) {
    BlockSample.Part part = migration.part(names.size());
    for (String name : names) {
      paths++;
      fsck(PathSampler.join(directory, name));
    }
    return part;
  }
}
