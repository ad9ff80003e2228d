/**
 * What the demo, the clusters, simulations and benchmarks share: where the classes of a Hadoop
 * release come from (Maven artifacts or an installed Hadoop), how a JVM is started on them, the
 * layout of simulated hosts, and the keys that turn our plugins on. No Hadoop import.
 */
package io.evenkeel.bench.runtime;
