/**
 * The edge of {@code evenkeel locks}: asks DataNodes for what the dataset that locks by block
 * shows. JDK only. Flow: {@link io.evenkeel.cli.locks.LocksScan}, then the core package.
 */
package io.evenkeel.cli.locks;
