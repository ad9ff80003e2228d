/**
 * What a DataNode's volumes are doing, read from the DataNode and the system, and the threads that
 * read it: one that samples, and one that asks for free space, which is given up and replaced when
 * a file system does not answer.
 */
package io.evenkeel.volume.signal;
