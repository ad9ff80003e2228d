package io.evenkeel.locking.stress;

import io.evenkeel.locking.stress.Step.Stamps;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * Draws a {@link Plan} from a seed. The calls are those the NameNode, clients and other DataNodes
 * can make: new stamps are unique (but for a create made twice), lengths are those somebody knows.
 */
final class Planner {
  private static final long FIRST_GS = 1000;

  private final Random random;
  private final List<List<Step>> setup = new ArrayList<>();
  private final List<List<Step>> actors = new ArrayList<>();
  private final List<Target> targets = new ArrayList<>();
  private final List<Long> created = new ArrayList<>();
  private final Set<Long> deleted = new HashSet<>();
  private final Set<Long> stamps = new HashSet<>();
  private final boolean diskBalancer;
  private int moves;

  /** A planner whose plan depends on nothing but {@code seed}. */
  Planner(long seed) {
    random = new Random(seed);
    diskBalancer = random.nextBoolean();
  }

  /** Draws the plan of block {@code index} in round {@code round} of a run. */
  static Plan plan(long seed, long round, int index) {
    long mixed = (seed * 1_000_003 + round) * 31 + index;
    return new Planner(mixed * 0x9E3779B97F4A7C15L).draw();
  }

  private Plan draw() {
    String kind = oneOf("AAAAATTRRRRFFFFFUU");
    setUp(kind.charAt(0));
    int count = 2 + random.nextInt(3);
    for (int i = 0; i < count; i++) {
      boolean natural = i == 0 || random.nextInt(10) < 6 || targets.isEmpty();
      String choices =
          switch (natural ? kind : "*") {
            case "A" -> "ccct";
            case "T" -> "tttdvx";
            case "R" -> "rrrreeqqvvvdpt";
            case "F" -> "aaaaeqvvvvmmmmmmddddtplll";
            case "U" -> "vvvvddtpq";
            default -> "ctareqvdpl";
          };
      add(oneOf(choices).charAt(0));
    }
    return new Plan(setup, actors);
  }

  private String oneOf(String letters) {
    int i = random.nextInt(letters.length());
    return letters.substring(i, i + 1);
  }

  private void setUp(char kind) {
    if (kind == 'A') {
      return;
    }
    int bytes = 1 + random.nextInt(2000);
    List<Step> steps = new ArrayList<>();
    Act create = kind == 'T' ? Act.CREATE_TEMPORARY : Act.CREATE_RBW;
    steps.add(step(create, 0, FIRST_GS, 0, random.nextInt(2)));
    steps.add(step(Act.WRITE, 0, 0, bytes, 0));
    if (kind == 'R' && random.nextInt(3) == 0) {
      steps.add(step(Act.WRITE_UNACKED, 0, 0, 300, 0));
    }
    boolean whole = kind == 'F' || (kind == 'U' && random.nextBoolean());
    if (whole) {
      steps.add(step(Act.FINALIZE, FIRST_GS, 0, 0, 0));
    }
    setup.add(steps);
    if (kind == 'U') {
      setup.add(List.of(step(Act.INIT_RECOVERY, FIRST_GS, FIRST_GS + 50, 0, 0)));
    }
    stamps.add(FIRST_GS + 50);
    targets.add(new Target(FIRST_GS, bytes));
  }

  private Step step(Act act, long gs, long newGs, long length, int place) {
    return new Step(actors.size(), act, new Stamps(gs, newGs), length, place);
  }

  private void add(char what) {
    List<Step> steps =
        switch (what) {
          case 'c' -> create(Act.CREATE_RBW);
          case 'p' -> create(Act.REPLACE_RBW);
          case 't' -> temporary();
          case 'a' -> reopen(Act.APPEND);
          case 'r' -> reopen(Act.RECOVER_RBW);
          case 'e' -> reopen(Act.RECOVER_APPEND);
          case 'q' -> List.of(reopening(Act.RECOVER_CLOSE, target(), 0));
          case 'v' -> recovery();
          case 'm' -> move();
          case 'd' -> delete();
          case 'x' -> convert();
          default -> List.of(step(Act.READ, target().gs, 0, 0, 0));
        };
    if (!steps.isEmpty()) {
      actors.add(steps.stream().map(this::perhapsFailing).toList());
    }
  }

  private Step perhapsFailing(Step step) {
    boolean packet = step.act == Act.WRITE || step.act == Act.WRITE_UNACKED;
    return !packet && random.nextInt(14) == 0 ? step.failing() : step;
  }

  private Target target() {
    return targets.isEmpty()
        ? new Target(FIRST_GS, 0)
        : targets.get(random.nextInt(targets.size()));
  }

  private long newStamp() {
    long gs = FIRST_GS + 1 + random.nextInt(98);
    while (!stamps.add(gs)) {
      gs = FIRST_GS + 1 + random.nextInt(98);
    }
    return gs;
  }

  private List<Step> create(Act act) {
    boolean again = !created.isEmpty() && random.nextInt(10) < 6;
    long gs = again ? created.get(random.nextInt(created.size())) : newStamp();
    created.add(gs);
    List<Step> steps = new ArrayList<>();
    steps.add(step(act, 0, gs, 0, random.nextInt(2)));
    long length = write(steps);
    targets.add(new Target(gs, length));
    finish(steps, gs);
    return steps;
  }

  private List<Step> temporary() {
    boolean again = !created.isEmpty() && random.nextInt(10) < 4;
    long gs = again ? created.get(random.nextInt(created.size())) : newStamp();
    created.add(gs);
    Act act = random.nextInt(3) == 0 ? Act.TRANSFER_TEMPORARY : Act.CREATE_TEMPORARY;
    List<Step> steps = new ArrayList<>();
    steps.add(step(act, 0, gs, 0, random.nextInt(2)));
    long length = write(steps);
    targets.add(new Target(gs, length));
    switch (random.nextInt(6)) {
      case 0 -> steps.add(step(Act.UNFINALIZE, gs, 0, 0, 0));
      case 1 -> {
        steps.add(step(Act.CONVERT, gs, 0, length, 0));
        finish(steps, gs);
      }
      default -> finish(steps, gs);
    }
    return steps;
  }

  /** Of the replica that was there first: its writer is gone, and stock stops none here. */
  private List<Step> convert() {
    Target start = targets.get(0);
    return List.of(step(Act.CONVERT, start.gs, 0, start.length, 0));
  }

  private Step reopening(Act act, Target target, long written) {
    long gs = newStamp();
    targets.add(new Target(gs, target.length + written));
    return step(act, target.gs, gs, act == Act.RECOVER_RBW ? 0 : target.length, 0);
  }

  private List<Step> reopen(Act act) {
    List<Step> steps = new ArrayList<>();
    Target target = target();
    List<Step> packets = new ArrayList<>();
    long written = write(packets);
    Step open = reopening(act, target, written);
    steps.add(open);
    steps.addAll(packets);
    finish(steps, open.newGs);
    return steps;
  }

  private long write(List<Step> steps) {
    long length = 0;
    for (int n = random.nextInt(3); n > 0; n--) {
      int bytes = 1 + random.nextInt(1200);
      steps.add(step(Act.WRITE, 0, 0, bytes, 0));
      length += bytes;
    }
    return length;
  }

  private void finish(List<Step> steps, long gs) {
    int how = random.nextInt(10);
    if (how < 2) {
      steps.add(step(Act.WRITE_UNACKED, 0, 0, 1 + random.nextInt(700), 0));
    } else if (how < 9) {
      steps.add(step(Act.FINALIZE, gs, 0, 0, 0));
    }
  }

  private List<Step> recovery() {
    long id = newStamp();
    Target target = target();
    List<Step> steps = new ArrayList<>();
    steps.add(step(Act.INIT_RECOVERY, target.gs, id, 0, 0));
    int how = random.nextInt(5);
    if (how > 0) {
      int cut = random.nextBoolean() ? 0 : random.nextInt(900);
      steps.add(step(how > 1 ? Act.UPDATE : Act.UPDATE_COPY, 0, id, cut, 0));
    }
    targets.add(new Target(id, target.length));
    return steps;
  }

  /**
   * Either the Mover or the DiskBalancer works on a block; the latter to other volumes each time.
   */
  private List<Step> move() {
    Target start = new Target(FIRST_GS, targets.get(0).length);
    if (!diskBalancer) {
      return List.of(step(Act.MOVE_STORAGE, start.gs, 0, start.length, random.nextInt(2)));
    }
    moves++;
    return moves > 3 ? List.of() : List.of(step(Act.MOVE_VOLUME, start.gs, 0, 0, moves));
  }

  /** One deletion for each stamp: the NameNode asks again only after a block report. */
  private List<Step> delete() {
    long gs = target().gs;
    return deleted.add(gs) ? List.of(step(Act.DELETE, gs, 0, 0, 0)) : List.of();
  }

  /** A block as some thread will know it. */
  private record Target(long gs, long length) {}
}
