package dev.gavel.sep.lint;

import dev.gavel.lifecycle.process.DocumentFormat;
import dev.gavel.sep.document.Document;
import dev.gavel.sep.document.DocumentFileName;
import dev.gavel.sep.document.DocumentMetadata;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/** Checks documents of proposals and returns lint findings. Stateless. */
public final class Linter {
    private Linter() {}

    /**
     * A document that was read from a file.
     *
     * @param file the name to use in findings; the linter does not open the file
     */
    public record Source(String file, Document document) {}

    /** Returns all findings of one document, in document order. */
    public static List<LintFinding> lint(String file, Document document, LintContext context) {
        LintFindingCollector lintFindingCollector = new LintFindingCollector(file, document, context);
        if (document.text().isBlank()) {
            lintFindingCollector.add(
                    LintCode.EMPTY,
                    lintFindingCollector.documentStart(),
                    "the document is empty",
                    "start with " + String.join(" and ", beginning(document.format()))
                            + "; 'gavel sep new TITLE' creates a document");
            return lintFindingCollector.list();
        }
        if (document.isTooLong()) {
            lintFindingCollector.add(
                    LintCode.TOO_LONG,
                    lintFindingCollector.documentStart(),
                    "the document has " + document.text().length() + " characters; only the first "
                            + Document.MAX_LENGTH + " are read",
                    "move long examples and data into separate files and link them");
        }
        Optional<DocumentFileName> name = DocumentFileName.numbered(file, document.format());
        new NumberLint(document, name, context, lintFindingCollector).lint();
        new FieldLint(document, context, lintFindingCollector).lint();
        new SectionLint(document, context, lintFindingCollector).lint();
        new SepLinkLint(document, name, context, lintFindingCollector).lint();
        if (document.format().markup() == DocumentFormat.Markup.MARKDOWN) {
            new HtmlTagLint(document, lintFindingCollector).lint();
        }
        new HiddenCharacterLint(document, lintFindingCollector).lint();
        checkDisabledCodes(document, lintFindingCollector);
        return lintFindingCollector.list();
    }

    private static void checkDisabledCodes(Document document, LintFindingCollector lintFindingCollector) {
        document.disabledLintCodes().stream()
                .sorted()
                .filter(word -> LintCode.of(word)
                        .filter(LintCode::canBeDisabledInDocument)
                        .isEmpty())
                .forEach(word -> lintFindingCollector.add(
                        LintCode.DISABLED_UNKNOWN,
                        lintFindingCollector.documentStart(),
                        LintFindingCollector.quote(word)
                                + (LintCode.of(word).isPresent()
                                        ? " cannot be disabled in a document"
                                        : " is not a lint code"),
                        "remove it from the comment 'gavel-lint-disable'"));
    }

    /** Returns all findings of a set of documents. Links between them must lead to documents of the set. */
    public static List<LintFinding> lintAll(List<Source> sources, LintContext context) {
        Map<Integer, Source> byNumber = new HashMap<>();
        List<LintFinding> all = new ArrayList<>();
        // A number in a document takes precedence over one in a file name, which may be a mistake.
        List<Source> numbered = new ArrayList<>(sources);
        numbered.sort(
                Comparator.comparing(source -> source.document().statedNumber().isEmpty()));
        for (Source source : numbered) {
            OptionalInt number = number(source);
            Source first = number.isEmpty() ? null : byNumber.putIfAbsent(number.getAsInt(), source);
            if (first != null) {
                LintFindingCollector lintFindingCollector =
                        new LintFindingCollector(source.file(), source.document(), context);
                lintFindingCollector.add(
                        LintCode.NUMBER_TAKEN,
                        lintFindingCollector.titleOrStart(),
                        "the number " + number.getAsInt() + " is already used by " + first.file(),
                        "give each " + source.document().format().prefix()
                                + " its own number in the title and the file name");
                all.addAll(lintFindingCollector.list());
            }
        }
        LintContext contextWithOthers = context.others(number -> Optional.ofNullable(byNumber.get(number))
                .map(source -> source.document().metadata()));
        sources.forEach(source -> all.addAll(lint(source.file(), source.document(), contextWithOthers)));
        Map<String, Integer> order = new HashMap<>();
        sources.forEach(source -> order.putIfAbsent(source.file(), order.size()));
        all.sort(Comparator.comparingInt((LintFinding finding) -> order.getOrDefault(finding.file(), 0))
                .thenComparingInt(LintFinding::line)
                .thenComparingInt(LintFinding::column));
        return all;
    }

    /** Returns the parts with which a document begins: the title and the first two sections. */
    private static List<String> beginning(DocumentFormat format) {
        List<String> sections = format.sections().stream()
                .limit(2)
                .map(section -> ("aeiouAEIOU".indexOf(section.name().charAt(0)) < 0 ? "a " : "an ") + section.name())
                .toList();
        return sections.isEmpty()
                ? List.of("a title")
                : Stream.concat(
                                Stream.of("a title, " + sections.getFirst()),
                                sections.stream().skip(1))
                        .toList();
    }

    private static OptionalInt number(Source source) {
        DocumentMetadata documentMetadata = source.document().metadata();
        return documentMetadata.number().isPresent()
                ? documentMetadata.number()
                : DocumentFileName.numbered(source.file(), source.document().format())
                        .map(DocumentFileName::number)
                        .orElse(OptionalInt.empty());
    }
}
