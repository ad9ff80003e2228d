/**
 * A discrete-event model of the disks of a DataNode under writers, driving the real policies.
 *
 * <p>Time is virtual and everything random comes from a seed. Units: seconds, MB of 2^20 bytes and
 * MB/s, unless a name says otherwise. What the model leaves out is listed in docs/bench.md.
 */
package io.evenkeel.bench.sim.disk;
