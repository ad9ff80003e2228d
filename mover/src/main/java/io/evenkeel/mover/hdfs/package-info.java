/**
 * Talks Hadoop's protocols for the mover: {@link io.evenkeel.mover.hdfs.HdfsConnection} to one
 * NameNode or nameservice, {@link io.evenkeel.mover.hdfs.HdfsNamespace} what it says about files
 * and DataNodes, {@link io.evenkeel.mover.hdfs.HdfsReplicaMover} the request to a DataNode. Nothing
 * of the mover outside of this package needs a Hadoop class for moving.
 */
package io.evenkeel.mover.hdfs;
