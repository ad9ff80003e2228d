/**
 * What commands that ask DataNodes for one bean of a plugin share: an answer, findings, and a
 * report with the frame of text and JSON. Pure; immutable but for {@link
 * io.evenkeel.cli.datanodes.core.FindingNotes}.
 */
package io.evenkeel.cli.datanodes.core;
