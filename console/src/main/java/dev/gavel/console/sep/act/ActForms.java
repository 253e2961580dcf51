package dev.gavel.console.sep.act;

import dev.gavel.console.sep.Accepted;
import dev.gavel.console.sep.act.ActForm.Group;
import dev.gavel.console.sep.act.ActForm.Tick;
import dev.gavel.console.sep.act.Field.Choice;
import dev.gavel.console.sep.act.Field.Control;
import dev.gavel.lifecycle.process.EvidenceKind;
import dev.gavel.lifecycle.process.Process;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import dev.gavel.sep.desk.Verb;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Makes the forms for what can be done with one SEP, of what the desk says of it to whoever is to fill them in. Immutable.
 *
 * @param show what the desk answered to 'show'
 * @param explain what it answered to 'explain'
 * @param people what it answered to 'maintainers'; empty where nobody is to be named
 * @param process the rules it lives by, which say what each kind of evidence is
 */
public record ActForms(Json show, Json explain, Json people, Process process) {
    static final String EVIDENCE = "evidence.";
    private static final String REASON = "reason";

    /**
     * A form.
     *
     * @param to where a move leads; empty where it is none
     * @param typed what was filled in before, by its name
     */
    public ActForm form(Verb verb, String to, Map<String, String> typed) {
        Draft draft = switch (verb) {
            case MOVE -> move(to);
            case COMMENT ->
                draft("Everybody who follows the SEP sees it, and it stays in its history.")
                        .field(Field.of("text", "What you want to say", Control.AREA)
                                .must());
            case VOTE -> vote();
            case SPONSOR -> sponsor();
            case STEP_DOWN ->
                draft(
                        "You are its sponsor no longer. It stays where it is, and is offered to all who could sponsor it.");
            case ASK ->
                draft("They find it in their inbox, and it waits for them until they do something about it.")
                        .field(person("whom", "Whom to ask"))
                        .field(Field.of("question", "What to ask them", Control.AREA)
                                .hinted("May be empty: then they are asked to look at it."));
            case ATTACH -> attach();
            case HOLD ->
                draft("The decision is parked: votes stay, and nothing is decided until it is taken up again.")
                        .field(reason("Why it is to wait").must());
            case RELEASE ->
                draft("The decision goes on where it was; every vote still counts.")
                        .field(reason("A word about it").hinted("May be empty."));
            case WITHDRAW ->
                draft("This ends the SEP. It cannot be taken up again; the idea can come back only as a new SEP.")
                        .field(reason("Why it is withdrawn").must());
            case SUPERSEDE ->
                draft("This ends the SEP: another takes its place. The other one's document must say 'Supersedes: "
                                + number() + "' in its preamble.")
                        .field(Field.of("by", "The number of the SEP that takes its place", Control.NUMBER)
                                .must())
                        .field(reason("Why").hinted("May be empty."));
            case TRANSFER ->
                draft("Whoever you hand it on to becomes its author.")
                        .field(person("to", "Whose it is to be"))
                        .field(Field.of("leave", "I leave: I am not to be an author any more", Control.CHECK));
            default -> throw new IllegalArgumentException(verb + " has no form");
        };
        return draft.form(verb, to, typed);
    }

    private long number() {
        return show.at("number").number(0);
    }

    private Draft draft(String says) {
        return new Draft(says);
    }

    /** A form that is being put together. */
    private final class Draft {
        private String says;
        private final List<Tick> ticks = new ArrayList<>();
        private final List<Group> groups = new ArrayList<>();
        private boolean possible = true;
        private boolean end;

        Draft(String says) {
            this.says = says;
        }

        Draft field(Field field) {
            groups.add(Group.of(field));
            return this;
        }

        ActForm form(Verb verb, String to, Map<String, String> typed) {
            String name = Acts.name(verb, to);
            String title = SafeText.line(show.at("title").text());
            List<Group> filled = groups.stream()
                    .map(group -> new Group(
                            group.legend(),
                            group.fields().stream()
                                    .map(field -> field.with(typed.getOrDefault(field.name(), field.value())))
                                    .toList()))
                    .toList();
            return new ActForm(
                    (int) number(),
                    title,
                    SafeText.line(show.at("status").text()),
                    verb,
                    verb == Verb.MOVE ? Acts.move(number(), to) : Acts.path(number(), verb),
                    name,
                    says,
                    ticks,
                    filled,
                    possible ? Optional.of(name) : Optional.empty(),
                    end || verb == Verb.WITHDRAW || verb == Verb.SUPERSEDE,
                    Optional.empty());
        }
    }

    private static Field reason(String label) {
        return Field.of(REASON, label, Control.AREA);
    }

    /** Somebody, with those who look after SEPs to be reminded of. */
    private Field person(String name, String label) {
        List<Choice> known = people.at("maintainers").elements().stream()
                .map(each -> new Choice(
                        SafeText.line(each.at("id").text()),
                        SafeText.line(each.at("name").text() + ", "
                                + String.join(", ", each.at("roles").texts()) + ", sponsors "
                                + each.at("load").raw())))
                .toList();
        return Field.of(name, label, Control.PERSON)
                .must()
                .among(known)
                .hinted(known.isEmpty() ? "By the name they sign in with, or a handle." : "By name or handle.");
    }

    private Draft vote() {
        String tally = show.at("tally").at("says").text();
        return draft("Your vote counts until you vote anew. A concern stops the SEP until it is settled."
                        + (tally.isEmpty() ? "" : " Now " + SafeText.line(Accepted.tally(tally)) + "."))
                .field(Field.of("ballot", "Your vote", Control.PILLS)
                        .must()
                        .among(List.of(
                                new Choice("yes", "Yes"),
                                new Choice("no", "No"),
                                new Choice("abstain", "Abstain"),
                                new Choice("concern", "Concern"))))
                .field(reason("Why").hinted("A concern needs it, so that it can be settled; else it may be empty."));
    }

    private Draft sponsor() {
        String moves = explain.at("moves").elements().stream()
                .filter(move -> move.at("verb").text().equals(Verb.SPONSOR.word()))
                .findFirst()
                .map(move -> ", and it moves to " + SafeText.line(move.at("to").text()))
                .orElse("");
        return draft("You become its sponsor" + moves
                + ": you help its author, and bring it on when it is ready. You can step down again.");
    }

    private Draft attach() {
        List<Choice> kinds = explain.at("youMayAttach").elements().stream()
                .map(kind -> new Choice(
                        kind.at("kind").text(),
                        label(kind.at("kind").text(), kind.at("says").text())))
                .toList();
        Draft draft = draft("It stays with the SEP, for every move that needs it.");
        if (kinds.isEmpty()) {
            draft.says = "There is no evidence that you could attach to this SEP now.";
            draft.possible = false;
            return draft;
        }
        return draft.field(Field.of("kind", "What it is", Control.LIST).must().among(kinds))
                .field(Field.of("value", "The link, or the words", Control.LINE).must());
    }

    /** What a kind of evidence is, and how it is given. */
    private String label(String kind, String says) {
        EvidenceKind known = process.evidence().get(kind);
        return capital(SafeText.line(says)) + (known == null ? "" : ", " + Accepted.form(known));
    }

    private Draft move(String to) {
        Optional<Json> found = explain.at("moves").elements().stream()
                .filter(move -> move.at("to").text().equals(to))
                .findFirst();
        if (found.isEmpty()) {
            Draft none = draft("It is " + SafeText.line(show.at("status").text())
                    + " now, and no move leads from there to " + SafeText.line(to) + ".");
            none.possible = false;
            return none;
        }
        Json move = found.get();
        Draft draft = draft(meaning(move));
        draft.end = move.at("end").isTrue();
        if (!move.at("youMay").isTrue() || move.at("barred").there()) {
            draft.says = SafeText.lines(
                    move.at("barred").there() || !move.at("who").there()
                            ? move.at("says").text()
                            : "Only " + move.at("who").text() + " may move it to " + to + ".");
            draft.possible = false;
        }
        boolean words = false;
        for (Json requirement : move.at("requirements").elements()) {
            List<EvidenceKind> kinds = requirement.at("kinds").texts().stream()
                    .filter(process.evidence()::containsKey)
                    .map(process::kind)
                    .toList();
            if (requirement.at("met").isTrue() || kinds.isEmpty() || !draft.possible) {
                draft.ticks.add(new Tick(
                        requirement.at("says").text(),
                        requirement.at("met").isTrue(),
                        Accepted.words(requirement, process)));
            } else {
                draft.groups.add(group(requirement.at("says").text(), kinds));
                words |= kinds.stream().anyMatch(kind -> kind.form() == EvidenceKind.Form.TEXT);
            }
        }
        if (draft.possible && !words && process.evidence().containsKey(REASON)) {
            draft.field(reason("A word about it").hinted("May be empty."));
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

    /** What is asked for one need. Where a reason would do it is asked for as what the need is called. */
    private static Group group(String says, List<EvidenceKind> kinds) {
        if (kinds.stream().anyMatch(kind -> kind.name().equals(REASON))) {
            return Group.of(Field.of(EVIDENCE + REASON, capital(says), Control.AREA));
        }
        if (kinds.size() == 1) {
            return Group.of(evidence(kinds.getFirst(), capital(says)));
        }
        return new Group(
                capital(says),
                kinds.stream().map(kind -> evidence(kind, capital(kind.says()))).toList());
    }

    private static Field evidence(EvidenceKind kind, String label) {
        String name = EVIDENCE + kind.name();
        return switch (kind.form()) {
            case LINK -> Field.of(name, label, Control.LINK).hinted("An address that begins with https:// or http://");
            case DATE -> Field.of(name, label, Control.DATE);
            case TEXT, TALLY -> Field.of(name, label, Control.AREA);
        };
    }

    static String capital(String words) {
        return words.isEmpty() ? words : words.substring(0, 1).toUpperCase(java.util.Locale.ROOT) + words.substring(1);
    }
}
