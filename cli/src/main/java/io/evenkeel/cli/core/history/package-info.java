/**
 * The history of a MapReduce job without Hadoop: reading it, and where its map tasks ran seen from
 * their data. That of a job which still runs, or was cut off, is read as far as it goes and says
 * so.
 */
package io.evenkeel.cli.core.history;
