/**
 * What {@code evenkeel volumes} concludes from what DataNodes said. Pure; all types are immutable.
 * Flow: {@link io.evenkeel.cli.volumes.core.DataNodeVolumes}, then {@link
 * io.evenkeel.cli.volumes.core.VolumesReport}.
 */
package io.evenkeel.cli.volumes.core;
