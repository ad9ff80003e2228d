/**
 * What {@code evenkeel volumes} concludes from what DataNodes said: values, findings, tables and
 * JSON. Pure; all types are immutable. Flow: {@link io.evenkeel.cli.volumes.core.DataNodeVolumes},
 * then {@link io.evenkeel.cli.volumes.core.VolumesFindings}, then text or JSON.
 */
package io.evenkeel.cli.volumes.core;
