/**
 * Records of 100 bytes, read from any place of a file: keys, sums, and {@link
 * io.evenkeel.terasort.core.record.Fragment fragments} that join to whole files.
 *
 * <p>Data flow: bytes of a range → {@code FragmentScanner} → {@code Fragment} → {@code
 * Fragment.join}. Nothing here is thread-safe unless it says so.
 */
package io.evenkeel.terasort.core.record;
