package dev.gavel.sep.lint;

import dev.gavel.sep.document.DeclaredSepRelations;
import dev.gavel.sep.document.Document;
import dev.gavel.sep.document.DocumentMetadata;
import dev.gavel.sep.document.PreambleKey;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;

/**
 * Checks a document's links to other SEPs: that these exist, and that both documents of a supersession name each other.
 * Not thread-safe.
 */
final class SepLinkLint {
    private final Document document;
    private final LintContext context;
    private final LintFindingCollector lintFindingCollector;
    private final OptionalInt own;

    SepLinkLint(Document document, SepFileName name, LintContext context, LintFindingCollector lintFindingCollector) {
        this.document = document;
        this.context = context;
        this.lintFindingCollector = lintFindingCollector;
        this.own = context.number().isPresent()
                ? context.number()
                : document.metadata().number().isPresent() ? document.metadata().number() : name.number();
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
            // A required item need not be a SEP, and a placeholder states explicitly that there is no link.
            if (numbers.isEmpty() && key != PreambleKey.REQUIRES && !document.isPlaceholder(field)) {
                lintFindingCollector.add(
                        LintCode.LINK_UNREADABLE,
                        field.valueRange(),
                        "no SEP number can be recognized in " + LintFindingCollector.quote(field.fullValue()),
                        "write 'SEP-' and the number, such as SEP-12");
            }
            for (int number : numbers) {
                if (own.isPresent() && own.getAsInt() == number) {
                    lintFindingCollector.add(
                            LintCode.LINK_SELF,
                            field.valueRange(),
                            "the document names itself: " + key.canonicalLabel() + " SEP-" + number,
                            "name the other SEP, or remove the line");
                } else if (context.others().isPresent()) {
                    Optional<DocumentMetadata> other = context.others().get().apply(number);
                    other.ifPresentOrElse(
                            documentMetadata -> checkBackLink(key, there, backKey, back, number, documentMetadata),
                            () -> lintFindingCollector.add(
                                    LintCode.LINK_UNKNOWN,
                                    field.valueRange(),
                                    "there is no SEP-" + number,
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
                    "SEP-" + own.getAsInt() + " and SEP-" + number + " name each other in " + key.canonicalLabel(),
                    "keep the line in one of the two documents");
        } else if (backKey.isPresent()
                && !back.apply(other.declaredSepRelations()).contains(own.getAsInt())) {
            lintFindingCollector.add(
                    LintCode.LINK_ONE_SIDED,
                    document.field(key).orElseThrow().valueRange(),
                    key.canonicalLabel() + " names SEP-" + number + ", but SEP-" + number
                            + " does not name this SEP in " + backKey.get().canonicalLabel(),
                    "add '- **" + backKey.get().canonicalLabel() + "**: SEP-" + own.getAsInt() + "' to SEP-" + number);
        }
    }
}
