package dev.gavel.sep.lint;

import dev.gavel.lifecycle.process.DocumentFormat;
import dev.gavel.lifecycle.process.PreambleKey;
import dev.gavel.sep.document.DeclaredSepRelations;
import dev.gavel.sep.document.Document;
import dev.gavel.sep.document.DocumentFileName;
import dev.gavel.sep.document.DocumentMetadata;
import dev.gavel.sep.document.DocumentTemplate;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;

/**
 * Checks a document's links to other proposals: that these exist, and that both documents of a supersession name each other.
 * Not thread-safe.
 */
final class SepLinkLint {
    private final Document document;
    private final DocumentFormat format;
    private final LintContext context;
    private final LintFindingCollector lintFindingCollector;
    private final OptionalInt own;

    SepLinkLint(
            Document document,
            Optional<DocumentFileName> name,
            LintContext context,
            LintFindingCollector lintFindingCollector) {
        this.document = document;
        this.format = document.format();
        this.context = context;
        this.lintFindingCollector = lintFindingCollector;
        this.own = context.number().isPresent()
                ? context.number()
                : document.metadata().number().isPresent()
                        ? document.metadata().number()
                        : name.map(DocumentFileName::number).orElse(OptionalInt.empty());
    }

    void lint() {
        check(
                PreambleKey.SUPERSEDES,
                DeclaredSepRelations::supersedes,
                Optional.of(PreambleKey.SUPERSEDED_BY),
                DeclaredSepRelations::supersededBy);
        check(
                PreambleKey.SUPERSEDED_BY,
                DeclaredSepRelations::supersededBy,
                Optional.of(PreambleKey.SUPERSEDES),
                DeclaredSepRelations::supersedes);
        check(
                PreambleKey.REPLACES,
                DeclaredSepRelations::replaces,
                Optional.empty(),
                declaredSepRelations -> List.of());
        check(
                PreambleKey.REQUIRES,
                DeclaredSepRelations::requires,
                Optional.empty(),
                declaredSepRelations -> List.of());
    }

    private void check(
            PreambleKey key,
            Function<DeclaredSepRelations, List<Integer>> there,
            Optional<PreambleKey> backKey,
            Function<DeclaredSepRelations, List<Integer>> back) {
        document.field(key).ifPresent(field -> {
            List<Integer> numbers = there.apply(document.metadata().declaredSepRelations());
            // A required item need not be a proposal, and a placeholder states explicitly that there is no link.
            if (numbers.isEmpty() && key != PreambleKey.REQUIRES && !document.isPlaceholder(field)) {
                lintFindingCollector.add(
                        LintCode.LINK_UNREADABLE,
                        field.valueRange(),
                        "no " + format.prefix() + " number can be recognized in "
                                + LintFindingCollector.quote(field.fullValue()),
                        "write '" + format.numberLabel("") + "' and the number, such as " + format.numberLabel(12));
            }
            for (int number : numbers) {
                if (own.isPresent() && own.getAsInt() == number) {
                    lintFindingCollector.add(
                            LintCode.LINK_SELF,
                            field.valueRange(),
                            "the document names itself: " + format.fieldLabel(key) + " " + format.numberLabel(number),
                            "name the other " + format.prefix() + ", or remove the line");
                } else if (context.others().isPresent()) {
                    Optional<DocumentMetadata> other = context.others().get().apply(number);
                    other.ifPresentOrElse(
                            documentMetadata -> checkBackLink(key, there, backKey, back, number, documentMetadata),
                            () -> lintFindingCollector.add(
                                    LintCode.LINK_UNKNOWN,
                                    field.valueRange(),
                                    "there is no " + format.numberLabel(number),
                                    "correct the number, or remove it"));
                }
            }
        });
    }

    private void checkBackLink(
            PreambleKey key,
            Function<DeclaredSepRelations, List<Integer>> there,
            Optional<PreambleKey> backKey,
            Function<DeclaredSepRelations, List<Integer>> back,
            int number,
            DocumentMetadata other) {
        if (own.isEmpty()) {
            return;
        }
        if (there.apply(other.declaredSepRelations()).contains(own.getAsInt())) {
            lintFindingCollector.add(
                    LintCode.LINK_CIRCULAR,
                    document.field(key).orElseThrow().valueRange(),
                    format.numberLabel(own.getAsInt()) + " and " + format.numberLabel(number) + " name each other in "
                            + format.fieldLabel(key),
                    "keep the line in one of the two documents");
        } else if (backKey.isPresent()
                && !back.apply(other.declaredSepRelations()).contains(own.getAsInt())) {
            lintFindingCollector.add(
                    LintCode.LINK_ONE_SIDED,
                    document.field(key).orElseThrow().valueRange(),
                    format.fieldLabel(key) + " names " + format.numberLabel(number) + ", but "
                            + format.numberLabel(number) + " does not name this " + format.prefix() + " in "
                            + format.fieldLabel(backKey.get()),
                    "add '"
                            + DocumentTemplate.fieldLine(format, backKey.get(), format.numberLabel(own.getAsInt()))
                            + "' to " + format.numberLabel(number));
        }
    }
}
