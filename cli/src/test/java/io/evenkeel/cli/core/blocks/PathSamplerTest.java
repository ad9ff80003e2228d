package io.evenkeel.cli.core.blocks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class PathSamplerTest {
  /** Files by path. */
  private static final class Files implements PathSampler.Tree {
    private final Set<String> paths = new TreeSet<>();
    private int asked;

    Files add(String directory, int count) {
      for (int i = 0; i < count; i++) {
        paths.add(directory + "/f" + i);
      }
      return this;
    }

    @Override
    public PathSampler.Size size(String directory) {
      asked++;
      Set<String> directories = new TreeSet<>();
      long files = 0;
      for (String path : paths) {
        if (path.startsWith(directory + "/")) {
          files++;
          directories.add(path.substring(0, path.lastIndexOf('/')));
        }
      }
      return new PathSampler.Size(files, directories.size());
    }

    @Override
    public PathSampler.Level level(String directory) {
      String prefix = directory.equals("/") ? "/" : directory + "/";
      Set<String> names = new LinkedHashSet<>();
      long files = 0;
      for (String path : paths) {
        if (path.startsWith(prefix)) {
          int slash = path.indexOf('/', prefix.length());
          files += slash < 0 ? 1 : 0;
          if (slash >= 0) {
            names.add(path.substring(prefix.length(), slash));
          }
        }
      }
      return new PathSampler.Level(files, new ArrayList<>(names));
    }
  }

  private static Map<String, Integer> draws(Files files, long most, int count) {
    PathSampler sampler = new PathSampler(files, most, new SplittableRandom(9608));
    Map<String, Integer> found = new HashMap<>();
    for (int i = 0; i < count; i++) {
      PathSampler.Piece piece = sampler.draw();
      found.merge(piece.path() + (piece.isWhole() ? "" : " files"), 1, Integer::sum);
    }
    return found;
  }

  @Test
  void draw_anyPath_asOftenAsItHasFiles() {
    Files files =
        new Files().add("/a", 10).add("/b/c", 20).add("/b/d", 30).add("/b", 40).add("/e", 100);
    Map<String, Integer> found = draws(files, 30, 20_000);
    assertThat(found).containsOnlyKeys("/a", "/b/c", "/b/d", "/b files", "/e files");
    assertThat(found.get("/a")).isBetween(900, 1100);
    assertThat(found.get("/b/c")).isBetween(1860, 2140);
    assertThat(found.get("/b/d")).isBetween(2840, 3160);
    assertThat(found.get("/b files")).isBetween(3800, 4200);
    assertThat(found.get("/e files")).isBetween(9700, 10_300);
    assertThat(files.asked).isLessThan(10); // it remembers
  }

  @Test
  void draw_filesInTheRoot_areDrawnToo() {
    Files files = new Files().add("", 10).add("/a", 10);
    Map<String, Integer> found = draws(files, 30, 2000);
    assertThat(found.get("/ files")).isBetween(900, 1100);
    assertThat(found.get("/a")).isBetween(900, 1100);
  }

  @Test
  void draw_moreDirectoriesThanAreWeighed_allAreReached() {
    Files files = new Files();
    for (int i = 0; i < 200; i++) {
      files.add("/wide/d" + i, i < 100 ? 1 : 3);
    }
    Map<String, Integer> found = draws(files, 10, 20_000);
    assertThat(found).hasSize(200);
    int small = 0;
    for (int i = 0; i < 100; i++) {
      small += found.get("/wide/d" + i);
    }
    // a quarter of the files is there
    assertThat(small).isBetween(4700, 5300);
  }

  @Test
  void draw_empty_isNone() {
    assertThat(new PathSampler(new Files(), 5, new SplittableRandom(1)).draw()).isNull();
  }

  @Test
  void reservoir_keepsEveryItemAsOften() {
    SplittableRandom random = new SplittableRandom(3);
    int[] kept = new int[10];
    for (int run = 0; run < 10_000; run++) {
      Reservoir reservoir = new Reservoir(3, random);
      for (int i = 0; i < kept.length; i++) {
        reservoir.add(String.valueOf(i));
      }
      List<String> some = reservoir.kept();
      assertThat(some).hasSize(3).doesNotHaveDuplicates();
      some.forEach(item -> kept[Integer.parseInt(item)]++);
    }
    for (int count : kept) {
      assertThat(count).isBetween(2800, 3200);
    }
  }
}
