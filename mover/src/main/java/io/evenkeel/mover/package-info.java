/**
 * A file-level asynchronous mover that follows renames across storage policies.
 *
 * <p>This package holds the entry points for programs and for the command line. It uses all other
 * packages of the mover, and none of them needs it: requests and reports are in {@code
 * io.evenkeel.mover.request}, keys in {@code io.evenkeel.mover.config}, algorithms without a Hadoop
 * import in {@code io.evenkeel.mover.core}.
 */
package io.evenkeel.mover;
