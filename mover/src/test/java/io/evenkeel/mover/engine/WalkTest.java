package io.evenkeel.mover.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.mover.core.plan.FileView;
import io.evenkeel.mover.core.plan.WantedTypes;
import io.evenkeel.mover.request.FileOutcome;
import io.evenkeel.mover.request.FileReport;
import io.evenkeel.mover.request.MoveRequest;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Directories that are gone from where they were found. The test says what each listing gives. */
@Tag("once") // says nothing about a Hadoop release
class WalkTest {
  private static final String BY_ID = "/.reserved/.inodes/7";

  private final Map<String, Namespace.Page> listings = new HashMap<>();
  private final List<String> denied = new ArrayList<>();
  private final List<String> asked = new ArrayList<>();
  private final List<FileReport> notFound = new ArrayList<>();
  private final List<String> leftOut = new ArrayList<>();

  private Object answer(String method, Object[] args) throws IOException {
    switch (method) {
      case "pathOf":
        return args[0];
      case "list":
        String key = args[0] + (args[1] == null ? "" : " after " + args[1]);
        asked.add(key);
        if (denied.contains(key)) {
          throw new AccessDeniedException("not yours", null);
        }
        return listings.get(key);
      default:
        throw new AssertionError(method);
    }
  }

  private List<String> walk(String path) throws IOException {
    return walk(path, null, new ArrayList<>());
  }

  private List<String> walk(String path, String after, List<String> positions) throws IOException {
    Namespace namespace =
        (Namespace)
            Proxy.newProxyInstance(
                Namespace.class.getClassLoader(),
                new Class<?>[] {Namespace.class},
                (proxy, method, args) -> answer(method.getName(), args));
    MoveRequest request = MoveRequest.of(path).after(after).build();
    Walk walk = new Walk(namespace, request, notFound::add, leftOut::add);
    List<String> files = new ArrayList<>();
    int before = asked.size();
    for (Walk.Found found = walk.next(); found != null; found = walk.next()) {
      assertThat(asked.size() - before).as("listings at once, which are paced").isLessThan(2);
      for (FileView file : found.files()) {
        files.add(file.path());
        positions.add(found.position());
      }
      before = asked.size();
    }
    return files;
  }

  /** A page of files and directories, which end with a slash and are inode 7. */
  private void page(String key, String next, String... entries) {
    String asked = key.split(" after ")[0];
    String path = asked.equals("/") ? "" : asked;
    List<FileView> files = new ArrayList<>();
    Map<String, Long> directories = new LinkedHashMap<>();
    for (String entry : entries) {
      if (entry.endsWith("/")) {
        String name = entry.substring(0, entry.length() - 1);
        directories.put(path + "/" + name, name.equals("sub") ? 8L : 7L);
      } else {
        WantedTypes wantedTypes = new WantedTypes("P", 3, false, true, count -> List.of());
        files.add(new FileView(path + "/" + entry, 1, wantedTypes, List.of(), false));
      }
    }
    listings.put(key, new Namespace.Page(files, directories, next));
  }

  @Test
  void directory_renamedBeforeItIsListed_walkedByItsInodeId() throws IOException {
    page("/t", null, "f", "d/");
    page(BY_ID, null, "a", "b");

    assertThat(walk("/t")).containsExactly("/t/f", BY_ID + "/a", BY_ID + "/b");
    assertThat(notFound).isEmpty();
    assertThat(asked).containsExactly("/t", "/t/d", BY_ID);
  }

  @Test
  void directory_renamedBetweenItsPages_walkedOnFromThere() throws IOException {
    page("/t", null, "d/");
    page("/t/d", "a", "a", "sub/");
    page("/.reserved/.inodes/8", null, "s");
    page(BY_ID + " after a", null, "b");

    assertThat(walk("/t")).containsExactly("/t/d/a", "/.reserved/.inodes/8/s", BY_ID + "/b");
    assertThat(notFound).isEmpty();
  }

  @Test
  void readOnFromAnyPosition_allFromThereAreFoundAndWhatWasReadBeforeIsNot() throws IOException {
    for (String root : List.of("/t", "")) {
      page(root.isEmpty() ? "/" : root, "f", "a/", "f");
      page(root + "/a", "b", "b/");
      page(root + "/a/b", null, "1", "2");
      page(root + "/a after b", null, "c/", "x");
      page(root + "/a/c", null, "3");
      page((root.isEmpty() ? "/" : root) + " after f", null, "g/", "z");
      page((root.isEmpty() ? "/" : root) + " after a", null, "f", "g/", "z"); // as HDFS answers
      page((root.isEmpty() ? "/" : root) + " after g", null, "z");
      page(root + "/g", null, "4");
      String asked = root.isEmpty() ? "/" : root;
      List<String> positions = new ArrayList<>();
      List<String> all = walk(asked, null, positions);
      assertThat(all).hasSize(7);
      for (int i = 0; i < all.size(); i++) {
        List<String> rest = walk(asked, positions.get(i), new ArrayList<>());
        assertThat(rest).as(positions.get(i)).containsAll(all.subList(i, all.size()));
        assertThat(rest).as(positions.get(i)).hasSizeLessThanOrEqualTo(all.size() - i + 2);
      }
    }
    assertThat(notFound).isEmpty();
  }

  @Test
  void readOn_directoryOfThePositionIsGone_goesOnBehindIt() throws IOException {
    page("/t after a", null, "g/", "z");
    page("/t/g", null, "4");
    assertThat(walk("/t", "/t/a/b/1", new ArrayList<>())).containsExactly("/t/z", "/t/g/4");
    assertThat(notFound).isEmpty();
  }

  @Test
  void directory_deleted_nothingSaidAndAskedForOnce() throws IOException {
    page("/t", null, "f", "d/");

    assertThat(walk("/t")).containsExactly("/t/f");
    assertThat(notFound).isEmpty();
    assertThat(asked).containsExactly("/t", "/t/d", BY_ID);
  }

  @Test
  void directoryInASnapshot_gone_thePresentOneIsNotTakenForIt() throws IOException {
    page("/t/.snapshot/s", null, "f", "d/");
    page(BY_ID, null, "a");

    assertThat(walk("/t/.snapshot/s")).containsExactly("/t/.snapshot/s/f");
    assertThat(notFound).isEmpty();
  }

  @Test
  void renamedToWhereItMayNotBeRead_deniedByThePathItWasFoundAt() throws IOException {
    page("/t", null, "d/");
    denied.add(BY_ID);

    assertThat(walk("/t")).isEmpty();
    assertThat(notFound).extracting(FileReport::path).containsExactly("/t/d");
    assertThat(notFound.get(0).outcome()).isEqualTo(FileOutcome.DENIED);
  }

  @Test
  void named_gone_missing() throws IOException {
    assertThat(walk("/t")).isEmpty();
    assertThat(notFound).extracting(FileReport::outcome).containsExactly(FileOutcome.MISSING);
    assertThat(asked).containsExactly("/t");
  }
}
