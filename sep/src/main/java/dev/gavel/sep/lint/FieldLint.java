package dev.gavel.sep.lint;

import dev.gavel.lifecycle.process.AttributeDefinition;
import dev.gavel.lifecycle.process.MoveRequirement;
import dev.gavel.lifecycle.process.PreambleKey;
import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.sep.document.Author;
import dev.gavel.sep.document.Document;
import dev.gavel.sep.document.DocumentMetadata;
import dev.gavel.sep.document.DocumentTemplate;
import dev.gavel.sep.document.PreambleField;
import dev.gavel.yaml.WordSuggester;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Checks the preamble fields of a document: status, type, authors, sponsor, pull request and discussion. Not
 * thread-safe.
 */
final class FieldLint {
    private final Document document;
    private final DocumentMetadata documentMetadata;
    private final LintContext context;
    private final ProcessDefinition processDefinition;
    private final LintStateResolver stateResolver;
    private final LintFindingCollector lintFindingCollector;

    FieldLint(Document document, LintContext context, LintFindingCollector lintFindingCollector) {
        this.document = document;
        this.documentMetadata = document.metadata();
        this.context = context;
        this.processDefinition = context.processDefinition();
        this.stateResolver = new LintStateResolver(document, context);
        this.lintFindingCollector = lintFindingCollector;
    }

    void lint() {
        duplicates();
        status();
        type();
        authors();
        sponsor();
        new DateLint(document, lintFindingCollector).lint();
        pr();
        discussion();
    }

    private void duplicates() {
        Map<PreambleKey, PreambleField> first = new EnumMap<>(PreambleKey.class);
        for (PreambleField field : document.fields()) {
            PreambleField earlier = first.putIfAbsent(field.key(), field);
            // A document may have several discussions or issues.
            if (earlier != null && field.key() != PreambleKey.DISCUSSION && field.key() != PreambleKey.ISSUE) {
                // The server decides these; a reader could take the other value for the current one.
                boolean decided = field.key() == PreambleKey.STATUS || field.key() == PreambleKey.SPONSOR;
                lintFindingCollector.add(
                        LintCode.FIELD_DUPLICATE,
                        decided ? LintSeverity.ERROR : LintSeverity.WARNING,
                        field.labelRange(),
                        document.format().fieldLabel(field.key()) + " is repeated; the one on line "
                                + earlier.labelRange().line() + " is used",
                        "remove one of them");
            }
        }
    }

    private void status() {
        Optional<PreambleField> field = document.field(PreambleKey.STATUS);
        if (field.isEmpty()) {
            lintFindingCollector.add(
                    LintCode.STATUS_MISSING,
                    lintFindingCollector.preambleStart(),
                    "the Status is missing; " + stateResolver.state() + " is assumed",
                    "add a line '" + line(PreambleKey.STATUS, capitalized(stateResolver.state()))
                            + "' below the title");
            return;
        }
        Optional<String> declaredState = stateResolver.declaredState();
        if (documentMetadata.status().isEmpty()) {
            lintFindingCollector.add(
                    LintCode.STATUS_PLACEHOLDER,
                    field.get().valueRange(),
                    "the Status is a placeholder; " + stateResolver.state() + " is assumed",
                    "write '" + capitalized(stateResolver.state()) + "'");
        } else if (declaredState.isEmpty()) {
            String word = documentMetadata.status().get();
            lintFindingCollector.add(
                    LintCode.STATUS_UNKNOWN,
                    field.get().valueRange(),
                    LintFindingCollector.quote(word) + " is not a state of the process " + processDefinition.name(),
                    nearest(word, words())
                            .orElse("use one of: "
                                    + String.join(
                                            ", ", processDefinition.states().keySet())));
        } else if (context.ledgerState().isPresent() && !declaredState.get().equals(stateResolver.state())) {
            lintFindingCollector.add(
                    LintCode.STATUS_DIFFERS,
                    field.get().valueRange(),
                    "the Status is "
                            + LintFindingCollector.quote(
                                    documentMetadata.status().get()) + ", but the ledger says " + stateResolver.state(),
                    "the ledger takes precedence; export the document to get the correct Status");
        }
    }

    private List<String> words() {
        return Stream.concat(
                        processDefinition.states().keySet().stream(),
                        processDefinition.aliases().stream().map(alias -> alias.word()))
                .toList();
    }

    private void type() {
        AttributeDefinition attribute = processDefinition.attributes().get("type");
        if (attribute == null || attribute.values().isEmpty()) {
            return;
        }
        if (documentMetadata.type().isEmpty()) {
            lintFindingCollector.add(
                    LintCode.TYPE_MISSING,
                    document.field(PreambleKey.TYPE)
                            .map(PreambleField::valueRange)
                            .orElseGet(lintFindingCollector::preambleStart),
                    "the Type is missing"
                            + attribute
                                    .defaultValue()
                                    .map(word -> "; " + word + " is assumed")
                                    .orElse(""),
                    "add a line '" + line(PreambleKey.TYPE, "…") + "' with one of: "
                            + String.join(", ", attribute.values()));
            return;
        }
        String word = documentMetadata.type().get();
        if (attribute.canonicalValue(word).isEmpty()) {
            lintFindingCollector.add(
                    LintCode.TYPE_UNKNOWN,
                    document.field(PreambleKey.TYPE).orElseThrow().valueRange(),
                    LintFindingCollector.quote(word) + " is not a known type",
                    type(word, attribute.values()).orElse("use one of: " + String.join(", ", attribute.values())));
        }
    }

    /** Also compares with the first word of each type, which authors remember best. */
    private static Optional<String> type(String word, List<String> values) {
        return nearest(word, values)
                .or(() -> values.stream()
                        .filter(value -> WordSuggester.suggest(
                                        word.toLowerCase(Locale.ROOT),
                                        List.of(value.toLowerCase(Locale.ROOT).replaceAll(" .*", "")))
                                .isPresent())
                        .findFirst()
                        .map(value -> "did you mean '" + value + "'?"));
    }

    private void authors() {
        Optional<PreambleField> field = document.field(PreambleKey.AUTHOR);
        if (documentMetadata.authors().isEmpty()) {
            boolean declaredState = field.filter(each -> !each.fullValue().isBlank()
                            && each.fullValue()
                                            .codePoints()
                                            .filter(Character::isLetter)
                                            .count()
                                    > 12)
                    .isPresent();
            lintFindingCollector.add(
                    declaredState ? LintCode.AUTHOR_UNREADABLE : LintCode.AUTHOR_MISSING,
                    field.map(PreambleField::valueRange).orElseGet(lintFindingCollector::preambleStart),
                    declaredState
                            ? "no author can be recognized in "
                                    + LintFindingCollector.quote(
                                            field.orElseThrow().fullValue())
                            : "the author is missing",
                    "write '" + line(PreambleKey.AUTHOR, "Name (@handle), …") + "'");
            return;
        }
        company(LintCode.AUTHOR_COMPANY, documentMetadata.authors(), field);
        List<String> nameless = documentMetadata.authors().stream()
                .filter(author -> author.handle().isEmpty() && !author.isCompany())
                .map(author -> author.name().orElse(""))
                .toList();
        if (!nameless.isEmpty()) {
            lintFindingCollector.add(
                    LintCode.AUTHOR_HANDLE,
                    field.orElseThrow().valueRange(),
                    "the handle is missing for " + LintFindingCollector.quote(String.join(", ", nameless)),
                    "write 'Name (@handle)'; the handle identifies the author");
        }
    }

    private void company(LintCode code, List<Author> authors, Optional<PreambleField> field) {
        authors.stream()
                .filter(Author::isCompany)
                .findFirst()
                .ifPresent(author -> lintFindingCollector.add(
                        code,
                        field.map(PreambleField::valueRange).orElseGet(lintFindingCollector::preambleStart),
                        LintFindingCollector.quote(author.identifier()) + " is not a person",
                        "name a person, and write the company in brackets: Name (@handle), or Name (Company)"));
    }

    private void sponsor() {
        document.field(PreambleKey.SPONSOR).ifPresent(field -> {
            company(LintCode.SPONSOR_COMPANY, document.sponsors(), Optional.of(field));
            int sponsors = document.sponsors().size();
            if (sponsors > 1) {
                lintFindingCollector.add(
                        LintCode.SPONSOR_SEVERAL,
                        field.valueRange(),
                        sponsors + " sponsors are named; only the first is used",
                        "name one sponsor; mention the others elsewhere");
            } else if (sponsors == 0 && !document.hasNoSponsor()) {
                lintFindingCollector.add(
                        LintCode.SPONSOR_UNREADABLE,
                        field.valueRange(),
                        "no sponsor can be recognized in " + LintFindingCollector.quote(field.fullValue()),
                        "write 'Name (@handle)', or 'None' if there is no sponsor yet");
            }
        });
    }

    private void pr() {
        document.field(PreambleKey.PR).ifPresent(field -> {
            if (documentMetadata.pr().isEmpty()) {
                lintFindingCollector.add(
                        LintCode.PR_PLACEHOLDER,
                        field.valueRange(),
                        "the PR is a placeholder",
                        "write the address of the pull request, or '#' and its number, when it exists");
            } else if (documentMetadata.pr().get().chars().noneMatch(Character::isDigit)) {
                lintFindingCollector.add(
                        LintCode.PR_UNREADABLE,
                        field.valueRange(),
                        LintFindingCollector.quote(documentMetadata.pr().get()) + " is not a pull request",
                        "write the address of the pull request, or '#' and its number");
            }
        });
    }

    /**
     * Checks the discussion only if the start move requires or recommends one, and only while the proposal is still open.
     */
    private void discussion() {
        String kind = PreambleKey.DISCUSSION.wireName();
        boolean wanted = Stream.concat(
                        processDefinition.startMove().recommendations().stream(),
                        processDefinition.startMove().requirements().stream())
                .anyMatch(moveRequirement -> moveRequirement instanceof MoveRequirement.EvidenceGiven given
                        && given.kind().equals(kind));
        if (wanted && documentMetadata.discussion().isEmpty() && stateResolver.isOpen()) {
            lintFindingCollector.add(
                    LintCode.DISCUSSION_MISSING,
                    document.field(PreambleKey.DISCUSSION)
                            .map(PreambleField::valueRange)
                            .orElseGet(lintFindingCollector::preambleStart),
                    "the link to the discussion is missing",
                    "discuss the idea first, and add a line '" + line(PreambleKey.DISCUSSION, "https://…") + "'");
        }
    }

    private static boolean requiresEvidence(MoveRequirement moveRequirement, String kind) {
        return switch (moveRequirement) {
            case MoveRequirement.EvidenceGiven given -> given.kind().equals(kind);
            case MoveRequirement.EvidenceInState evidenceInState ->
                evidenceInState.kind().equals(kind);
            case MoveRequirement.WithDescription withDescription ->
                requiresEvidence(withDescription.requirement(), kind);
            case MoveRequirement.ForAttribute forAttribute -> requiresEvidence(forAttribute.requirement(), kind);
            case MoveRequirement.AnyOf anyOf ->
                anyOf.choices().stream().anyMatch(choice -> requiresEvidence(choice, kind));
            case MoveRequirement.FactHolds factHolds -> false;
            case MoveRequirement.DateReached reached -> false;
            case MoveRequirement.RoleVacant vacant -> false;
            case MoveRequirement.RoleIdle idle -> false;
        };
    }

    private static Optional<String> nearest(String word, List<String> candidates) {
        return WordSuggester.suggest(
                        word.toLowerCase(Locale.ROOT),
                        candidates.stream()
                                .map(each -> each.toLowerCase(Locale.ROOT))
                                .toList())
                .map(near -> candidates.stream()
                        .filter(near::equalsIgnoreCase)
                        .findFirst()
                        .orElse(near))
                .map(near -> "did you mean '" + near + "'?");
    }

    private String line(PreambleKey key, String value) {
        return DocumentTemplate.fieldLine(document.format(), key, value);
    }

    private static String capitalized(String word) {
        return word.isEmpty() ? word : word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1);
    }
}
