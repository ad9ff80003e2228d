package io.evenkeel.mover.engine;

import io.evenkeel.mover.core.plan.FileView;
import io.evenkeel.mover.request.FileOutcome;
import io.evenkeel.mover.request.FileReport;
import io.evenkeel.mover.request.MoveRequest;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Finds the files of a request, batch by batch: a page of a directory with one call to the
 * NameNode, or up to a hundred files that were named. Holds the path down to where it is, not the
 * tree. Not thread-safe.
 */
final class Walk {
  private final Namespace namespace;
  private final MoveRequest request;
  private final Iterator<String> paths;
  private final Iterator<String> globs;
  private final Consumer<FileReport> notFound;
  private final Consumer<String> leftOut;

  /** What was named and is to be listed. */
  private final Deque<String> roots = new ArrayDeque<>();

  /** What was named in a request for files only, and is no file. */
  private final Deque<String> noFiles = new ArrayDeque<>();

  private final Deque<Frame> stack = new ArrayDeque<>();
  private String glob;

  /** A directory, or a path that may be one, with where the listing is. */
  private static final class Frame {
    private final String found;
    private final long inodeId;
    private final boolean named;

    /** Its path; after a rename by its inode id. */
    private String path;

    /** Of the page that was listed last. */
    private Iterator<Map.Entry<String, Long>> directories = Collections.emptyIterator();

    private String next;
    private boolean listed;

    /**
     * Creates it.
     *
     * @param inodeId 0 when it is not known
     */
    Frame(String path, long inodeId, boolean named) {
      this.found = path;
      this.path = path;
      this.inodeId = inodeId;
      this.named = named;
    }

    /**
     * Goes on by the inode id where the path is gone, once: one that was renamed is found so. In a
     * snapshot the id means the present directory, which is another one.
     */
    boolean follow() {
      String inode = MoveRequest.inode(inodeId);
      if (inodeId == 0 || path.equals(inode) || Namespace.isInSnapshot(found)) {
        return false;
      }
      path = inode;
      return true;
    }
  }

  /**
   * Starts.
   *
   * @param notFound told about paths that do not exist, patterns without a match and what may not
   *     be read
   * @param leftOut told about directories that were not asked for
   */
  Walk(
      Namespace namespace,
      MoveRequest request,
      Consumer<FileReport> notFound,
      Consumer<String> leftOut) {
    this.namespace = namespace;
    this.request = request;
    this.paths = request.paths().iterator();
    this.globs = request.globs().iterator();
    this.notFound = notFound;
    this.leftOut = leftOut;
  }

  /**
   * The next batch, empty when a page has no file; null when there is none. After an error the same
   * is asked for again.
   */
  Found next() throws IOException {
    Found batch = Found.NOTHING;
    while (batch == Found.NOTHING) {
      batch = stack.isEmpty() ? named() : listed(stack.peek());
    }
    return batch;
  }

  /** Files that were named, together; what is no file becomes a directory to walk. */
  private Found named() throws IOException {
    if (!noFiles.isEmpty()) {
      noFile(noFiles.peek());
      noFiles.remove();
      return Found.NOTHING;
    }
    if (!roots.isEmpty()) {
      enter(roots.poll());
      return Found.NOTHING;
    }
    List<String> some = new ArrayList<>();
    while (some.size() < Namespace.FILES_AT_ONCE && paths.hasNext()) {
      String path = resolve(paths.next());
      if (path != null) {
        some.add(path);
      }
    }
    if (some.size() > 1) {
      return together(some);
    }
    if (!some.isEmpty()) {
      roots.addAll(some);
      return Found.NOTHING;
    }
    if (glob == null && globs.hasNext()) {
      glob = globs.next();
    }
    if (glob == null) {
      return null;
    }
    match();
    glob = null; // not before: after an error the same is asked for again
    return Found.NOTHING;
  }

  /** From where it was read up to before, when it was. */
  private void enter(String root) {
    Frame frame = new Frame(root, 0, true);
    stack.push(frame);
    String above = withSlash(root);
    if (request.after() == null || !request.after().startsWith(above)) {
      return;
    }
    String path = root;
    String[] names = request.after().substring(above.length()).split("/", -1);
    for (int i = 0; i < names.length; i++) {
      frame.next = names[i].isEmpty() ? null : names[i];
      frame.listed = frame.next != null;
      if (i < names.length - 1) {
        path = withSlash(path) + names[i];
        frame = new Frame(path, 0, false);
        stack.push(frame);
      }
    }
  }

  private static String withSlash(String directory) {
    return directory.equals("/") ? directory : directory + "/";
  }

  /** The path of the namespace; null after it was told that it is none. */
  private String resolve(String given) {
    try {
      return namespace.pathOf(given);
    } catch (IllegalArgumentException e) {
      notFound.accept(FileReport.of(given, FileOutcome.FAILED, e.getMessage()));
      return null;
    }
  }

  private Found together(List<String> named) {
    List<FileView> views;
    try {
      views = namespace.files(named);
    } catch (IOException e) { // not told of which: each is listed by itself
      roots.addAll(named);
      return Found.NOTHING;
    }
    List<FileView> files = new ArrayList<>();
    for (int i = 0; i < named.size(); i++) {
      FileView view = views.get(i);
      if (view == null && request.isFilesOnly()) {
        noFiles.add(named.get(i));
      } else if (view == null || view.wantedTypes().isStriped()) {
        // of a striped file only a listing of its own path tells a policy HDFS does not apply
        roots.add(named.get(i));
      } else {
        files.add(view);
      }
    }
    return new Found(files, null, null, null);
  }

  private void match() throws IOException {
    String pattern = resolve(glob);
    if (pattern == null) {
      return;
    }
    try {
      List<String> matches = namespace.glob(pattern);
      if (matches.isEmpty()) {
        notFound.accept(FileReport.of(glob, FileOutcome.MISSING, "no path matches"));
      }
      roots.addAll(matches);
    } catch (AccessDeniedException e) {
      notFound.accept(FileReport.of(glob, FileOutcome.DENIED, e.getMessage()));
    } catch (IllegalArgumentException e) {
      notFound.accept(FileReport.of(glob, FileOutcome.FAILED, e.getMessage()));
    }
  }

  private Found listed(Frame frame) throws IOException {
    if (frame.directories.hasNext()) {
      Map.Entry<String, Long> below = frame.directories.next();
      stack.push(new Frame(below.getKey(), below.getValue(), false));
      return Found.NOTHING;
    }
    if (frame.listed && frame.next == null) {
      stack.pop();
      return Found.NOTHING;
    }
    String start = frame.next;
    Namespace.Page page;
    try {
      page = namespace.list(frame.path, start);
    } catch (AccessDeniedException e) {
      notFound.accept(FileReport.of(frame.found, FileOutcome.DENIED, e.getMessage()));
      stack.pop();
      return Found.EMPTY;
    }
    if (page == null) {
      gone(frame);
      return Found.EMPTY;
    }
    if (request.isFilesOnly() && !page.isOfFile(frame.path)) {
      leftOut.accept(frame.path);
      stack.pop();
      return Found.NOTHING;
    }
    Map<String, Long> directories = new LinkedHashMap<>();
    if (!frame.listed && frame.named && request.includesSnapshots()) {
      namespace.snapshotRoots(frame.path).forEach(root -> directories.put(root, 0L));
    }
    directories.putAll(page.directories());
    frame.directories = directories.entrySet().iterator();
    frame.listed = true;
    frame.next = page.next();
    return new Found(page.files(), frame.path, start, frame.found);
  }

  private void noFile(String path) throws IOException {
    if (namespace.exists(path)) {
      leftOut.accept(path);
    } else {
      notFound.accept(FileReport.of(path, FileOutcome.MISSING, "no such path"));
    }
  }

  /** One that was found in a listing was renamed since then, or deleted, which is no failure. */
  private void gone(Frame frame) {
    if (frame.follow()) {
      return;
    }
    stack.pop();
    if (frame.named) {
      notFound.accept(FileReport.of(frame.path, FileOutcome.MISSING, "no such path"));
    }
  }

  /** Files found together. Immutable. */
  static final class Found {
    private static final Found NOTHING = new Found(Collections.emptyList(), null, null, null);

    /** The same after a call to the NameNode, which is to count. */
    private static final Found EMPTY = new Found(Collections.emptyList(), null, null, null);

    private final List<FileView> files;
    private final String listing;
    private final String start;
    private final String directory;

    private Found(List<FileView> files, String listing, String start, String directory) {
      this.files = files;
      this.listing = listing;
      this.start = start;
      this.directory = directory;
    }

    List<FileView> files() {
      return files;
    }

    /** Path whose listing gave them; null when they were named. */
    String listing() {
      return listing;
    }

    /** After which name that page starts; null for the first. */
    String start() {
      return start;
    }

    /** For {@link MoveRequest#after}: to begin with this page; null when they were named. */
    String position() {
      if (directory == null) {
        return null;
      }
      return withSlash(directory) + (start == null ? "" : start);
    }
  }
}
