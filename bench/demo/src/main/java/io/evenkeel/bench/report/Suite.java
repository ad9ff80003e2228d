package io.evenkeel.bench.report;

import static io.evenkeel.common.svg.ValueFormat.BYTES;
import static io.evenkeel.common.svg.ValueFormat.COUNT;
import static io.evenkeel.common.svg.ValueFormat.PERCENT;
import static io.evenkeel.common.svg.ValueFormat.RATIO;
import static io.evenkeel.common.svg.ValueFormat.SECONDS;

import io.evenkeel.bench.report.Finding.Kind;
import io.evenkeel.bench.report.Row.Better;
import io.evenkeel.common.svg.ValueFormat;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The parts and findings of the TeraSort suite. Apart from {@link Report}, which takes the parts of
 * sections the same way. Used by one thread.
 */
final class Suite {
  private static final String DOUBLED = "blocksWithTwoReplicasOnOneHost";
  private static final int MOST_BARS = 16;

  private final Doc report;
  private final SuiteArm stock;
  private final SuiteArm evenkeel;
  private final List<Part> parts;
  private final List<Finding> findings;

  /** Adds to the two lists. */
  Suite(Doc report, List<Part> parts, List<Finding> findings) {
    this.report = report;
    this.stock = SuiteArm.stock(report);
    this.evenkeel = SuiteArm.evenkeel(report);
    this.parts = parts;
    this.findings = findings;
  }

  /** All but the times, the most important first. */
  void measured() {
    unfinished();
    if (stock.doc().present() || evenkeel.doc().present()) {
      placement();
      balance();
      volumes();
      locality();
    }
  }

  private void unfinished() {
    boolean selected =
        !Sections.of(report, "terasort").at("status").text("").equals("not selected");
    for (SuiteArm arm : List.of(stock, evenkeel)) {
      if (!arm.doc().present() && selected) {
        String headline = "The " + arm.label() + " half was not run.";
        findings.add(Finding.note(headline, Sections.why(report, "terasort")));
      } else if (arm.cut()) {
        String headline =
            "The " + arm.label() + " half was cut short: its numbers cover only a part.";
        findings.add(Finding.note(headline, arm.doc().at("reason").text("")));
      }
    }
  }

  private void placement() {
    String excuse = Modules.excuse(report, "placement");
    Row doubled = blocks("Blocks with two replicas on one host", DOUBLED);
    Row oneRack = blocks("Blocks with all replicas on one rack", "blocksOnOneRack");
    doubledInStock(doubled);
    if (!excuse.isEmpty()) {
      findings.add(Finding.note(excuse, "")); // one note, not a list of differences by chance
    } else {
      if (doubled.evenkeel().known()
          && (doubled.stock().mean() != 0 || doubled.evenkeel().mean() != 0)) {
        say("Evenkeel put two replicas on one host for {ours} blocks.", doubled);
      }
      if (oneRack.stock().mean() > 0 || oneRack.evenkeel().mean() > 0) {
        say("All replicas on one rack: {stock} blocks with stock, {ours} with Evenkeel.", oneRack);
      }
    }
    boolean comparable = Modules.comparable(report, "placement");
    Row fsck = words("fsck says", "not measured", arm -> arm.doc().at("placement", "fsckStatus"));
    List<Row> rows = List.of(doubled.onlyIf(comparable), oneRack.onlyIf(comparable), fsck);
    parts.add(new Part("Block placement", excuse, rows, List.of()));
  }

  private Row blocks(String name, String field) {
    return less(name, COUNT, arm -> arm.number("placement", field))
        .outOf(stock.number("placement", "blocks"), evenkeel.number("placement", "blocks"));
  }

  private void doubledInStock(Row doubled) {
    if (!doubled.stock().known()) {
      return;
    }
    if (doubled.stock().mean() == 0) {
      String headline = "Stock put no two replicas of a block on one physical host.";
      findings.add(Finding.note(headline, ""));
      return;
    }
    String fsck = stock.doc().at("placement", "fsckStatus").text("");
    double replication = report.at("cluster", "replication").number();
    String all = replication >= 3 ? " of the " + COUNT.format(replication) : "";
    String headline =
        "Stock put two replicas of "
            + doubled.stockText()
            + " blocks on one physical host"
            + (fsck.isEmpty() ? "." : " while fsck said " + fsck + ".");
    String detail =
        "One failing host takes two"
            + all
            + " replicas of such a block at once. The replicas are on different DataNodes, but"
            + " those share a machine, and neither this policy nor fsck looks at that.";
    findings.add(new Finding(Kind.PROBLEM, headline, detail));
  }

  private void balance() {
    boolean comparable = Modules.comparable(report, "placement");
    String excuse = Modules.excuse(report, "placement");
    String fewWriters = fewWriters();
    Row fullest = ratio("Replicas per DataNode, max/mean", "placement", "dataNodeMaxOverMean");
    Row busiest =
        ratio("Blocks in flight per DataNode, max/mean", "inFlight", "averageMaxOverMean");
    List<Row> rows =
        new ArrayList<>(
            List.of(
                fullest,
                ratio("Replicas per DataNode, CV", "placement", "dataNodeCv"),
                ratio("Replicas per host, max/mean", "placement", "hostMaxOverMean"),
                ratio("Replicas per host, CV", "placement", "hostCv"),
                busiest));
    boolean chance = comparable && !fewWriters.isEmpty();
    rows.replaceAll(row -> chance ? row.notCompared() : row.onlyIf(comparable));
    if (excuse.isEmpty()) {
      sayOfBoth(
          "The fullest DataNode got {stock} times the mean number of replicas with stock, {ours}"
              + " times with Evenkeel.",
          fullest,
          fewWriters);
      sayOfBoth(
          "While data was written, the busiest DataNode had {stock} times the mean number of blocks"
              + " in flight with stock, {ours} times with Evenkeel.",
          busiest,
          fewWriters.isEmpty() ? "" : "With so few writers this is mostly chance as well.");
    }
    Map<String, String> hosts = new LinkedHashMap<>();
    for (Doc node : report.at("cluster", "nodes").items()) {
      hosts.put(node.at("name").text("?"), withoutSlash(node.at("host").text("unknown host")));
    }
    List<Figure> figures = new ArrayList<>();
    bars(
        figures,
        "Replicas per DataNode.",
        "Bars of equal length mean that every DataNode carries the same share.",
        COUNT,
        arm -> numbers(arm.doc().at("placement", "replicasPerDataNode")),
        node -> hosts.containsKey(node) ? node + ", " + hosts.get(node) : node);
    bars(
        figures,
        "Replicas per physical host.",
        "Bars of equal length mean that every host carries the same share.",
        COUNT,
        arm -> numbers(arm.doc().at("placement", "replicasPerHost")),
        Suite::withoutSlash);
    figures.add(
        lines(
            "Blocks being written: busiest DataNode against the mean, over time.",
            "1 is perfectly even; at 3 one DataNode has three times its share of the blocks being"
                + " written and slows the pipelines that cross it.",
            RATIO,
            arm -> arm.doc().at("inFlight", "seconds"),
            arm -> arm.doc().at("inFlight", "maxOverMean")));
    parts.add(new Part("Balance", comparable ? fewWriters : excuse, rows, figures));
  }

  /** {@code rack1/host1} of the path {@code /rack1/host1}. */
  private static String withoutSlash(String path) {
    return path.startsWith("/") ? path.substring(1) : path;
  }

  /**
   * Why DataNodes' shares of replicas are mostly chance: the first replica of a block stays with
   * its writer, and fewer tasks than DataNodes wrote. Empty when they are not, or an arm was not
   * run.
   */
  private String fewWriters() {
    double dataNodes = report.at("cluster", "dataNodes").number();
    double writers = Math.min(stock.writers(), evenkeel.writers());
    if (!stock.doc().present() || !evenkeel.doc().present() || writers >= dataNodes) {
      return "";
    }
    return String.format(
        Locale.ROOT,
        "%s of TeraGen wrote on %.0f DataNodes, and the first replica of a block stays with its"
            + " writer: so what each DataNode got shows mostly where YARN ran the tasks, and is not"
            + " compared. Under many writers ./evenkeel bench --only placement.uniform compares"
            + " it.",
        writers == 0 ? "An unknown number of tasks" : "At most " + (long) writers + " tasks",
        dataNodes);
  }

  private void volumes() {
    boolean comparable = Modules.comparable(report, "volume");
    String excuse = Modules.excuse(report, "volume");
    List<Row> rows = new ArrayList<>();
    List<Figure> figures = new ArrayList<>();
    for (String type : both(SuiteArm::types)) {
      Row worst =
          less(
              type + " volumes in a DataNode, worst max/mean",
              RATIO,
              arm -> arm.worstVolumeRatio(type));
      if (worst.measured()) {
        rows.add(worst.onlyIf(comparable));
        sayOfBoth(
            "On the least even DataNode, one "
                + type
                + " volume got {stock} times its fair share of blocks with stock, {ours} times with"
                + " Evenkeel.",
            worst,
            excuse);
      }
      rows.add(
          Row.of(
              "Bytes in flight on " + type + " volumes, mean",
              BYTES,
              Better.NEITHER,
              stock.meanInFlight(type),
              evenkeel.meanInFlight(type)));
      bars(
          figures,
          "Blocks on the fullest " + type + " volume of each DataNode, over the mean.",
          "1 means that all volumes of that type in a DataNode have as many blocks.",
          RATIO,
          arm -> arm.volumeRatios(type),
          node -> node);
      figures.add(
          lines(
              "Bytes in flight on all " + type + " volumes together, over time.",
              "What they still have to write; a line that stays high is a type that cannot keep"
                  + " up.",
              BYTES,
              arm -> arm.doc().at("volumeQueue", "seconds"),
              arm -> arm.doc().at("volumeQueue", "byType", type)));
    }
    parts.add(new Part("Volumes", excuse, rows, figures));
  }

  private void locality() {
    boolean comparable = Modules.comparable(report, "terasort");
    String excuse = Modules.excuse(report, "terasort");
    String phase = stock.doc().at("locality", "phase").text("validation");
    Row remote =
        less("Read from another host in " + phase, PERCENT, arm -> arm.read("remoteFraction"));
    Row offRack =
        less("Read from another rack in " + phase, BYTES, arm -> arm.read("offRackBytes"));
    sayOfBoth(
        "Validation read {stock} of its bytes from another host with stock, {ours} with Evenkeel.",
        remote,
        excuse);
    List<Row> distances =
        List.of(
            less("Same DataNode", BYTES, arm -> arm.read("sameNodeBytes")),
            less("Same host", BYTES, arm -> arm.read("sameHostBytes")),
            less("Same rack", BYTES, arm -> arm.read("sameRackBytes")),
            less("Another rack", BYTES, arm -> arm.read("offRackBytes")));
    Figure figure =
        Figure.bars(
            "Where validation read its bytes from.",
            "Bytes from the same DataNode or the same host never touch the network between hosts;"
                + " the rest does.",
            BYTES,
            distances);
    String note = join(excuse, join(stock.whyNoReads(), evenkeel.whyNoReads()));
    List<Row> rows = List.of(remote.onlyIf(comparable), offRack.onlyIf(comparable));
    parts.add(new Part("Where reads came from", note, rows, List.of(figure)));
  }

  private static String join(String first, String second) {
    return first + (first.isEmpty() || second.isEmpty() ? "" : " ") + second;
  }

  /** What the suite took. */
  void times() {
    Set<String> phases = both(SuiteArm::phases);
    if (phases.isEmpty()) {
      return;
    }
    List<Row> elapsed = phaseRows(phases, SuiteArm::seconds);
    List<Row> cpu = phaseRows(phases, SuiteArm::cpu);
    List<Row> rows = new ArrayList<>();
    elapsed.forEach(row -> rows.add(row.named(row.name() + ", elapsed")));
    cpu.forEach(row -> rows.add(row.named(row.name() + ", CPU")));
    for (String phase : phases) {
      rows.add(words(phase + ", result", "not run", arm -> arm.phase(phase).at("result")));
    }
    Row sum =
        Row.times(
            "",
            elapsed.stream().map(Row::stock).reduce(Spread::plus).orElse(Spread.NONE),
            elapsed.stream().map(Row::evenkeel).reduce(Spread::plus).orElse(Spread.NONE));
    if (sum.stock().known() && sum.evenkeel().known()) {
      findings.add(
          Finding.of(
              sum,
              String.format(
                  "The suite took %s with stock and %s with Evenkeel (%s).",
                  SECONDS.format(sum.stock().mean()),
                  SECONDS.format(sum.evenkeel().mean()),
                  sum.verdict().words),
              "Sum of the phases. All daemons shared one machine, so this is no benchmark."));
    }
    String note =
        "Mean and, in brackets, lowest and highest of the repeats. All daemons and tasks share one"
            + " machine: read these times as a check that nothing got slower, not as a benchmark.";
    Figure bars =
        Figure.bars(
            "Elapsed time of each phase.",
            "Bars are means, the thin marks the fastest and slowest repeat; bars whose marks"
                + " overlap do not differ.",
            SECONDS,
            elapsed);
    Figure work =
        Figure.bars(
            "CPU seconds of each phase.",
            "Tasks and daemons together: what the same work costs.",
            SECONDS,
            cpu);
    parts.add(new Part("Time and CPU", note, rows, List.of(bars, work)));
  }

  private List<Row> phaseRows(Set<String> phases, BiFunction<SuiteArm, String, Spread> measure) {
    return phases.stream()
        .map(p -> Row.times(p, measure.apply(stock, p), measure.apply(evenkeel, p)))
        .toList();
  }

  /** What is the better the less of it there is, with the tolerance of what is random. */
  private Row less(String name, ValueFormat format, Function<SuiteArm, Double> measure) {
    return Row.of(name, format, Better.LESS, measure.apply(stock), measure.apply(evenkeel))
        .orSame(Row.SAMPLED);
  }

  private Row ratio(String name, String object, String field) {
    return less(name, RATIO, arm -> arm.number(object, field));
  }

  private Row words(String name, String missing, Function<SuiteArm, Doc> words) {
    return Row.words(name, words.apply(stock).text(missing), words.apply(evenkeel).text(missing));
  }

  /** What either arm has, in the order first seen. */
  private Set<String> both(Function<SuiteArm, List<String>> names) {
    Set<String> all = new LinkedHashSet<>();
    Stream.of(stock, evenkeel).map(names).forEach(all::addAll);
    return all;
  }

  private static Map<String, Double> numbers(Doc object) {
    Map<String, Double> numbers = new LinkedHashMap<>();
    object.fields().forEach((name, value) -> numbers.put(name, value.number()));
    return numbers;
  }

  /** Adds a chart with a row for each name, unless there is none, or more than one can look at. */
  private void bars(
      List<Figure> figures,
      String title,
      String explain,
      ValueFormat format,
      Function<SuiteArm, Map<String, Double>> values,
      Function<String, String> label) {
    Map<String, Double> first = values.apply(stock);
    Map<String, Double> second = values.apply(evenkeel);
    List<Row> rows =
        both(arm -> List.copyOf(values.apply(arm).keySet())).stream()
            .map(
                name ->
                    Row.of(
                        label.apply(name),
                        format,
                        Better.NEITHER,
                        first.getOrDefault(name, Double.NaN),
                        second.getOrDefault(name, Double.NaN)))
            .toList();
    if (!rows.isEmpty() && rows.size() <= MOST_BARS) {
      figures.add(Figure.bars(title, explain, format, rows));
    }
  }

  private Figure lines(
      String title,
      String explain,
      ValueFormat format,
      Function<SuiteArm, Doc> seconds,
      Function<SuiteArm, Doc> values) {
    return Figure.lines(
        title,
        explain,
        format,
        chart -> {
          int slot = Figure.STOCK;
          for (SuiteArm arm : List.of(stock, evenkeel)) {
            double[] times = seconds.apply(arm).numbers();
            chart.series(arm.label(), slot++, times, values.apply(arm).numbers());
          }
          return chart;
        });
  }

  /** A finding, judged as its row in the table is. */
  private void say(String sentence, Row row) {
    findings.add(Finding.of(row, filled(sentence, row), ""));
  }

  /** A finding where both arms have a value; only a note where the module took no part. */
  private void sayOfBoth(String sentence, Row row, String excuse) {
    if (row.stock().known() && row.evenkeel().known()) {
      if (excuse.isEmpty()) {
        say(sentence, row);
      } else {
        findings.add(Finding.note(filled(sentence, row), excuse));
      }
    }
  }

  private static String filled(String sentence, Row row) {
    return sentence.replace("{stock}", row.stockText()).replace("{ours}", row.evenkeelText());
  }
}
