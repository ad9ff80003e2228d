/** What a benchmark needs from the package-private side of the NameNode; see decision 0010. */
package org.apache.hadoop.hdfs.server.blockmanagement;
