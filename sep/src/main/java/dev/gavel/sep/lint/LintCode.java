package dev.gavel.sep.lint;

import static dev.gavel.sep.lint.LintSeverity.ERROR;
import static dev.gavel.sep.lint.LintSeverity.NOTE;
import static dev.gavel.sep.lint.LintSeverity.WARNING;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * The codes of all lint findings, with their severity; scripts rely on them. A published code never gets another
 * meaning.
 */
public enum LintCode {
    NOT_UTF_8(ERROR),
    TOO_LONG(ERROR),
    EMPTY(ERROR),
    TITLE_MISSING(ERROR),
    NUMBER_PLACEHOLDER(NOTE),
    NUMBER_MISSING(WARNING),
    NUMBER_DIFFERS(ERROR),
    NUMBER_TAKEN(ERROR),
    FILE_OUTSIDE(ERROR),
    FILE_UNNUMBERED(NOTE),
    STATUS_MISSING(NOTE),
    STATUS_PLACEHOLDER(NOTE),
    STATUS_UNKNOWN(ERROR),
    STATUS_DIFFERS(WARNING),
    TYPE_MISSING(NOTE),
    TYPE_UNKNOWN(ERROR),
    AUTHOR_MISSING(WARNING),
    AUTHOR_UNREADABLE(WARNING),
    AUTHOR_HANDLE(NOTE),
    SPONSOR_UNREADABLE(WARNING),
    SPONSOR_SEVERAL(WARNING),
    CREATED_MISSING(NOTE),
    CREATED_MALFORMED(WARNING),
    CREATED_FORM(WARNING),
    PR_PLACEHOLDER(NOTE),
    PR_UNREADABLE(WARNING),
    DISCUSSION_MISSING(NOTE),
    /** An error for the fields that the server decides, otherwise a warning. */
    FIELD_DUPLICATE(ERROR),
    /** An error if the current state requires the section, a warning if a later state does. */
    SECTION_MISSING(ERROR),
    /** An error if the current state requires the section, otherwise a warning. */
    SECTION_EMPTY(ERROR),
    SECTION_DUPLICATE(WARNING),
    SECTION_NESTED(NOTE),
    TEMPLATE_TEXT(ERROR),
    HEADING_SPACE(WARNING),
    LINK_UNREADABLE(WARNING),
    LINK_UNKNOWN(ERROR),
    LINK_SELF(ERROR),
    LINK_ONE_SIDED(WARNING),
    LINK_CIRCULAR(ERROR),
    HTML_TAG(WARNING),
    HIDDEN_CHARACTER(WARNING),
    AUTHOR_COMPANY(WARNING),
    SPONSOR_COMPANY(WARNING),
    DISABLED_UNKNOWN(WARNING);

    /** Findings that an author could disable to mislead the readers of the document. */
    private static final Set<LintCode> ALWAYS_ENABLED =
            EnumSet.of(FIELD_DUPLICATE, STATUS_DIFFERS, HTML_TAG, HIDDEN_CHARACTER, DISABLED_UNKNOWN);

    private final LintSeverity severity;

    LintCode(LintSeverity severity) {
        this.severity = severity;
    }

    /** Returns the code as shown in all output. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns the code with a name in output. */
    public static Optional<LintCode> of(String wireName) {
        return Arrays.stream(values())
                .filter(code -> code.wireName().equals(wireName))
                .findFirst();
    }

    /** Whether a comment in a document can disable the code for that document. */
    public boolean canBeDisabledInDocument() {
        return !ALWAYS_ENABLED.contains(this);
    }

    /** Returns the highest severity that a finding with this code can have. */
    public LintSeverity severity() {
        return severity;
    }
}
