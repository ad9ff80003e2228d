package io.evenkeel.mover.core.follow;

import java.util.Locale;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What an administrator asks of the active daemon: the name of an empty file in its directory, so
 * that nothing has to be read, and no half of a question is seen. Immutable.
 */
public final class ControlQuestion {
  private static final Pattern NAME =
      Pattern.compile("(state|requests|json|cancel)(?:\\.(\\d{1,19}))?\\.([0-9a-f-]{36})");

  private final Verb verb;
  private final long id;
  private final String token;

  /** What is asked. */
  public enum Verb {
    /** Whether it is paused. */
    STATE,
    /** The requests, for people. */
    REQUESTS,
    /** The same for programs. */
    JSON,
    /** The end of a request. */
    CANCEL
  }

  private ControlQuestion(Verb verb, long id, String token) {
    this.verb = verb;
    this.id = id;
    this.token = token;
  }

  /**
   * A new question.
   *
   * @param id of which request, 0 but for {@link Verb#CANCEL}
   * @param token unique
   */
  public static ControlQuestion of(Verb verb, long id, UUID token) {
    return new ControlQuestion(verb, id, token.toString());
  }

  /** The question of a file's name; null for another file. */
  public static ControlQuestion parse(String name) {
    Matcher parts = NAME.matcher(name);
    if (!parts.matches()) {
      return null;
    }
    Verb verb = Verb.valueOf(parts.group(1).toUpperCase(Locale.ROOT));
    long id = parts.group(2) == null ? 0 : Long.parseUnsignedLong(parts.group(2));
    return new ControlQuestion(verb, id, parts.group(3));
  }

  /** What is asked. */
  public Verb verb() {
    return verb;
  }

  /** Of which request; 0 where none is meant. */
  public long id() {
    return id;
  }

  /** The name of its file. */
  public String fileName() {
    String what = verb.name().toLowerCase(Locale.ROOT);
    return (verb == Verb.CANCEL ? what + "." + id : what) + "." + token;
  }

  /** The name of the file with the answer. */
  public String answerName() {
    return ANSWER + token;
  }

  /** What names of answers begin with. */
  public static final String ANSWER = "answer.";
}
