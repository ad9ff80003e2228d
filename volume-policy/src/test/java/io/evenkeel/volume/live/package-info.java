/** Tests on a real DataNode one of whose volumes is slow, hung, full or removed; Hadoop 3 only. */
package io.evenkeel.volume.live;
