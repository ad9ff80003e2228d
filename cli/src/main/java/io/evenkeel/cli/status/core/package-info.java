/**
 * What {@code evenkeel status} concludes from what daemons said: values, findings, table and JSON.
 * Pure; all types are immutable. {@link io.evenkeel.cli.status.core.ClusterReport} has all of it.
 */
package io.evenkeel.cli.status.core;
