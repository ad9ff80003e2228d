/**
 * The edge of {@code evenkeel doctor}: asks the web servers of a NameNode and of all its DataNodes
 * in rounds, and tells where the DataNodes are. JDK only; changes nothing. Flow: {@link
 * io.evenkeel.cli.doctor.Sampler}, then the core package.
 */
package io.evenkeel.cli.doctor;
