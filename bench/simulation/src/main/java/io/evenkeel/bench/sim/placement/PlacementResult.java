package io.evenkeel.bench.sim.placement;

import java.util.List;

/**
 * What one run showed, over the DataNodes that could be used.
 *
 * @param each replicas of each DataNode
 * @param inFlightAtEnd blocks in flight of each when the last block was placed
 * @param perWeight replicas per unit of weight: most of a DataNode over the mean
 * @param inFlight blocks in flight: most of a DataNode over the mean, over the run
 * @param scatterWidth with how many others a DataNode shares blocks, on average
 */
public record PlacementResult(
    List<Long> each,
    List<Integer> inFlightAtEnd,
    Replicas replicas,
    double perWeight,
    Ratio inFlight,
    double scatterWidth,
    Violations violations) {

  /** Replicas of a DataNode. */
  public record Replicas(long least, double mean, long most) {
    public double mostOverMean() {
      return most / mean;
    }
  }

  /** Samples of a ratio. */
  public record Ratio(double mean, double p99) {}
}
