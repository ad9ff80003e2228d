package io.evenkeel.cli.doctor.core;

import io.evenkeel.cli.core.Figures;
import io.evenkeel.cli.doctor.core.Diagnosis.Certainty;
import io.evenkeel.cli.doctor.core.Diagnosis.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/**
 * DataNodes and volumes that are fuller or emptier than their peers, and what is full soon. What is
 * full is counted, not measured, so no chance is in it: a difference is told from {@value
 * #LEAST_POINTS} points on. Stateless.
 */
final class Fill {
  private static final double LEAST_POINTS = 10;

  /** From here on a volume or type counts as full: writers begin to find no place. */
  private static final double FULL = 0.95;

  private static final double HALF = 50;

  private static final double DAY = 86_400;
  private static final double SOON_SECONDS = 7 * DAY;

  /** A pace of fewer seconds is that of a few blocks. */
  private static final double LEAST_SECONDS = 60;

  private static final int NAMED = 5;

  private Fill() {}

  /** A DataNode's share of one storage type, or one volume. */
  private static final class Place {
    private final String name;
    private final double used;
    private final double free;
    private final double paceBytes;

    Place(String name, double used, double free, double paceBytes) {
      this.name = name;
      this.used = used;
      this.free = free;
      this.paceBytes = paceBytes;
    }

    double percent() {
      return 100 * used / (used + free);
    }

    /**
     * Seconds until it is full at today's pace; endless when it does not grow, and while it is not
     * even half full: a bulk load of some minutes says nothing about a week.
     */
    double secondsLeft() {
      double left = FULL * (used + free) - used;
      boolean fills = paceBytes > 0 && percent() >= HALF;
      return left <= 0 ? 0 : fills ? left / paceBytes : Double.POSITIVE_INFINITY;
    }

    String named() {
      return name + " (" + Fill.percent(percent()) + ")";
    }
  }

  static List<Diagnosis> find(ClusterHistory cluster) {
    Map<String, List<Place>> dataNodes = dataNodes(cluster);
    Map<String, List<Place>> volumes = new TreeMap<>();
    for (DataNodeHistory each : cluster.dataNodes()) {
      if (each.inService() && each.last() != null) {
        places(each)
            .forEach((type, v) -> volumes.computeIfAbsent(type, t -> new ArrayList<>()).addAll(v));
      }
    }
    List<Diagnosis> found = new ArrayList<>();
    dataNodes.forEach((type, places) -> unevenDataNodes(type, places, found));
    unevenVolumes(cluster, found);
    boolean tiers = !tiers(cluster).isEmpty();
    volumes.forEach((type, places) -> fullSoon(type, places, tiers, found));
    tiers(cluster, found);
    return found;
  }

  /** What each DataNode in service has, by storage type. */
  private static Map<String, List<Place>> dataNodes(ClusterHistory cluster) {
    Map<String, List<Place>> byType = new TreeMap<>();
    for (DataNodeHistory each : cluster.dataNodes()) {
      if (each.inService() && each.last() != null) {
        places(each)
            .forEach(
                (type, volumes) ->
                    byType
                        .computeIfAbsent(type, t -> new ArrayList<>())
                        .add(sum(each.name(), volumes)));
      }
    }
    return byType;
  }

  /** How full each DataNode in service is, in per cent, by storage type. */
  static Map<String, double[]> percents(ClusterHistory cluster) {
    Map<String, double[]> percents = new TreeMap<>();
    dataNodes(cluster)
        .forEach(
            (type, places) ->
                percents.put(type, places.stream().mapToDouble(Place::percent).toArray()));
    return percents;
  }

  private static Map<String, List<Place>> places(DataNodeHistory dataNode) {
    Map<String, List<Place>> byType = new TreeMap<>();
    Reading first = dataNode.first();
    Reading last = dataNode.last();
    double seconds = last.seconds() - first.seconds();
    for (Reading.Volume now : last.volumes()) {
      double before = Double.NaN;
      for (Reading.Volume then : first.volumes()) {
        before = then.path().equals(now.path()) ? then.used() : before;
      }
      double pace = seconds >= LEAST_SECONDS ? (now.used() - before) / seconds : Double.NaN;
      if (now.used() + now.free() > 0) {
        byType
            .computeIfAbsent(now.type(), t -> new ArrayList<>())
            .add(new Place(dataNode.name() + " " + now.path(), now.used(), now.free(), pace));
      }
    }
    return byType;
  }

  private static Place sum(String name, List<Place> places) {
    return new Place(
        name,
        total(places, p -> p.used),
        total(places, p -> p.free),
        total(places, p -> p.paceBytes));
  }

  private static double total(List<Place> places, ToDoubleFunction<Place> of) {
    return places.stream().mapToDouble(of).sum();
  }

  private static void unevenDataNodes(String type, List<Place> places, List<Diagnosis> found) {
    if (places.size() < 2) {
      return;
    }
    double[] percents = places.stream().mapToDouble(Place::percent).sorted().toArray();
    double median = percents.length == 2 ? percents[0] : Peers.median(percents);
    List<Place> fuller = new ArrayList<>(places);
    fuller.removeIf(place -> place.percent() < median + LEAST_POINTS);
    List<Place> emptier = new ArrayList<>(places);
    emptier.removeIf(place -> place.percent() > median - LEAST_POINTS);
    if (fuller.isEmpty() && emptier.isEmpty()) {
      return;
    }
    found.add(
        new Diagnosis.Builder(Kind.UNEVEN_DATANODES, Certainty.CERTAIN, named(type))
            .evidence(
                "half of the "
                    + places.size()
                    + " DataNodes are at most "
                    + percent(median)
                    + " full"
                    + apart(fuller, "fuller", Comparator.comparingDouble(p -> -p.percent()))
                    + apart(emptier, "emptier", Comparator.comparingDouble(Place::percent)))
            .harm("The fullest are full first; from then on fewer DataNodes take all new blocks.")
            .stock("Run 'hdfs balancer' (and after an expansion again while new blocks come).")
            .evenkeel(
                "placement with evenkeel.placement.weight=remaining gives emptier DataNodes more"
                    + " of the new blocks, within half and three times the mean.")
            .build());
  }

  private static void unevenVolumes(ClusterHistory cluster, List<Diagnosis> found) {
    int dataNodes = 0;
    Place fullest = null;
    Place emptiest = null;
    List<String> unused = new ArrayList<>();
    for (DataNodeHistory each : cluster.dataNodes()) {
      if (each.last() == null) {
        continue;
      }
      boolean counts = false;
      for (List<Place> places : places(each).values()) {
        Place most = places.stream().max(Comparator.comparingDouble(Place::percent)).get();
        Place least = places.stream().min(Comparator.comparingDouble(Place::percent)).get();
        if (most.percent() - least.percent() >= LEAST_POINTS) {
          counts = true;
          double before = fullest == null ? 0 : fullest.percent() - emptiest.percent();
          if (most.percent() - least.percent() > before) {
            fullest = most;
            emptiest = least;
          }
        }
      }
      dataNodes += counts ? 1 : 0;
      unused(each, unused);
    }
    if (dataNodes > 0) {
      found.add(
          new Diagnosis.Builder(
                  Kind.UNEVEN_VOLUMES,
                  Certainty.CERTAIN,
                  dataNodes == 1 ? fullest.name : dataNodes + " DataNodes")
              .evidence(
                  "volumes of one type differ by "
                      + (int) LEAST_POINTS
                      + " points or more; the most: "
                      + fullest.named()
                      + " and "
                      + emptiest.named())
              .harm("Once the full ones are full, the writers share the disks that are left.")
              .stock("Run 'hdfs diskbalancer' on them (Hadoop 3.0 and later).")
              .evenkeel("volume-policy with evenkeel.volume.fill=even fills the emptier ones.")
              .build());
    }
    if (!unused.isEmpty()) {
      found.add(
          new Diagnosis.Builder(Kind.UNEVEN_VOLUMES, Certainty.LIKELY, count(unused))
              .evidence("no block, while others of the same type have many: " + first(unused))
              .harm("The disks do nothing, and the others do their work.")
              .stock("Look in the DataNode's log for the volume; before Hadoop 2.10 see HDFS-9608.")
              .evenkeel("volume-policy goes round by storage type and leaves none out.")
              .build());
    }
  }

  private static final double MANY_BLOCKS = 1000;

  private static void unused(DataNodeHistory dataNode, List<String> unused) {
    for (Reading.Volume volume : dataNode.last().volumes()) {
      double others = 0;
      for (Reading.Volume other : dataNode.last().volumes()) {
        boolean peer = other != volume && other.type().equals(volume.type());
        others = Math.max(others, peer ? other.blocks() : 0);
      }
      if (volume.blocks() == 0 && others >= MANY_BLOCKS && volume.free() > 0) {
        unused.add(dataNode.name() + " " + volume.path());
      }
    }
  }

  private static void fullSoon(
      String type, List<Place> places, boolean tiers, List<Diagnosis> found) {
    List<Place> soon = new ArrayList<>(places);
    soon.removeIf(place -> place.secondsLeft() > SOON_SECONDS);
    long full = soon.stream().filter(place -> place.secondsLeft() == 0).count();
    boolean toldByTheType = tiers && full == 0 && 2 * soon.size() > places.size();
    if (soon.isEmpty() || toldByTheType) {
      return;
    }
    soon.sort(Comparator.comparingDouble(Place::secondsLeft));
    double first = soon.get(0).secondsLeft();
    Certainty certainty = full > 0 ? Certainty.CERTAIN : Certainty.POSSIBLE;
    found.add(
        new Diagnosis.Builder(Kind.FULL_SOON, certainty, "volumes, " + named(type))
            .evidence(
                full
                    + " of "
                    + places.size()
                    + " volumes are at least "
                    + percent(100 * FULL)
                    + " full, "
                    + (soon.size() - full)
                    + " will be within a week at the pace of these minutes"
                    + (full == 0 ? "; the first in " + Figures.time(1000 * first) : "")
                    + list(soon, Comparator.comparingDouble(Place::secondsLeft)))
            .harm("Blocks go to fewer disks, then writers fail with no space.")
            .stock("Delete, expand, or run 'hdfs balancer' and 'hdfs diskbalancer'.")
            .evenkeel("evenkeel.placement.weight=remaining and evenkeel.volume.fill=even delay it.")
            .build());
  }

  /**
   * Storage types of the DataNodes in service. Not as the NameNode sums them up: it counts what
   * DataNodes that leave have used, and not what they have free. Before Hadoop 3.0, whose DataNodes
   * do not say the types of their volumes, it is asked all the same while none leaves.
   */
  private static List<Place> tiers(ClusterHistory cluster) {
    List<Place> tiers = new ArrayList<>();
    dataNodes(cluster)
        .forEach(
            (type, places) -> {
              if (!type.isEmpty()) {
                tiers.add(sum(type, places));
              }
            });
    if (tiers.isEmpty() && cluster.dataNodes().stream().allMatch(DataNodeHistory::inService)) {
      NameNodeReading first = cluster.first();
      NameNodeReading last = cluster.last();
      double seconds = last.seconds() - first.seconds();
      for (NameNodeReading.Tier tier : last.tiers()) {
        double before = Double.NaN;
        for (NameNodeReading.Tier then : first.tiers()) {
          before = then.type().equals(tier.type()) ? then.used() : before;
        }
        double pace = seconds >= LEAST_SECONDS ? (tier.used() - before) / seconds : Double.NaN;
        tiers.add(new Place(tier.type(), tier.used(), tier.remaining(), pace));
      }
    }
    tiers.removeIf(tier -> !(tier.used + tier.free > 0));
    return tiers;
  }

  /**
   * How full each storage type will be in some days, as a part of one, at the pace of now.
   *
   * @param days from now
   */
  static Map<String, double[]> forecast(ClusterHistory cluster, int... days) {
    Map<String, double[]> forecast = new TreeMap<>();
    for (Place tier : tiers(cluster)) {
      double pace = Double.isNaN(tier.paceBytes) ? 0 : tier.paceBytes;
      double[] shares = new double[days.length];
      Arrays.setAll(
          shares,
          i -> {
            double then = (tier.used + pace * days[i] * DAY) / (tier.used + tier.free);
            return Math.max(0, Math.min(1, then));
          });
      forecast.put(tier.name, shares);
    }
    return forecast;
  }

  private static void tiers(ClusterHistory cluster, List<Diagnosis> found) {
    for (Place place : tiers(cluster)) {
      if (place.secondsLeft() <= SOON_SECONDS) {
        found.add(
            new Diagnosis.Builder(
                    Kind.FULL_SOON,
                    place.secondsLeft() == 0 ? Certainty.CERTAIN : Certainty.POSSIBLE,
                    "storage type " + place.name)
                .evidence(
                    percent(place.percent())
                        + " full, "
                        + Figures.bytes(place.free)
                        + " left on DataNodes in service"
                        + (place.secondsLeft() == 0
                            ? ""
                            : "; at the pace of these minutes full in "
                                + Figures.time(1000 * place.secondsLeft())))
                .harm("New blocks fall back to another type, or fail where the policy has none.")
                .stock(
                    "Find the directories with 'hdfs storagepolicies -getStoragePolicy'; expand.")
                .build());
      }
    }
  }

  private static String apart(List<Place> places, String how, Comparator<Place> order) {
    return places.isEmpty()
        ? ""
        : "; "
            + Figures.count(places.size(), "is", "are")
            + " "
            + (int) LEAST_POINTS
            + " points "
            + how
            + list(places, order);
  }

  private static String list(List<Place> places, Comparator<Place> order) {
    List<String> names = new ArrayList<>();
    places.stream().sorted(order).forEach(place -> names.add(place.named()));
    return ": " + first(names);
  }

  /** The first few of many. */
  static String first(List<String> names) {
    int more = names.size() - NAMED;
    return String.join(", ", names.subList(0, Math.min(NAMED, names.size())))
        + (more > 0 ? " and " + more + " more" : "");
  }

  private static String count(List<String> volumes) {
    return Figures.count(volumes.size(), "volume", "volumes");
  }

  private static String named(String type) {
    return type.isEmpty() ? "disks" : type;
  }

  private static String percent(double value) {
    return String.format(Locale.ROOT, "%.0f %%", value);
  }
}
