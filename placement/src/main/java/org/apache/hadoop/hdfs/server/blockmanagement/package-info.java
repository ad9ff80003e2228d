/** One bridge class to package-private parts of HDFS; see decision 0010. */
package org.apache.hadoop.hdfs.server.blockmanagement;
