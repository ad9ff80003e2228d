package io.evenkeel.mover.engine;

import io.evenkeel.mover.core.plan.FileView;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** One page of a listing. Immutable. */
public final class Page {
  private final List<FileView> files;
  private final List<Directory> directories;
  private final String next;

  /**
   * Creates it.
   *
   * @param next name after which the following page starts, null when this is the last
   */
  public Page(List<FileView> files, List<Directory> directories, String next) {
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

  /** Name after which the following page starts, null when this is the last. */
  public String next() {
    return next;
  }
}
