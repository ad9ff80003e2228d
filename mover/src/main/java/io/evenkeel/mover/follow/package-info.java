/**
 * The daemon {@code evenkeel mover --follow}: events of the NameNode, lease and journal in HDFS,
 * the threads between them, and what it shows. What is decided is decided in {@link
 * io.evenkeel.mover.core.follow}.
 */
package io.evenkeel.mover.follow;
