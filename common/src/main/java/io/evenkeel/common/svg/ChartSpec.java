package io.evenkeel.common.svg;

import java.util.Objects;

/** What every chart has: an id unique in its page, a title, a description, a width. Immutable. */
public final class ChartSpec {
  private static final int DEFAULT_WIDTH = 560;
  private static final int SMALLEST_WIDTH = 240;

  final String id;
  final String title;
  final String description;
  final int width;
  final ValueFormat format;

  private ChartSpec(String id, String title, String description, int width, ValueFormat format) {
    this.id = id;
    this.title = title;
    this.description = description;
    this.width = width;
    this.format = format;
  }

  /**
   * A chart 560 units wide with plain numbers.
   *
   * @param id letters, digits and hyphens, unique in the page
   * @param title short, read out by screen readers
   * @param description what the chart shows, in words
   */
  public static ChartSpec of(String id, String title, String description) {
    if (!id.matches("[A-Za-z][A-Za-z0-9-]*")) {
      throw new IllegalArgumentException("not a usable id: " + id);
    }
    return new ChartSpec(
        id,
        Objects.requireNonNull(title),
        Objects.requireNonNull(description),
        DEFAULT_WIDTH,
        ValueFormat.COUNT);
  }

  /** The same with another width in user units, at least 240. */
  public ChartSpec width(int units) {
    return new ChartSpec(id, title, description, Math.max(SMALLEST_WIDTH, units), format);
  }

  /** The same with values written another way. */
  public ChartSpec format(ValueFormat values) {
    return new ChartSpec(id, title, description, width, Objects.requireNonNull(values));
  }
}
