/**
 * What runs in a job's client and tasks: TeraValidate by block, the TeraSort suite, and splits that
 * know physical hosts.
 *
 * <p>This package holds what people name. {@code BlockTeraValidate} and {@code TeraSortSuite} are
 * named on a command line. {@code NodeGroupInputFormat} is the only class that is named in XML, as
 * {@code mapreduce.job.inputformat.class}; {@code NodeGroupSplits} is for input formats of others.
 * {@code TerasortKeys} in {@code config} has the keys of all of them.
 *
 * <p>The adapters to Hadoop stand in {@code mapreduce} (the validation job), {@code suite} and
 * {@code locality}; algorithms without a Hadoop import stand in {@code core}.
 */
package io.evenkeel.terasort;
