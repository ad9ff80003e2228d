/** What stands between a DataNode in this JVM and its disks. */
package io.evenkeel.bench.fileio;
