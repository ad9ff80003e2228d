/** Writers and readers of HDFS that keep a history, and the check of every file at the end. */
package io.evenkeel.bench.gameday.load;
