#!/usr/bin/env bash
# Sourced by Cloudera Manager's agent before it starts a role of HDFS, YARN or MapReduce, where this
# directory is an active parcel: puts the plugin jars on the class path. A jar whose key is not set
# does nothing.

EVENKEEL_VERSION=${project.version}
EVENKEEL_HOME=$PARCELS_ROOT/${PARCEL_DIRNAME:-evenkeel-$EVENKEEL_VERSION}
export HADOOP_CLASSPATH="${HADOOP_CLASSPATH:+$HADOOP_CLASSPATH:}$EVENKEEL_HOME/lib/*"
