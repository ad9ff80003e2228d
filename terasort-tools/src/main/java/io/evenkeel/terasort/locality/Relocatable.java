package io.evenkeel.terasort.locality;

import org.apache.hadoop.mapreduce.InputSplit;

/**
 * A split that can say itself that it should run elsewhere, so that nothing is wrapped around it.
 */
public interface Relocatable {
  /** The same split with these hosts as its locations. */
  InputSplit withLocations(String[] hosts);
}
