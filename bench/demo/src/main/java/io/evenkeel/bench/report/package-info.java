/**
 * What a run of the demo shows a person: one self-contained HTML page and a table for the terminal.
 *
 * <p>Both are drawn from the same map that is written as {@code report.json}; {@code
 * docs/report.md} documents it. Any part of it may be missing. Pure and stateless: no clock, no
 * files, no network.
 */
package io.evenkeel.bench.report;
