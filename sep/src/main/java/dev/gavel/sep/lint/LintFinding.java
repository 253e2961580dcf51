package dev.gavel.sep.lint;

/**
 * A problem found in a document: position, severity, code, message and help.
 *
 * @param line counted from one, as the column
 * @param message what is wrong
 * @param help how to mend it
 */
public record LintFinding(
        String file, int line, int column, LintSeverity severity, LintCode code, String message, String help) {}
