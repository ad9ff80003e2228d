/**
 * A block-wise TeraValidate and its kin on MapReduce.
 *
 * <p>This package holds the classes an operator names in XML and the public API; algorithms without
 * a Hadoop import stand in {@code io.evenkeel.terasort.core}.
 */
package io.evenkeel.terasort;
