package io.evenkeel.bench.report;

/**
 * A sentence about what a run found.
 *
 * @param headline one sentence with the numbers
 * @param detail why it is not judged or what went wrong, may be empty
 */
record Finding(Kind kind, String headline, String detail) {

  /** How a finding is marked, in a word and a colour. */
  enum Kind {
    BETTER("Better"),
    WORSE("Worse"),
    SAME("No change"),
    NOTE("Note");

    final String word;

    Kind(String word) {
      this.word = word;
    }
  }

  /** Marked as the row is judged. */
  static Finding of(Row row, String headline) {
    return switch (row.verdict()) {
      case BETTER -> new Finding(Kind.BETTER, headline, "");
      case WORSE -> new Finding(Kind.WORSE, headline, "");
      case SAME, WITHIN_SPREAD -> new Finding(Kind.SAME, headline, "");
      case FEW_RUNS -> note(headline, "Too few runs to judge.");
      default -> note(headline, "");
    };
  }

  static Finding note(String headline, String detail) {
    return new Finding(Kind.NOTE, headline, detail);
  }
}
