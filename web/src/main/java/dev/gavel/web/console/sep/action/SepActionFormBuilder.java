package dev.gavel.web.console.sep.action;

import dev.gavel.lifecycle.process.EvidenceDefinition;
import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import dev.gavel.sep.service.SepOperation;
import dev.gavel.web.console.sep.EnglishTextFormatter;
import dev.gavel.web.console.sep.RequirementTextFormatter;
import dev.gavel.web.console.sep.SepActionPaths;
import dev.gavel.web.console.sep.action.SepActionForm.FieldGroup;
import dev.gavel.web.console.sep.action.SepActionForm.RequirementStatus;
import dev.gavel.web.console.sep.action.SepFormField.Choice;
import dev.gavel.web.console.sep.action.SepFormField.Control;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Builds the form for an action on a SEP, such as a move or a vote, from the SEP service's answers about that SEP.
 * Immutable.
 *
 * @param show the SEP service's answer to {@code show}
 * @param explain the SEP service's answer to {@code explain}
 * @param maintainers the SEP service's answer to {@code maintainers}; empty if the form names no person
 * @param processDefinition the process that the SEP follows, which defines the kinds of evidence
 */
public record SepActionFormBuilder(Json show, Json explain, Json maintainers, ProcessDefinition processDefinition) {
    static final String EVIDENCE = "evidence.";
    private static final String REASON = "reason";

    /**
     * Builds a form.
     *
     * @param to the target state of a move; empty for all other actions
     * @param document the hash of the document that the user has read
     * @param typed the values entered before, by field name
     */
    public SepActionForm build(SepOperation sepOperation, String to, String document, Map<String, String> typed) {
        FormDraft draft = switch (sepOperation) {
            case MOVE -> move(to);
            case COMMENT ->
                draft(
                                text(
                                        "Everyone who can read this {proposal} sees your comment. It becomes part of the {proposal}'s history."))
                        .field(SepFormField.of("text", "Your comment", Control.AREA)
                                .asRequired());
            case VOTE -> vote();
            case CONFIRM -> confirm();
            case SPONSOR -> sponsor();
            case STEP_DOWN ->
                draft(text("When you step down, the {proposal} keeps its state and waits for a new sponsor."));
            case ASK ->
                draft(text("The {proposal} stays in the person's inbox until the person acts on it."))
                        .field(person("whom", "Person to ask"))
                        .field(
                                SepFormField.of("question", "Question", Control.AREA)
                                        .withHint(
                                                text(
                                                        "Optional. Without a question, the person is asked to look at the {proposal}.")));
            case ATTACH -> attach();
            case HOLD ->
                draft(text("All votes stay valid. The {proposal} cannot be decided until the decision is resumed."))
                        .field(reason("Reason").asRequired());
            case RELEASE ->
                draft(text("The {proposal} can be decided again. All votes still count."))
                        .field(reason("Reason").withHint("Optional."));
            case WITHDRAW ->
                draft(
                                text(
                                        "This closes the {proposal} permanently. To propose the idea again, submit a new {proposal}."))
                        .field(reason("Reason").asRequired());
            case SUPERSEDE ->
                draft(text(
                                        "This closes the {proposal} permanently, because another {proposal} replaces it. The preamble of the"
                                                + " other {proposal} must contain 'Supersedes: ")
                                + number() + "'.")
                        .field(SepFormField.of("by", text("Number of the {proposal} that replaces it"), Control.NUMBER)
                                .asRequired())
                        .field(reason("Reason").withHint("Optional."));
            case TRANSFER ->
                draft(text("The person that you name becomes an author of this {proposal}."))
                        .field(person("to", "New author"))
                        .field(SepFormField.of("leave", "Remove me as an author", Control.CHECK));
            default -> throw new IllegalArgumentException(sepOperation + " has no form");
        };
        return draft.build(sepOperation, to, document, typed);
    }

    private long number() {
        return show.at("number").asLong(0);
    }

    private String text(String template) {
        return processDefinition.terms().text(template);
    }

    private FormDraft draft(String says) {
        return new FormDraft(says);
    }

    /** A form that is being built. */
    private final class FormDraft {
        private String explanation;
        private final List<RequirementStatus> requirements = new ArrayList<>();
        private final List<FieldGroup> groups = new ArrayList<>();
        private boolean possible = true;
        private boolean endsSep;

        FormDraft(String says) {
            this.explanation = says;
        }

        FormDraft field(SepFormField field) {
            groups.add(FieldGroup.of(field));
            return this;
        }

        SepActionForm build(SepOperation sepOperation, String to, String document, Map<String, String> typed) {
            String name = SepActionPaths.label(sepOperation, to, processDefinition.terms());
            String title = SafeText.line(show.at("title").text());
            List<FieldGroup> filled = groups.stream()
                    .map(group -> new FieldGroup(
                            group.legend(),
                            group.fields().stream()
                                    .map(field -> field.withValue(typed.getOrDefault(field.name(), field.value())))
                                    .toList()))
                    .toList();
            return new SepActionForm(
                    (int) number(),
                    title,
                    SafeText.line(show.at("status").text()),
                    sepOperation,
                    SepActionPaths.withDocument(
                            sepOperation == SepOperation.MOVE
                                    ? SepActionPaths.movePath(number(), to)
                                    : SepActionPaths.actionPath(number(), sepOperation),
                            sepOperation,
                            document),
                    name,
                    explanation,
                    requirements,
                    filled,
                    possible ? Optional.of(name) : Optional.empty(),
                    endsSep || sepOperation == SepOperation.WITHDRAW || sepOperation == SepOperation.SUPERSEDE,
                    Optional.empty());
        }
    }

    private static SepFormField reason(String label) {
        return SepFormField.of(REASON, label, Control.AREA);
    }

    /** A field for a person, with the maintainers as suggestions. */
    private SepFormField person(String name, String label) {
        List<Choice> known = maintainers.at("maintainers").elements().stream()
                .map(each -> new Choice(
                        SafeText.line(each.at("id").text()),
                        SafeText.line(each.at("name").text() + ", "
                                + String.join(", ", each.at("roles").texts()) + ", sponsors "
                                + processDefinition
                                        .terms()
                                        .count(each.at("load").asLong(0)))))
                .toList();
        return SepFormField.of(name, label, Control.PERSON)
                .asRequired()
                .withChoices(known)
                .withHint(known.isEmpty() ? "An identity name or a handle." : "A name or a handle.");
    }

    private FormDraft vote() {
        String tally = show.at("tally").at("says").text();
        return draft(text(
                                "You can change your vote by voting again. A concern blocks the {proposal} until it is resolved.")
                        + (tally.isEmpty()
                                ? ""
                                : " Current tally: " + SafeText.line(RequirementTextFormatter.describeTally(tally))
                                        + "."))
                .field(SepFormField.of("ballot", "Your vote", Control.PILLS)
                        .asRequired()
                        .withChoices(List.of(
                                new Choice("yes", "Yes"),
                                new Choice("no", "No"),
                                new Choice("abstain", "Abstain"),
                                new Choice("concern", "Concern"),
                                new Choice("recuse", "Recuse myself"))))
                .field(reason("Reason").withHint("Required for a concern, otherwise optional."));
    }

    private FormDraft confirm() {
        List<Choice> choices = explain.at("youMayConfirm").elements().stream()
                .map(piece -> new Choice(
                        piece.at("kind").text() + "=" + piece.at("value").text(),
                        capitalize(SafeText.line(piece.at("says").text())) + " of "
                                + personName(piece.at("by").text()) + ": "
                                + SafeText.line(EnglishTextFormatter.joinLines(
                                        piece.at("value").text()))))
                .toList();
        FormDraft draft =
                draft("This evidence counts only after a second person has confirmed it. Read the document first.");
        if (choices.isEmpty()) {
            draft.explanation = "There is no evidence that you can confirm now.";
            draft.possible = false;
            return draft;
        }
        return draft.field(SepFormField.of("confirmed", "Evidence", Control.PILLS)
                .asRequired()
                .withChoices(choices)
                .withValue(choices.size() == 1 ? choices.getFirst().value() : ""));
    }

    private String personName(String id) {
        return SafeText.line(explain.at("names").at(id).asText().orElse(id));
    }

    private FormDraft sponsor() {
        String moves = explain.at("moves").elements().stream()
                .filter(move -> move.at("verb").text().equals(SepOperation.SPONSOR.wireName()))
                .findFirst()
                .map(move -> text(", and the {proposal} moves to ")
                        + SafeText.line(move.at("to").text()))
                .orElse("");
        return draft(
                text("You become the sponsor of this {proposal}")
                        + moves
                        + text(
                                ". A sponsor helps the author and moves the {proposal} on when it is ready. You can step down later."));
    }

    private FormDraft attach() {
        List<Choice> kinds = explain.at("youMayAttach").elements().stream()
                .map(kind -> new Choice(
                        kind.at("kind").text(),
                        label(kind.at("kind").text(), kind.at("says").text())))
                .toList();
        FormDraft draft =
                draft(text("The evidence stays with the {proposal} and counts for the moves that require it."));
        if (kinds.isEmpty()) {
            draft.explanation = text("There is no evidence that you can attach to this {proposal} now.");
            draft.possible = false;
            return draft;
        }
        return draft.field(SepFormField.of("kind", "Kind of evidence", Control.LIST)
                        .asRequired()
                        .withChoices(kinds))
                .field(SepFormField.of("value", "Link or text", Control.LINE).asRequired());
    }

    /** Describes a kind of evidence and how it is given. */
    private String label(String kind, String says) {
        EvidenceDefinition known = processDefinition.evidence().get(kind);
        return capitalize(SafeText.line(says))
                + (known == null ? "" : " (" + RequirementTextFormatter.describeForm(known) + ")");
    }

    private FormDraft move(String to) {
        Optional<Json> found = explain.at("moves").elements().stream()
                .filter(move -> move.at("to").text().equals(to))
                .findFirst();
        if (found.isEmpty()) {
            FormDraft none =
                    draft("Cannot move from " + SafeText.line(show.at("status").text()) + " to " + SafeText.line(to)
                            + ": the process has no such move.");
            none.possible = false;
            return none;
        }
        Json move = found.get();
        FormDraft draft = draft(meaning(move));
        draft.endsSep = move.at("end").isTrue();
        if (!move.at("youMay").isTrue() || move.at("barred").isPresent()) {
            draft.explanation = SafeText.lines(
                    move.at("barred").isPresent() || !move.at("who").isPresent()
                            ? move.at("says").text()
                            : "Only " + move.at("who").text() + text(" can move this {proposal} to ") + to + ".");
            draft.possible = false;
        }
        boolean words = false;
        for (Json requirement : move.at("requirements").elements()) {
            List<EvidenceDefinition> kinds = requirement.at("kinds").texts().stream()
                    .filter(processDefinition.evidence()::containsKey)
                    .map(processDefinition::evidenceKind)
                    // Evidence that another person must confirm counts only if it was attached before the move.
                    .filter(kind -> kind.confirmingRole().isEmpty())
                    .toList();
            if (requirement.at("met").isTrue() || kinds.isEmpty() || !draft.possible) {
                draft.requirements.add(new RequirementStatus(
                        capitalize(requirement.at("says").text()),
                        requirement.at("met").isTrue(),
                        RequirementTextFormatter.describe(requirement, processDefinition)));
            } else {
                draft.groups.add(group(requirement.at("says").text(), kinds));
                words |= kinds.stream().anyMatch(kind -> kind.format() == EvidenceDefinition.Format.TEXT);
            }
        }
        if (draft.possible && !words && processDefinition.evidence().containsKey(REASON)) {
            draft.field(reason("Reason").withHint("Optional."));
        }
        return draft;
    }

    private String meaning(Json move) {
        String from = SafeText.line(show.at("status").text());
        String to = move.at("to").text();
        return move.at("end").isTrue()
                ? text("The {proposal} moves from ") + from + " to " + to
                        + text(". This closes the {proposal} permanently.")
                : text("The {proposal} moves from ") + from + " to " + to + ".";
    }

    /**
     * Creates the fields for one requirement. If a reason satisfies it, the form asks for the reason under the
     * requirement's own text.
     */
    private static FieldGroup group(String says, List<EvidenceDefinition> kinds) {
        if (kinds.stream().anyMatch(kind -> kind.name().equals(REASON))) {
            return FieldGroup.of(SepFormField.of(EVIDENCE + REASON, capitalize(says), Control.AREA));
        }
        if (kinds.size() == 1) {
            return FieldGroup.of(evidence(kinds.getFirst(), capitalize(says)));
        }
        return new FieldGroup(
                capitalize(says),
                kinds.stream()
                        .map(kind -> evidence(kind, capitalize(kind.description())))
                        .toList());
    }

    private static SepFormField evidence(EvidenceDefinition kind, String label) {
        String name = EVIDENCE + kind.name();
        return switch (kind.format()) {
            case LINK ->
                SepFormField.of(name, label, Control.LINK).withHint("A URL that starts with https:// or http://.");
            case DATE -> SepFormField.of(name, label, Control.DATE);
            case DECISION ->
                SepFormField.of(name, label, Control.AREA)
                        .withHint("The state for which it decides, a colon and text.");
            case TEXT, TALLY, LOST_TALLY -> SepFormField.of(name, label, Control.AREA);
        };
    }

    static String capitalize(String words) {
        return words.isEmpty() ? words : words.substring(0, 1).toUpperCase(java.util.Locale.ROOT) + words.substring(1);
    }
}
