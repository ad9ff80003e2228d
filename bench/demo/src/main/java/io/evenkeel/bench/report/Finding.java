package io.evenkeel.bench.report;

/**
 * A sentence about what a run found.
 *
 * @param headline one sentence with the numbers
 * @param detail what it means to an operator, may be empty
 */
record Finding(Kind kind, String headline, String detail) {

  /** How a finding is marked, in a word and a colour. */
  enum Kind {
    PROBLEM("Problem"),
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
  static Finding of(Row row, String headline, String detail) {
    Kind kind =
        switch (row.verdict()) {
          case BETTER -> Kind.BETTER;
          case WORSE -> Kind.WORSE;
          case SAME, WITHIN_SPREAD -> Kind.SAME;
          default -> Kind.NOTE;
        };
    return new Finding(kind, headline, detail);
  }

  static Finding note(String headline, String detail) {
    return new Finding(Kind.NOTE, headline, detail);
  }
}
