package dev.gavel.sep.lint;

/**
 * A problem found in a document: position, severity, code, message and help.
 *
 * @param line counted from one, like the column
 * @param message the problem
 * @param help how to fix it
 */
public record LintFinding(
        String file, int line, int column, LintSeverity severity, LintCode code, String message, String help) {}
