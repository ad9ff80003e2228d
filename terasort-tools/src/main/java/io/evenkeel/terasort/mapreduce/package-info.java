/**
 * The validation as a MapReduce job: input listing, splits, map and reduce. Thin: what is decided
 * about records, partitions and splits stands in {@code io.evenkeel.terasort.core}.
 *
 * <p>Data flow: {@code InputLister} → {@code _listing} in the report directory → {@code
 * BlockInputFormat} plans {@code BlockSplit}s → {@code SiblingSplits} adds the sibling VMs → {@code
 * ValidateMapper} makes a fragment of each range → {@code ValidateReducer} walks listing and
 * fragments together and writes the report → {@code ValidationResult} reads it for JSON and page.
 */
package io.evenkeel.terasort.mapreduce;
