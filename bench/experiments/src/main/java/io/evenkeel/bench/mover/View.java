package io.evenkeel.bench.mover;

/**
 * Where the NameNode says the replicas of some files are. Immutable.
 *
 * @param blocks of all files
 * @param replicas of all blocks
 * @param onTarget replicas on the storage type looked for
 * @param least replicas of the block that has fewest
 * @param most replicas of the block that has most
 */
record View(int blocks, int replicas, int onTarget, int least, int most) {
  /** Of no files. */
  static final View NOTHING = new View(0, 0, 0, 0, 0);

  /** Whether each block has exactly {@link MoverCluster#REPLICAS}. */
  boolean replicated() {
    return least == MoverCluster.REPLICAS && most == MoverCluster.REPLICAS;
  }

  /** Whether it has and all are on the type looked for. */
  boolean complete() {
    return replicated() && onTarget == replicas;
  }

  /** Share of the replicas that are meant to be, in percent. */
  double percent() {
    return 100.0 * onTarget / ((long) blocks * MoverCluster.REPLICAS);
  }
}
