package dev.gavel.web.console.sep.action;

import dev.gavel.lifecycle.process.EvidenceDefinition;
import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import dev.gavel.sep.service.SepOperation;
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
     * @param typed the values entered before, by field name
     */
    public SepActionForm build(SepOperation sepOperation, String to, Map<String, String> typed) {
        FormDraft draft = switch (sepOperation) {
            case MOVE -> move(to);
            case COMMENT ->
                draft("Everybody who follows the SEP sees it, and it stays in its history.")
                        .field(SepFormField.of("text", "What you want to say", Control.AREA)
                                .asRequired());
            case VOTE -> vote();
            case SPONSOR -> sponsor();
            case STEP_DOWN ->
                draft(
                        "You are its sponsor no longer. It stays where it is, and is offered to all who could sponsor it.");
            case ASK ->
                draft("They find it in their inbox, and it waits for them until they do something about it.")
                        .field(person("whom", "Whom to ask"))
                        .field(SepFormField.of("question", "What to ask them", Control.AREA)
                                .withHint("May be empty: then they are asked to look at it."));
            case ATTACH -> attach();
            case HOLD ->
                draft("The decision is parked: votes stay, and nothing is decided until it is taken up again.")
                        .field(reason("Why it is to wait").asRequired());
            case RELEASE ->
                draft("The decision goes on where it was; every vote still counts.")
                        .field(reason("A word about it").withHint("May be empty."));
            case WITHDRAW ->
                draft("This ends the SEP. It cannot be taken up again; the idea can come back only as a new SEP.")
                        .field(reason("Why it is withdrawn").asRequired());
            case SUPERSEDE ->
                draft("This ends the SEP: another takes its place. The other one's document must say 'Supersedes: "
                                + number() + "' in its preamble.")
                        .field(SepFormField.of("by", "The number of the SEP that takes its place", Control.NUMBER)
                                .asRequired())
                        .field(reason("Why").withHint("May be empty."));
            case TRANSFER ->
                draft("Whoever you hand it on to becomes its author.")
                        .field(person("to", "Whose it is to be"))
                        .field(SepFormField.of("leave", "I leave: I am not to be an author any more", Control.CHECK));
            default -> throw new IllegalArgumentException(sepOperation + " has no form");
        };
        return draft.build(sepOperation, to, typed);
    }

    private long number() {
        return show.at("number").asLong(0);
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

        SepActionForm build(SepOperation sepOperation, String to, Map<String, String> typed) {
            String name = SepActionPaths.label(sepOperation, to);
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
                    sepOperation == SepOperation.MOVE
                            ? SepActionPaths.movePath(number(), to)
                            : SepActionPaths.actionPath(number(), sepOperation),
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
                                + each.at("load").raw())))
                .toList();
        return SepFormField.of(name, label, Control.PERSON)
                .asRequired()
                .withChoices(known)
                .withHint(known.isEmpty() ? "By the name they sign in with, or a handle." : "By name or handle.");
    }

    private FormDraft vote() {
        String tally = show.at("tally").at("says").text();
        return draft("Your vote counts until you vote anew. A concern stops the SEP until it is settled."
                        + (tally.isEmpty()
                                ? ""
                                : " Now " + SafeText.line(RequirementTextFormatter.describeTally(tally)) + "."))
                .field(SepFormField.of("ballot", "Your vote", Control.PILLS)
                        .asRequired()
                        .withChoices(List.of(
                                new Choice("yes", "Yes"),
                                new Choice("no", "No"),
                                new Choice("abstain", "Abstain"),
                                new Choice("concern", "Concern"))))
                .field(reason("Why").withHint("A concern needs it, so that it can be settled; else it may be empty."));
    }

    private FormDraft sponsor() {
        String moves = explain.at("moves").elements().stream()
                .filter(move -> move.at("verb").text().equals(SepOperation.SPONSOR.wireName()))
                .findFirst()
                .map(move -> ", and it moves to " + SafeText.line(move.at("to").text()))
                .orElse("");
        return draft("You become its sponsor" + moves
                + ": you help its author, and bring it on when it is ready. You can step down again.");
    }

    private FormDraft attach() {
        List<Choice> kinds = explain.at("youMayAttach").elements().stream()
                .map(kind -> new Choice(
                        kind.at("kind").text(),
                        label(kind.at("kind").text(), kind.at("says").text())))
                .toList();
        FormDraft draft = draft("It stays with the SEP, for every move that needs it.");
        if (kinds.isEmpty()) {
            draft.explanation = "There is no evidence that you could attach to this SEP now.";
            draft.possible = false;
            return draft;
        }
        return draft.field(SepFormField.of("kind", "What it is", Control.LIST)
                        .asRequired()
                        .withChoices(kinds))
                .field(SepFormField.of("value", "The link, or the words", Control.LINE)
                        .asRequired());
    }

    /** Describes a kind of evidence and how it is given. */
    private String label(String kind, String says) {
        EvidenceDefinition known = processDefinition.evidence().get(kind);
        return capitalize(SafeText.line(says))
                + (known == null ? "" : ", " + RequirementTextFormatter.describeForm(known));
    }

    private FormDraft move(String to) {
        Optional<Json> found = explain.at("moves").elements().stream()
                .filter(move -> move.at("to").text().equals(to))
                .findFirst();
        if (found.isEmpty()) {
            FormDraft none = draft("It is " + SafeText.line(show.at("status").text())
                    + " now, and no move leads from there to " + SafeText.line(to) + ".");
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
                            : "Only " + move.at("who").text() + " may move it to " + to + ".");
            draft.possible = false;
        }
        boolean words = false;
        for (Json requirement : move.at("requirements").elements()) {
            List<EvidenceDefinition> kinds = requirement.at("kinds").texts().stream()
                    .filter(processDefinition.evidence()::containsKey)
                    .map(processDefinition::evidenceKind)
                    .toList();
            if (requirement.at("met").isTrue() || kinds.isEmpty() || !draft.possible) {
                draft.requirements.add(new RequirementStatus(
                        requirement.at("says").text(),
                        requirement.at("met").isTrue(),
                        RequirementTextFormatter.describe(requirement, processDefinition)));
            } else {
                draft.groups.add(group(requirement.at("says").text(), kinds));
                words |= kinds.stream().anyMatch(kind -> kind.format() == EvidenceDefinition.Format.TEXT);
            }
        }
        if (draft.possible && !words && processDefinition.evidence().containsKey(REASON)) {
            draft.field(reason("A word about it").withHint("May be empty."));
        }
        return draft;
    }

    private String meaning(Json move) {
        String from = SafeText.line(show.at("status").text());
        String to = move.at("to").text();
        return move.at("end").isTrue()
                ? "It is " + from + " now. This ends the SEP: nothing moves on from " + to + "."
                : "It is " + from + " now, and will be " + to + ".";
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
                SepFormField.of(name, label, Control.LINK).withHint("An address that begins with https:// or http://");
            case DATE -> SepFormField.of(name, label, Control.DATE);
            case TEXT, TALLY -> SepFormField.of(name, label, Control.AREA);
        };
    }

    static String capitalize(String words) {
        return words.isEmpty() ? words : words.substring(0, 1).toUpperCase(java.util.Locale.ROOT) + words.substring(1);
    }
}
