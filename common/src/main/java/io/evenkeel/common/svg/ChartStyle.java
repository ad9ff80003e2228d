package io.evenkeel.common.svg;

/** The style sheet all charts share; put it once into the page. Stateless. */
public final class ChartStyle {
  private static final String LIGHT =
      "--ek-0:#b45309;--ek-1:#0f766e;--ek-2:#1d4ed8;--ek-3:#7c3aed;--ek-4:#64748b;--ek-5:#be123c;"
          + "--ek-6:#4d7c0f;--ek-7:#a21caf;"
          + "--ek-ink:#1b2430;--ek-muted:#5b6675;--ek-grid:#dfe4ea;"
          + "--ek-paper:#ffffff";
  private static final String DARK =
      "--ek-0:#f0a04b;--ek-1:#4fd1c0;--ek-2:#7db0ff;--ek-3:#c4a7ff;--ek-4:#9aa7b8;--ek-5:#ff8fa3;"
          + "--ek-6:#a3d977;--ek-7:#f0a6f7;"
          + "--ek-ink:#e6ebf2;--ek-muted:#a3afbf;--ek-grid:#323c4a;"
          + "--ek-paper:#161c24";
  private static final String RULES =
      ".ek-chart{display:block;width:100%;height:auto;font-family:inherit;font-size:12px;"
          + "overflow:visible;print-color-adjust:exact;-webkit-print-color-adjust:exact}"
          + ".ek-chart text{fill:var(--ek-ink)}"
          + ".ek-chart .ek-tick{fill:var(--ek-muted);font-size:11px}"
          + ".ek-chart .ek-muted{fill:var(--ek-muted)}"
          + ".ek-chart .ek-row{font-weight:600}"
          + ".ek-chart .ek-value{font-variant-numeric:tabular-nums}"
          + ".ek-chart .ek-middle{text-anchor:middle}.ek-chart .ek-end{text-anchor:end}"
          + ".ek-c0{--ek-c:var(--ek-0)}.ek-c1{--ek-c:var(--ek-1)}.ek-c2{--ek-c:var(--ek-2)}"
          + ".ek-c3{--ek-c:var(--ek-3)}.ek-c4{--ek-c:var(--ek-4)}.ek-c5{--ek-c:var(--ek-5)}"
          + ".ek-c6{--ek-c:var(--ek-6)}.ek-c7{--ek-c:var(--ek-7)}"
          + ".ek-fill{fill:var(--ek-c);stroke:var(--ek-c);stroke-width:1}"
          + ".ek-pale{fill-opacity:.15}.ek-half{fill-opacity:.5}"
          + ".ek-line{stroke:var(--ek-c);stroke-width:2;fill:none;stroke-linejoin:round}"
          + ".ek-spread{stroke:var(--ek-ink);stroke-width:1.4;fill:none}"
          + ".ek-grid{stroke:var(--ek-grid);stroke-width:1}"
          + ".ek-axis{stroke:var(--ek-muted);stroke-width:1}"
          + ".ek-span{fill:var(--ek-muted);fill-opacity:.14}"
          + ".ek-empty{fill:none;stroke:var(--ek-grid);stroke-dasharray:4 4}";

  private ChartStyle() {}

  /** Custom properties for light and dark, then the rules; no reference to any other file. */
  public static String css() {
    return ":root{"
        + LIGHT
        + "}@media(prefers-color-scheme:dark){:root{"
        + DARK
        + "}}"
        + "@media print{:root{"
        + LIGHT
        + "}}"
        + RULES;
  }
}
