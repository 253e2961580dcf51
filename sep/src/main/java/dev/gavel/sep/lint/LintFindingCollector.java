package dev.gavel.sep.lint;

import dev.gavel.sep.document.Document;
import dev.gavel.sep.document.DocumentTitle;
import dev.gavel.sep.document.TextRange;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Collects the lint findings of one document in document order, without those of disabled codes. For a document of a
 * settled or ended proposal, an error is reported as a warning: its text is history. Not thread-safe.
 */
final class LintFindingCollector {
    private static final int MAX_FINDINGS = 1_000;
    private static final int MAX_QUOTE_LENGTH = 60;

    private final String file;
    private final Document document;
    private final boolean isOpen;
    private final List<String> disabledInProcess;
    private final List<LintFinding> findings = new ArrayList<>();

    LintFindingCollector(String file, Document document, LintContext context) {
        this.file = file;
        this.document = document;
        this.isOpen = new LintStateResolver(document, context).isOpen();
        this.disabledInProcess = context.processDefinition().documentFormat().disabledLintCodes();
    }

    void add(LintCode code, TextRange textRange, String message, String help) {
        add(code, code.severity(), textRange, message, help);
    }

    void add(LintCode code, LintSeverity severity, TextRange textRange, String message, String help) {
        if (findings.size() < MAX_FINDINGS && !isDisabled(code)) {
            LintSeverity highest = severity == LintSeverity.ERROR && !isOpen ? LintSeverity.WARNING : severity;
            findings.add(new LintFinding(file, textRange.line(), textRange.column(), highest, code, message, help));
        }
    }

    private boolean isDisabled(LintCode code) {
        return disabledInProcess.contains(code.wireName())
                || (code.canBeDisabledInDocument()
                        && document.disabledLintCodes().contains(code.wireName()));
    }

    /** Returns the findings in document order. */
    List<LintFinding> list() {
        return findings.stream()
                .sorted(Comparator.comparingInt(LintFinding::line).thenComparingInt(LintFinding::column))
                .toList();
    }

    TextRange documentStart() {
        return new TextRange(0, 0, 1, 1);
    }

    /** Returns the position for a finding about a missing part: the title, or else the start of the document. */
    TextRange titleOrStart() {
        return document.title().map(DocumentTitle::range).orElseGet(this::documentStart);
    }

    /** Returns the start of the preamble; without a preamble, the title or the start of the document. */
    TextRange preambleStart() {
        return document.fields().isEmpty()
                ? titleOrStart()
                : document.fields().getFirst().labelRange();
    }

    /** Quotes untrusted text within a message, on one line and cut if it is too long. */
    static String quote(String words) {
        String line = words.replaceAll("\\s+", " ").strip();
        return "'" + (line.length() > MAX_QUOTE_LENGTH ? line.substring(0, MAX_QUOTE_LENGTH) + "…" : line) + "'";
    }
}
