package io.evenkeel.terasort.core.suite;

import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.common.cli.ReportHead;
import io.evenkeel.common.cli.TextTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * What a suite measured so far, as text and as JSON. With two runs or more the first is left out of
 * the means, as it pays for cold caches. Not thread-safe.
 */
public final class SuiteReport {
  /** Name and number of the form of its JSON. */
  public static final String SCHEMA = "evenkeel.terasort-suite/2";

  /** What is printed where nothing is known. */
  public static final String NOT_KNOWN = "not known";

  private final Map<String, Object> setting;
  private final List<Measured> measured = new ArrayList<>();
  private final Map<Integer, Double> skews = new LinkedHashMap<>();
  private String failure;

  /**
   * Creates a report without results.
   *
   * @param setting what was run, members of JSON in the order to print; null is not known
   */
  public SuiteReport(Map<String, Object> setting) {
    this.setting = new LinkedHashMap<>(setting);
  }

  /** Adds a phase. */
  public void add(Measured phase) {
    measured.add(phase);
  }

  /** Adds largest / mean partition of a run. */
  public void skew(int run, double ratio) {
    skews.put(run, ratio);
  }

  /** Says why the suite ended early. */
  public void failed(String message) {
    failure = message;
  }

  /** Whether nothing was measured. */
  public boolean isEmpty() {
    return measured.isEmpty();
  }

  /** The phases of the runs that count: all but the first where there is a second. */
  private List<Measured> counted(Phase phase) {
    List<Measured> of = new ArrayList<>();
    for (Measured m : measured) {
      if (m.phase() == phase) {
        of.add(m);
      }
    }
    return of.size() > 1 ? of.subList(1, of.size()) : of;
  }

  private static Spread spread(List<Measured> phases, ToDoubleFunction<Measured> value) {
    List<Double> values = new ArrayList<>();
    for (Measured m : phases) {
      values.add(value.applyAsDouble(m));
    }
    return new Spread(values);
  }

  /** Lines for people, each ended by a line feed. */
  public String text() {
    StringBuilder text = new StringBuilder();
    for (Map.Entry<String, Object> entry : setting.entrySet()) {
      Object value = entry.getValue();
      text.append(words(entry.getKey())).append(": ").append(value == null ? NOT_KNOWN : value);
      text.append('\n');
    }
    text.append('\n');
    TextTable table =
        new TextTable(
            "run", "phase", "seconds", "GB/s", "CPU s/GB", "remote bytes", "maps on host/rack/off");
    for (Measured m : measured) {
      table.add(
          String.valueOf(m.run()),
          m.phase().title(),
          number(m.seconds()),
          number(m.gigabytesPerSecond()),
          number(m.cpuPerGigabyte()),
          remote(m),
          maps(m));
    }
    addMeans(table);
    table.appendTo(text);
    for (Map.Entry<Integer, Double> skew : skews.entrySet()) {
      text.append("run ").append(skew.getKey()).append(": largest / mean partition ");
      text.append(number(skew.getValue())).append('\n');
    }
    if (failure != null) {
      text.append("not complete: ").append(failure).append('\n');
    }
    return text.toString();
  }

  /** A member of JSON in words: {@code largestOverMean} is "largest / mean". */
  public static String words(String member) {
    String words = member.replaceAll("([A-Z]|\\d+)", " $1").toLowerCase(Locale.ROOT);
    return words.replace(" over ", " / ");
  }

  private void addMeans(TextTable table) {
    for (Phase phase : Phase.values()) {
      List<Measured> counted = counted(phase);
      if (!counted.isEmpty() && counted.get(0).run() > 1) {
        table.add(
            "mean of " + counted.size(),
            phase.title(),
            shown(spread(counted, Measured::seconds)),
            shown(spread(counted, Measured::gigabytesPerSecond)),
            shown(spread(counted, Measured::cpuPerGigabyte)),
            "",
            "");
      }
    }
  }

  /** Three decimals below 10, else fewer. */
  private static String number(double value) {
    if (Double.isNaN(value)) {
      return NOT_KNOWN;
    }
    String format = value < 10 ? "%.3f" : value < 1000 ? "%.1f" : "%.0f";
    return String.format(Locale.ROOT, format, value);
  }

  /** Mean and standard deviation. */
  private static String shown(Spread spread) {
    String mean = number(spread.mean());
    return Double.isNaN(spread.deviation()) ? mean : mean + " +- " + number(spread.deviation());
  }

  private static String remote(Measured m) {
    if (m.phase() == Phase.GENERATE) {
      return "-";
    }
    return m.remoteBytes() < 0 ? NOT_KNOWN : String.valueOf(m.remoteBytes());
  }

  private static String maps(Measured m) {
    JobFacts facts = m.facts();
    if (m.phase() == Phase.GENERATE) {
      return "-";
    }
    return facts.maps() < 0
        ? NOT_KNOWN
        : facts.dataLocal()
            + "/"
            + facts.rackLocal()
            + "/"
            + (facts.maps() - facts.dataLocal() - facts.rackLocal());
  }

  /**
   * The same for programs; null is what is not known.
   *
   * @param exitCode what the command ends with
   */
  public Map<String, Object> json(ExitCode exitCode) {
    Map<String, Object> json = ReportHead.of(SCHEMA, exitCode);
    json.put("failure", failure);
    json.put("setting", setting);
    List<Object> phases = new ArrayList<>();
    for (Measured m : measured) {
      phases.add(json(m));
    }
    json.put("phases", phases);
    List<Object> means = new ArrayList<>();
    for (Phase phase : Phase.values()) {
      List<Measured> counted = counted(phase);
      if (!counted.isEmpty()) {
        Map<String, Object> mean = new LinkedHashMap<>();
        mean.put("phase", phase.title());
        mean.put("runs", counted.size());
        put(mean, "seconds", spread(counted, Measured::seconds));
        put(mean, "gigabytesPerSecond", spread(counted, Measured::gigabytesPerSecond));
        put(mean, "cpuSecondsPerGigabyte", spread(counted, Measured::cpuPerGigabyte));
        means.add(mean);
      }
    }
    json.put("means", means);
    json.put("largestOverMeanPartition", new ArrayList<>(skews.values()));
    return json;
  }

  private static Map<String, Object> json(Measured m) {
    Map<String, Object> json = new LinkedHashMap<>();
    JobFacts facts = m.facts();
    json.put("run", m.run());
    json.put("phase", m.phase().title());
    json.put("job", facts.jobId().isEmpty() ? null : facts.jobId());
    json.put("seconds", m.seconds());
    json.put("gigabytesPerSecond", m.gigabytesPerSecond());
    json.put("cpuSecondsPerGigabyte", orNull(m.cpuPerGigabyte()));
    boolean reads = m.phase() != Phase.GENERATE;
    json.put("remoteBytes", reads ? orNull(m.remoteBytes()) : null);
    json.put("maps", orNull(facts.maps()));
    json.put("mapsOnHost", reads ? orNull(facts.dataLocal()) : null);
    json.put("mapsInRack", reads ? orNull(facts.rackLocal()) : null);
    return json;
  }

  private static void put(Map<String, Object> json, String name, Spread spread) {
    json.put(name, orNull(spread.mean()));
    json.put(name + "Deviation", orNull(spread.deviation()));
  }

  private static Double orNull(double value) {
    return Double.isNaN(value) ? null : (Double) value;
  }

  private static Long orNull(long value) {
    return value < 0 ? null : (Long) value;
  }

  /** Mean and spread of repeated measurements. */
  static final class Spread {
    private final double mean;
    private final double deviation;

    /**
     * Summarises.
     *
     * @param values any; when one is NaN all results are
     */
    Spread(List<Double> values) {
      int count = values.size();
      double sum = 0;
      for (double v : values) {
        sum += v;
      }
      mean = count == 0 ? Double.NaN : sum / count;
      double squares = 0;
      for (double v : values) {
        squares += (v - mean) * (v - mean);
      }
      deviation = count < 2 ? Double.NaN : Math.sqrt(squares / (count - 1));
    }

    /** The mean; NaN without values. */
    double mean() {
      return mean;
    }

    /** The sample's standard deviation; NaN with fewer than two values. */
    double deviation() {
      return deviation;
    }
  }
}
