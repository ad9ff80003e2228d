package io.evenkeel.cli;

import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.TimeUnit;

/** The terminal that rounds are printed on and the pause between them; replaced in tests. */
interface Screen {
  /** Moves to the top left of an ANSI terminal and clears it. */
  String CLEAR = "\u001b[H\u001b[2J";

  /** Whether standard output is a terminal that can be cleared. */
  boolean isTerminal();

  /** Whether nobody reads standard output any more, such as {@code head} that has seen enough. */
  boolean isGone();

  /** Waits. */
  void pause(int seconds) throws InterruptedException;

  /** The real one. Stateless. */
  final class Real implements Screen {
    @Override
    public boolean isTerminal() {
      String term = System.getenv("TERM");
      return term != null && !"dumb".equals(term) && hasConsole();
    }

    /** From Java 22 on there is a console even where output goes to a file; it then says so. */
    @SuppressWarnings("SystemConsoleNull") // before Java 22 it may well be null
    private static boolean hasConsole() {
      Object console = System.console();
      if (console == null) {
        return false;
      }
      try {
        return (Boolean) java.io.Console.class.getMethod("isTerminal").invoke(console);
      } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException e) {
        return true; // an earlier Java, where a console means a terminal
      }
    }

    @Override
    public boolean isGone() {
      return System.out.checkError();
    }

    @Override
    public void pause(int seconds) throws InterruptedException {
      TimeUnit.SECONDS.sleep(seconds);
    }
  }
}
