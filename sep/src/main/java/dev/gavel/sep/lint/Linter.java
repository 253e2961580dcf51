package dev.gavel.sep.lint;

import dev.gavel.sep.document.Document;
import dev.gavel.sep.document.Outline;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Says what is wrong with documents. Stateless. */
public final class Linter {
    private Linter() {}

    /**
     * A document that was read from a file.
     *
     * @param file the name to use in findings; nothing is opened
     */
    public record Source(String file, Document document) {}

    /** Everything found in one document, in its order. */
    public static List<Finding> lint(String file, Document document, LintContext context) {
        Findings findings = new Findings(file, document);
        if (document.text().isBlank()) {
            findings.add(
                    Code.EMPTY,
                    findings.top(),
                    "there is nothing in it",
                    "start with a title, an Abstract and a Motivation; 'gavel sep new TITLE' writes a document to fill in");
            return findings.list();
        }
        if (document.tooLong()) {
            findings.add(
                    Code.TOO_LONG,
                    findings.top(),
                    "it has " + document.text().length() + " characters; only the first " + Document.LIMIT
                            + " are read",
                    "move long examples and data into files of their own, and link them");
        }
        FileName name = FileName.of(file);
        new NumberLint(document, name, context, findings).lint();
        new FieldLint(document, context, findings).lint();
        new SectionLint(document, context, findings).lint();
        new LinkLint(document, name, context, findings).lint();
        return findings.list();
    }

    /** Everything found in documents that belong together: a link of one must lead to another of them. */
    public static List<Finding> together(List<Source> sources, LintContext context) {
        Map<Integer, Source> byNumber = new HashMap<>();
        List<Finding> all = new ArrayList<>();
        // A number in a title is meant; that of a file's name may be a slip.
        List<Source> numbered = new ArrayList<>(sources);
        numbered.sort(Comparator.comparing(
                source -> source.document().outline().number().isEmpty()));
        for (Source source : numbered) {
            OptionalInt number = number(source);
            Source first = number.isEmpty() ? null : byNumber.putIfAbsent(number.getAsInt(), source);
            if (first != null) {
                Findings findings = new Findings(source.file(), source.document());
                findings.add(
                        Code.NUMBER_TAKEN,
                        findings.titleOrTop(),
                        "the number " + number.getAsInt() + " is that of " + first.file() + " already",
                        "give each proposal a number of its own, in its title and its file's name");
                all.addAll(findings.list());
            }
        }
        LintContext known = context.others(number -> Optional.ofNullable(byNumber.get(number))
                .map(source -> source.document().outline()));
        sources.forEach(source -> all.addAll(lint(source.file(), source.document(), known)));
        Map<String, Integer> order = new HashMap<>();
        sources.forEach(source -> order.putIfAbsent(source.file(), order.size()));
        all.sort(Comparator.comparingInt((Finding finding) -> order.getOrDefault(finding.file(), 0))
                .thenComparingInt(Finding::line)
                .thenComparingInt(Finding::column));
        return all;
    }

    private static OptionalInt number(Source source) {
        Outline outline = source.document().outline();
        return outline.number().isPresent()
                ? outline.number()
                : FileName.of(source.file()).number();
    }
}
