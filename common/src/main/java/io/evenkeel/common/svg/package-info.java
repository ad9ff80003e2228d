/**
 * Small charts as inline SVG: bars, lines over time, dots per group and a grid of shares.
 *
 * <p>Pure and deterministic: the same input gives the same text, no clock, no locale, no fonts
 * measured. Colours come only from the custom properties of {@link ChartStyle}, so one page serves
 * light and dark. No series is told by colour alone: each has a hatch, dash or shape and a label.
 * The markup carries no {@code xmlns}: it is meant to stand inside an HTML page. Chart objects are
 * not thread-safe; build and render one in one thread.
 */
package io.evenkeel.common.svg;
