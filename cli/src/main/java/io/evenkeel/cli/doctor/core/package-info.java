/**
 * What is wrong with a cluster by what its daemons said over some minutes. Pure: no Hadoop, no
 * network, no clock; what was asked is handed in, what was found is handed out.
 */
package io.evenkeel.cli.doctor.core;
