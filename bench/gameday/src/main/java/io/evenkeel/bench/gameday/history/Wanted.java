package io.evenkeel.bench.gameday.history;

import java.util.Set;
import java.util.TreeSet;

/**
 * How the replicas of a file are to be placed, as far as acknowledged and doubtful operations say.
 * Immutable.
 *
 * @param replications the replication factor; several when a change is in doubt
 * @param policies the storage policy; several when a change is in doubt
 * @param everPolicies the same with all earlier ones: HDFS leaves a replica where an earlier policy
 *     wanted it until a mover comes
 * @param erasureCoding name of the erasure coding policy; empty for a replicated file
 */
public record Wanted(
    Set<Integer> replications,
    Set<String> policies,
    Set<String> everPolicies,
    String erasureCoding) {

  /** Copies the sets. */
  public Wanted {
    replications = Set.copyOf(replications);
    policies = Set.copyOf(policies);
    everPolicies = Set.copyOf(everPolicies);
  }

  /** What is wanted of a new file. */
  static Wanted of(int replication, String policy, String erasureCoding) {
    return new Wanted(Set.of(replication), Set.of(policy), Set.of(policy), erasureCoding);
  }

  Wanted replication(int replication) {
    return new Wanted(Set.of(replication), policies, everPolicies, erasureCoding);
  }

  Wanted policy(String policy) {
    return new Wanted(
        replications, Set.of(policy), union(everPolicies, Set.of(policy)), erasureCoding);
  }

  /** What is wanted of a file that got the blocks of another. */
  Wanted withBlocksOf(Wanted other) {
    return new Wanted(
        replications, policies, union(everPolicies, other.everPolicies), erasureCoding);
  }

  /** What is wanted when it is not known which of two. */
  Wanted or(Wanted other) {
    return new Wanted(
        union(replications, other.replications),
        union(policies, other.policies),
        union(everPolicies, other.everPolicies),
        erasureCoding);
  }

  private static <T extends Comparable<T>> Set<T> union(Set<T> one, Set<T> other) {
    Set<T> both = new TreeSet<>(one);
    both.addAll(other);
    return both;
  }
}
