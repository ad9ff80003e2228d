/** Whether NameNode, replica maps and disks agree, and what they should hold; knows no Hadoop. */
package io.evenkeel.bench.gameday.agreement;
