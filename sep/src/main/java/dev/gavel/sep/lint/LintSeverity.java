package dev.gavel.sep.lint;

import java.util.Locale;

/** How serious a lint finding is: error, warning or note. */
public enum LintSeverity {
    /** It must be mended. */
    ERROR,
    /** It had better be mended, or must be before long. */
    WARNING,
    /** Worth knowing. */
    NOTE;

    /** The word for it. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
