package dev.gavel.sep.lint;

import java.util.Locale;

/** How serious a lint finding is: error, warning or note. */
public enum LintSeverity {
    /** The author must fix it. */
    ERROR,
    /** The author should fix it, or must before a later state. */
    WARNING,
    /** Information only. */
    NOTE;

    /** Returns the severity as shown in output. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
