/** Disks that fail: what a DataNode process gets besides Hadoop, and the file that drives it. */
package io.evenkeel.bench.gameday.fault;
