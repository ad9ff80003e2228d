/**
 * Classes of Evenkeel in Hadoop's package: stock's {@code FsDatasetImpl}, its replica map and the
 * methods that a finer lock must surround are package-private in every release.
 */
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;
