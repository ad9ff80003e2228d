/**
 * Experiments on moving the blocks of files between storage types: stock's mover and satisfier
 * beside ours, on one cluster in this JVM, judged by what the NameNode says.
 */
package io.evenkeel.bench.mover;
