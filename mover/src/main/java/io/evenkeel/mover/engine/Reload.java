package io.evenkeel.mover.engine;

import io.evenkeel.mover.MoveRequest;
import io.evenkeel.mover.core.plan.FileView;
import io.evenkeel.mover.core.task.FileTask;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads files of a batch anew: those of one page of a directory by that page, which is one call for
 * all of them; others, and those that are not there any more, by their inode id, since a rename
 * does not change it. Stateless.
 */
final class Reload {
  private Reload() {}

  /** The files by inode id; those that are gone are absent. */
  static Map<Long, FileView> of(Namespace namespace, Walk.Found found, Collection<FileTask> tasks)
      throws IOException {
    Map<Long, FileView> views = new HashMap<>();
    Set<Long> missing = new HashSet<>();
    tasks.forEach(task -> missing.add(task.inodeId()));
    if (found.listing() != null) {
      page(namespace, found, views, missing);
    }
    List<String> paths = new ArrayList<>();
    for (FileTask task : tasks) {
      if (missing.contains(task.inodeId())) {
        paths.add(inSnapshot(task.path()) ? task.path() : MoveRequest.inode(task.inodeId()));
      }
    }
    for (int i = 0; i < paths.size(); i += Namespace.FILES_AT_ONCE) {
      List<String> some = paths.subList(i, Math.min(paths.size(), i + Namespace.FILES_AT_ONCE));
      for (FileView view : namespace.files(some)) {
        if (view != null) {
          views.put(view.inodeId(), view);
        }
      }
    }
    return views;
  }

  private static void page(
      Namespace namespace, Walk.Found found, Map<Long, FileView> views, Set<Long> missing)
      throws IOException {
    Page page = namespace.list(found.listing(), found.start());
    if (page != null) {
      for (FileView view : page.files()) {
        if (missing.remove(view.inodeId())) {
          views.put(view.inodeId(), view);
        }
      }
    }
  }

  /** An inode id always means the current file, which a snapshot's path does not. */
  private static boolean inSnapshot(String path) {
    return path.contains("/.snapshot/");
  }
}
