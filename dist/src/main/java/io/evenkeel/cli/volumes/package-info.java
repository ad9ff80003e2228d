/**
 * The edge of {@code evenkeel volumes}: asks DataNodes for what the latency-aware policy shows of
 * their volumes. JDK only. Flow: {@link io.evenkeel.cli.volumes.VolumesScan}, then the core
 * package.
 */
package io.evenkeel.cli.volumes;
