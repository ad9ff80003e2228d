/** What tests need of Hadoop's package. */
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;
