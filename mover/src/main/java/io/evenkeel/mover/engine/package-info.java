/**
 * Carries plans out: reads files from a {@link io.evenkeel.mover.engine.Namespace}, moves replicas
 * by a {@link io.evenkeel.mover.engine.ReplicaMover} on a fixed number of threads, and asks again
 * until the NameNode agrees. No Hadoop class in here.
 */
package io.evenkeel.mover.engine;
