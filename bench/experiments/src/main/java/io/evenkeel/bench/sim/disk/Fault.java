package io.evenkeel.bench.sim.disk;

/**
 * A disk or a controller of the first DataNode that is slow for a while.
 *
 * @param part what is slow
 * @param index which one
 * @param factor what is left of its bandwidth; 0 for a hang
 * @param from seconds
 * @param to seconds
 */
record Fault(Part part, int index, double factor, double from, double to) {
  enum Part {
    DISK,
    CONTROLLER
  }

  static Fault disk(int index, double factor, double from, double to) {
    return new Fault(Part.DISK, index, factor, from, to);
  }

  static Fault controller(int index, double factor, double from, double to) {
    return new Fault(Part.CONTROLLER, index, factor, from, to);
  }

  boolean at(double time) {
    return time >= from && time < to;
  }
}
