package io.evenkeel.mover.engine;

import io.evenkeel.mover.core.plan.FileView;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** One page of a listing. Immutable. */
public final class Page {
  private final List<FileView> files;
  private final List<Directory> directories;
  private final Object next;

  /**
   * Creates it.
   *
   * @param next where the following page starts, null when this is the last
   */
  public Page(List<FileView> files, List<Directory> directories, Object next) {
    this.files = Collections.unmodifiableList(new ArrayList<>(files));
    this.directories = Collections.unmodifiableList(new ArrayList<>(directories));
    this.next = next;
  }

  /** Files in the order of the listing; when the path is a file, that one. */
  public List<FileView> files() {
    return files;
  }

  /** Whether the path it was asked for is a file. */
  boolean isOfFile(String path) {
    return files.size() == 1 && files.get(0).path().equals(path);
  }

  /** The directories in it. */
  public List<Directory> directories() {
    return directories;
  }

  /** Where the following page starts, null when this is the last. */
  public Object next() {
    return next;
  }
}
