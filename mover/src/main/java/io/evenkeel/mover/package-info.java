/**
 * A file-level asynchronous mover that follows renames across storage policies.
 *
 * <p>This package holds the classes an operator names in XML and the public API; algorithms without
 * a Hadoop import stand in {@code io.evenkeel.mover.core}.
 */
package io.evenkeel.mover;
