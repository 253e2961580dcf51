package dev.gavel.sep.lint;

import dev.gavel.sep.document.Document;
import dev.gavel.sep.document.Key;
import dev.gavel.sep.document.Title;
import java.util.Optional;
import java.util.OptionalInt;

/** Title and number: in the heading, the file's name, the preamble and the ledger. Not thread-safe. */
final class NumberLint {
    private final Document document;
    private final FileName name;
    private final LintContext context;
    private final Findings findings;

    NumberLint(Document document, FileName name, LintContext context, Findings findings) {
        this.document = document;
        this.name = name;
        this.context = context;
        this.findings = findings;
    }

    void lint() {
        if (document.outline().title().isEmpty()) {
            findings.add(
                    Code.TITLE_MISSING,
                    findings.titleOrTop(),
                    "it has no title",
                    "begin it with a heading such as '# SEP-0000: What it is about'");
        }
        OptionalInt written = document.outline().number();
        OptionalInt known = context.number().isPresent() ? context.number() : name.number();
        if (written.isEmpty()) {
            unnumbered(known);
        } else if (known.isPresent() && known.getAsInt() != written.getAsInt()) {
            String where = context.number().isPresent() ? "the ledger" : "the file's name";
            findings.add(
                    Code.NUMBER_DIFFERS,
                    findings.titleOrTop(),
                    "it says SEP-" + written.getAsInt() + ", but " + where + " says " + known.getAsInt(),
                    "write SEP-" + known.getAsInt() + " in the title, or rename the file");
        } else if (known.isEmpty() && name.placeholder()) {
            findings.add(
                    Code.FILE_UNNUMBERED,
                    findings.titleOrTop(),
                    "it is SEP-" + written.getAsInt() + ", but its file's name has no number yet",
                    "rename the file to " + written.getAsInt() + "-" + name.rest());
        }
        field(written);
    }

    private void unnumbered(OptionalInt known) {
        Optional<String> placeholder = document.title().flatMap(Title::placeholder);
        if (document.outline().title().isEmpty()) {
            return;
        }
        if (known.isPresent()) {
            findings.add(
                    Code.NUMBER_MISSING,
                    findings.titleOrTop(),
                    "its title has no number, but " + (context.number().isPresent() ? "the ledger" : "the file's name")
                            + " says " + known.getAsInt(),
                    "begin the title with 'SEP-" + known.getAsInt() + ":'");
        } else if (placeholder.isPresent()) {
            findings.add(
                    Code.NUMBER_PLACEHOLDER,
                    findings.titleOrTop(),
                    Findings.quoted(placeholder.get()) + " stands where its number will be",
                    "leave it until the proposal has been submitted and has a number");
        }
    }

    private void field(OptionalInt written) {
        document.field(Key.NUMBER).ifPresent(field -> {
            String digits = field.value().replaceAll("\\D+", "");
            if (written.isPresent()
                    && digits.matches("[1-9]\\d{0,8}")
                    && Integer.parseInt(digits) != written.getAsInt()) {
                findings.add(
                        Code.NUMBER_DIFFERS,
                        field.valueSpot(),
                        "the preamble says " + digits + ", but the title says " + written.getAsInt(),
                        "write the same number in both");
            }
        });
    }
}
