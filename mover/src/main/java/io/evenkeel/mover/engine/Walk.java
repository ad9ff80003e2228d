package io.evenkeel.mover.engine;

import io.evenkeel.mover.core.plan.FileView;
import io.evenkeel.mover.request.FileOutcome;
import io.evenkeel.mover.request.FileReport;
import io.evenkeel.mover.request.MoveRequest;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;

/**
 * Finds the files of a request, batch by batch: a page of a directory with one call to the
 * NameNode, or up to a hundred files that were named. Holds the path down to where it is, not the
 * tree. Not thread-safe.
 */
final class Walk {
  /** How often files are asked for together before each is asked for by itself. */
  private static final int CHUNK_ERRORS = 3;

  private final Namespace namespace;
  private final MoveRequest request;
  private final Iterator<String> paths;
  private final Iterator<String> globs;
  private final Consumer<FileReport> notFound;
  private final Consumer<String> leftOut;
  private final Deque<String> found = new ArrayDeque<>();
  private final Deque<Frame> stack = new ArrayDeque<>();
  private final List<String> chunk = new ArrayList<>();
  private int chunkErrors;
  private String glob;

  /** A directory, or a path that may be one, with where the listing is. */
  private static final class Frame {
    private final Directory directory;
    private final boolean named;
    private final Deque<Directory> directories = new ArrayDeque<>();

    /** Its path; after a rename by its inode id. */
    private String path;

    private String next;
    private boolean listed;

    Frame(Directory directory, boolean named) {
      this.directory = directory;
      this.path = directory.path();
      this.named = named;
    }

    /**
     * Goes on by the inode id where the path is gone, once: one that was renamed is found so. In a
     * snapshot the id means the present directory, which is another one.
     */
    boolean follow() {
      String inode = MoveRequest.inode(directory.inodeId());
      if (directory.inodeId() == 0
          || path.equals(inode)
          || Namespace.isInSnapshot(directory.path())) {
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

  /** The next batch, empty when a page has no file; null when there is none. */
  Found next() throws IOException {
    Found batch = Found.NOTHING;
    while (batch == Found.NOTHING) {
      batch = stack.isEmpty() ? named() : listed(stack.peek());
    }
    return batch;
  }

  /** Files that were named, together; what is no file becomes a directory to walk. */
  private Found named() throws IOException {
    if (!found.isEmpty()) {
      enter(found.poll());
      return Found.NOTHING;
    }
    while (chunk.size() < Namespace.FILES_AT_ONCE && paths.hasNext()) {
      resolve(paths.next(), chunk);
    }
    if (chunk.size() == 1) {
      found.add(chunk.get(0));
      chunk.clear();
      return Found.NOTHING;
    }
    if (!chunk.isEmpty()) {
      Found files = several();
      chunk.clear(); // not before: after an error the same are asked for again
      return files;
    }
    if (glob == null && globs.hasNext()) {
      glob = globs.next();
    }
    return glob == null ? null : matching();
  }

  /** From where it was read up to before, when it was. */
  private void enter(String root) {
    Frame frame = new Frame(new Directory(root, 0), true);
    stack.push(frame);
    String above = root.equals("/") ? root : root + "/";
    if (request.after() == null || !request.after().startsWith(above)) {
      return;
    }
    String path = root;
    String[] names = request.after().substring(above.length()).split("/", -1);
    for (int i = 0; i < names.length; i++) {
      frame.next = names[i].isEmpty() ? null : names[i];
      frame.listed = frame.next != null;
      if (i < names.length - 1) {
        path = (path.equals("/") ? path : path + "/") + names[i];
        frame = new Frame(new Directory(path, 0), false);
        stack.push(frame);
      }
    }
  }

  private void resolve(String given, Collection<String> into) {
    try {
      into.add(namespace.pathOf(given));
    } catch (IllegalArgumentException e) {
      notFound.accept(FileReport.of(given, FileOutcome.FAILED, e.getMessage()));
    }
  }

  private Found several() throws IOException {
    List<FileView> views;
    try {
      views = namespace.files(chunk);
    } catch (IOException e) { // not told of which: each is listed by itself
      if (!(e instanceof AccessDeniedException) && ++chunkErrors < CHUNK_ERRORS) {
        throw e;
      }
      chunkErrors = 0;
      found.addAll(chunk);
      return Found.NOTHING;
    }
    chunkErrors = 0;
    List<FileView> files = new ArrayList<>();
    for (int i = 0; i < chunk.size(); i++) {
      FileView view = views.get(i);
      if (view == null && request.isFilesOnly()) {
        noFile(chunk.get(i));
      } else if (view == null || view.wantedTypes().isStriped()) {
        // of a striped file only a listing of its own path tells a policy HDFS does not apply
        found.add(chunk.get(i));
      } else {
        files.add(view);
      }
    }
    return new Found(files, null, null, null);
  }

  private Found matching() throws IOException {
    List<String> resolved = new ArrayList<>();
    resolve(glob, resolved);
    if (resolved.isEmpty()) {
      glob = null;
      return Found.NOTHING;
    }
    try {
      List<String> matches = namespace.glob(resolved.get(0));
      if (matches.isEmpty()) {
        notFound.accept(FileReport.of(glob, FileOutcome.MISSING, "no path matches"));
      }
      found.addAll(matches);
    } catch (AccessDeniedException e) {
      notFound.accept(FileReport.of(glob, FileOutcome.DENIED, e.getMessage()));
    } catch (IllegalArgumentException e) {
      notFound.accept(FileReport.of(glob, FileOutcome.FAILED, e.getMessage()));
    }
    glob = null;
    return Found.NOTHING;
  }

  private Found listed(Frame frame) throws IOException {
    if (!frame.directories.isEmpty()) {
      stack.push(new Frame(frame.directories.poll(), false));
      return Found.NOTHING;
    }
    if (frame.listed && frame.next == null) {
      stack.pop();
      return Found.NOTHING;
    }
    String start = frame.next;
    Page page;
    try {
      page = namespace.list(frame.path, start);
    } catch (AccessDeniedException e) {
      notFound.accept(FileReport.of(frame.directory.path(), FileOutcome.DENIED, e.getMessage()));
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
    if (!frame.listed && frame.named && request.includesSnapshots()) {
      for (String root : namespace.snapshotRoots(frame.path)) {
        frame.directories.add(new Directory(root, 0));
      }
    }
    frame.listed = true;
    frame.next = page.next();
    frame.directories.addAll(page.directories());
    return new Found(page.files(), frame.path, start, frame.directory.path());
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
    private static final Found NOTHING = new Found(new ArrayList<>(), null, null, null);

    /** The same after a call to the NameNode, which is to count. */
    private static final Found EMPTY = new Found(new ArrayList<>(), null, null, null);

    private final List<FileView> files;
    private final int count;
    private final boolean striped;
    private final String listing;
    private final String start;
    private final String directory;

    Found(List<FileView> files, String listing, String start, String directory) {
      this.files = files;
      this.count = files.size();
      this.striped = files.stream().anyMatch(file -> file.wantedTypes().isStriped());
      this.directory = directory;
      this.listing = listing;
      this.start = start;
    }

    private Found(Found like) {
      this.files = Collections.emptyList();
      this.count = like.count;
      this.striped = like.striped;
      this.directory = like.directory;
      this.listing = like.listing;
      this.start = like.start;
    }

    /** The same place without the files, which need much memory. */
    Found withoutFiles() {
      return new Found(this);
    }

    List<FileView> files() {
      return files;
    }

    /** How many files were found. */
    int count() {
      return count;
    }

    /** Whether one of them is erasure coded. */
    boolean hasStriped() {
      return striped;
    }

    /** Path whose listing gave them; null when they were named. */
    String listing() {
      return listing;
    }

    /** For {@link MoveRequest#after}: to begin with this page; null when they were named. */
    String position() {
      if (directory == null) {
        return null;
      }
      String above = directory.equals("/") ? directory : directory + "/";
      return start == null ? above : above + start;
    }

    /** After which name that page starts; null for the first. */
    String start() {
      return start;
    }
  }
}
