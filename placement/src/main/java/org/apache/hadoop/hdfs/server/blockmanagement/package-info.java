/** One bridge class to package-private parts of HDFS; see decision 0011. */
package org.apache.hadoop.hdfs.server.blockmanagement;
