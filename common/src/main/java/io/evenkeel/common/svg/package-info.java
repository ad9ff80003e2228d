/**
 * Small charts as inline SVG: bars, and lines over time.
 *
 * <p>Pure and deterministic: the same input gives the same text, no clock, no locale, no fonts
 * measured. Colours come only from the custom properties of {@link ChartStyle}, so one page serves
 * light and dark. No series is told by colour alone: each has a tone or dash and a label. The
 * markup carries no {@code xmlns}: it is meant to stand inside an HTML page. Chart objects are not
 * thread-safe; build and render one in one thread.
 */
package io.evenkeel.common.svg;
