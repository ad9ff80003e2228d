/** A whole NameNode in this JVM with DataNodes that only exist in its memory. */
package io.evenkeel.bench.namenode;
