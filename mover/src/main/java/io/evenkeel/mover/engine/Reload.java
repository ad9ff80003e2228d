package io.evenkeel.mover.engine;

import io.evenkeel.mover.core.plan.FileView;
import io.evenkeel.mover.request.MoveRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads files of a batch anew: those of one page of a directory by that page, which is one call for
 * all of them; a few of it, others, and those that are not there any more, by their inode id, since
 * a rename does not change it. Stateless. Separate from the batch: how files are read, and not what
 * becomes of them.
 */
final class Reload {
  private Reload() {}

  /** The files of these keys by their {@link #key}; those that are gone are absent. */
  static Map<String, FileView> of(Namespace namespace, Walk.Found found, Collection<String> keys)
      throws IOException {
    Map<String, FileView> views = new HashMap<>();
    Set<String> missing = new LinkedHashSet<>(keys);
    if (readsPage(namespace, found, keys.size())) {
      page(namespace, found, views, missing);
    }
    List<String> paths = new ArrayList<>(missing);
    for (int i = 0; i < paths.size(); i += Namespace.FILES_AT_ONCE) {
      List<String> some = paths.subList(i, Math.min(paths.size(), i + Namespace.FILES_AT_ONCE));
      for (FileView view : namespace.files(some)) {
        if (view != null) {
          views.put(key(view.path(), view.inodeId()), view);
        }
      }
    }
    return views;
  }

  /**
   * A page costs the NameNode as much for a file that is not asked for as for one that is. But in a
   * snapshot, and of striped files, only the page tells the policy as the first look saw it.
   */
  private static boolean readsPage(Namespace namespace, Walk.Found found, int files) {
    if (found.listing() == null || files == 0) {
      return false;
    }
    boolean few = 2 * files <= found.count() && files <= namespace.filesOfOneCall();
    return !few || Namespace.isInSnapshot(found.listing() + "/") || found.hasStriped();
  }

  private static void page(
      Namespace namespace, Walk.Found found, Map<String, FileView> views, Set<String> missing)
      throws IOException {
    Page page = namespace.list(found.listing(), found.start());
    if (page != null) {
      for (FileView view : page.files()) {
        String key = key(view.path(), view.inodeId());
        if (missing.remove(key)) {
          views.put(key, view);
        }
      }
    }
  }

  /** Files as they were found, by their {@link #key}. */
  static Map<String, FileView> known(Collection<FileView> files) {
    Map<String, FileView> views = new HashMap<>();
    files.forEach(file -> views.put(key(file.path(), file.inodeId()), file));
    return views;
  }

  /**
   * What a file is asked for by, and known by in a batch. An inode id always means the current
   * file, which a snapshot's path does not.
   */
  static String key(String path, long inodeId) {
    return Namespace.isInSnapshot(path) ? path : MoveRequest.inode(inodeId);
  }
}
