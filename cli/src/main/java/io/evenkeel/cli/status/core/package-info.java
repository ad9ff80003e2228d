/**
 * What {@code evenkeel status} concludes from what daemons said: values, findings, table and JSON.
 * Pure; all types are immutable. Flow: reports of daemons, then {@link
 * io.evenkeel.cli.status.core.Findings}, then text or JSON.
 */
package io.evenkeel.cli.status.core;
