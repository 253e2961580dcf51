package dev.gavel.sep.desk;

import dev.gavel.lifecycle.Circumstances;
import dev.gavel.lifecycle.Command;
import dev.gavel.lifecycle.Lifecycle;
import dev.gavel.lifecycle.answer.Requirement;
import dev.gavel.lifecycle.history.Ballot;
import dev.gavel.lifecycle.history.Event;
import dev.gavel.lifecycle.history.Evidence;
import dev.gavel.lifecycle.people.Actor;
import dev.gavel.lifecycle.people.Person;
import dev.gavel.lifecycle.process.EvidenceKind;
import dev.gavel.lifecycle.process.Move;
import dev.gavel.lifecycle.process.Need;
import dev.gavel.lifecycle.process.Process;
import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.Sep;
import dev.gavel.sep.kept.Line;
import dev.gavel.yaml.Nearest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Turns what somebody asks of a proposal into a command of its process. Knows words of the desk (a reason, a date to
 * revisit, a successor), and none of any one process.
 */
record Orders(Lifecycle lifecycle, Roster roster) {
    static final int LONGEST_TEXT = 20_000;
    static final int LONGEST_VALUE = 4_000;
    private static final int MOST_EVIDENCE = 20;

    private static final String REASON = "reason";
    private static final String REVISIT = "revisit";
    private static final String TRIGGER = "trigger";

    /** It cannot be understood; the message says why. */
    static final class Misunderstood extends Exception {
        private static final long serialVersionUID = 1L;

        Misunderstood(String message) {
            super(message);
        }
    }

    /** The evidence that comes with what is asked, before a reason finds its place. */
    List<Evidence> evidence(Verb verb, Json arguments) throws Misunderstood {
        List<Evidence> given = new ArrayList<>();
        for (var entry : arguments.at("evidence").members().entrySet()) {
            List<String> values = entry.getValue().type() == Json.Type.ARRAY
                    ? entry.getValue().texts()
                    : List.of(entry.getValue().text());
            for (String value : values) {
                if (given.size() == MOST_EVIDENCE) {
                    throw new Misunderstood("no more than " + MOST_EVIDENCE + " pieces of evidence at once");
                }
                given.add(evidence(entry.getKey().strip().toLowerCase(Locale.ROOT), value));
            }
        }
        if (verb == Verb.MOVE) {
            for (String kind : List.of(REVISIT, TRIGGER)) {
                Optional<String> said = arguments.at(kind).ifText();
                if (said.isPresent()) {
                    given.add(evidence(kind, said.get()));
                }
            }
        }
        if (verb == Verb.SUPERSEDE) {
            given.add(evidence(Facts.SUCCESSOR, arguments.at("by").raw()));
        }
        return given;
    }

    private static Evidence evidence(String kind, String value) throws Misunderstood {
        if (kind.isBlank() || value.isBlank()) {
            throw new Misunderstood("evidence needs a kind and a value, as in prototype=https://example.org/code");
        }
        bounded(kind, value, LONGEST_VALUE);
        return new Evidence(kind, value.strip());
    }

    private static void bounded(String what, String text, int longest) throws Misunderstood {
        if (text.length() > longest) {
            throw new Misunderstood("'" + what + "' is longer than " + longest + " characters");
        }
    }

    /** The command for what is asked. */
    Command command(
            Verb verb, Json arguments, Sep sep, Actor by, List<Evidence> given, Circumstances known, Instant now)
            throws Misunderstood {
        String reason = arguments.at(REASON).text();
        bounded(REASON, reason, LONGEST_VALUE);
        Process process = lifecycle.process();
        return switch (verb) {
            case ASK -> {
                Person whom = person(arguments.at("whom").text());
                unasked(sep, by, whom);
                yield new Command.Ask(by, whom, text(arguments, "question"));
            }
            case SPONSOR -> new Command.Take(by, sponsorRole(), List.of());
            case STEP_DOWN -> new Command.StepDown(by, role(arguments, sponsorRole()));
            case MOVE -> {
                String to = arguments.at("to").text().strip();
                yield new Command.MoveTo(by, to, withReason(sep, by, to, given, reason, known, now));
            }
            case COMMENT -> new Command.Comment(by, text(arguments, "text"));
            case ATTACH -> new Command.Attach(by, given);
            case VOTE -> new Command.Vote(by, ballot(arguments.at("ballot").text()), reason);
            case HOLD -> new Command.Hold(by, reason);
            case RELEASE -> new Command.Release(by, reason);
            case WITHDRAW -> {
                String to = there(withdrawn(process), "nobody withdraws anything", process);
                yield new Command.MoveTo(by, to, withReason(sep, by, to, given, reason, known, now));
            }
            case SUPERSEDE -> {
                String to = there(superseded(process), "nothing is superseded", process);
                yield new Command.MoveTo(by, to, withReason(sep, by, to, given, reason, known, now));
            }
            case TRANSFER ->
                new Command.Transfer(
                        by,
                        role(arguments, process.proposer().name()),
                        person(arguments.at("to").text()),
                        !arguments.at("leave").isTrue());
            case SUBMIT,
                    EDIT,
                    LIST,
                    SHOW,
                    NEXT,
                    EXPLAIN,
                    INBOX,
                    TRIAGE,
                    MAINTAINERS,
                    SIMILAR,
                    HISTORY,
                    STATS,
                    SWEEP,
                    IMPORT,
                    EXPORT,
                    LINT -> throw new IllegalArgumentException(verb + " is no command about one proposal");
        };
    }

    private static String text(Json arguments, String name) throws Misunderstood {
        String text = arguments.at(name).text().strip();
        bounded(name, text, LONGEST_TEXT);
        return text;
    }

    private static String role(Json arguments, String usual) {
        return arguments.at("role").ifText().orElse(usual);
    }

    private String sponsorRole() throws Misunderstood {
        return Line.sponsorRole(lifecycle.process())
                .map(role -> role.name())
                .orElseThrow(() -> new Misunderstood("nobody sponsors anything in the process "
                        + lifecycle.process().name()));
    }

    private Person person(String handle) throws Misunderstood {
        Optional<People.Known> known = roster.known(handle.strip());
        if (known.isEmpty()) {
            throw new Misunderstood("nobody here is called '" + handle.strip() + "'"
                    + Nearest.to(handle.strip(), roster.names())
                            .map(near -> "; did you mean '" + near + "'?")
                            .orElse("; 'maintainers' lists who can help"));
        }
        return new Person(known.get().id());
    }

    /** Somebody who has not answered yet is not asked again by the same person: reminding is the sweeps' part. */
    private static void unasked(Sep sep, Actor by, Person whom) throws Misunderstood {
        for (Event.Asked asked : sep.standing().activity().asked()) {
            if (asked.whom().equals(whom) && asked.by().person().equals(by.person())) {
                throw new Misunderstood("you have asked " + whom.login() + " already, on " + Views.date(asked.at())
                        + "; wait for the answer");
            }
        }
    }

    private static Ballot ballot(String word) throws Misunderstood {
        for (Ballot ballot : Ballot.values()) {
            if (ballot.name().equalsIgnoreCase(word.strip())) {
                return ballot;
            }
        }
        throw new Misunderstood("'" + word + "' is no vote; say yes, no, abstain or concern");
    }

    /** The end that those whose proposal it is can bring it to. */
    static Optional<String> withdrawn(Process process) {
        String role = process.proposer().name();
        return process.moves().stream()
                .filter(move ->
                        move.who().contains(role) && process.state(move.to()).end())
                .map(Move::to)
                .findFirst();
    }

    /** The state of what another took the place of. */
    static Optional<String> superseded(Process process) {
        return process.moves().stream()
                .filter(move -> move.needs().stream().flatMap(Need::kinds).anyMatch(Facts.SUCCESSOR::equals))
                .map(Move::to)
                .findFirst();
    }

    private static String there(Optional<String> state, String otherwise, Process process) throws Misunderstood {
        return state.orElseThrow(() -> new Misunderstood(otherwise + " in the process " + process.name()));
    }

    /**
     * A reason is whatever the move wants to hear: feedback, a review, a rationale. Where it asks for none, it goes with the
     * move as what it is.
     */
    private List<Evidence> withReason(
            Sep sep, Actor by, String to, List<Evidence> given, String reason, Circumstances known, Instant now) {
        if (reason.isBlank()) {
            return given;
        }
        List<Requirement> missing =
                lifecycle.explain(sep.history(), by, to, known, now).missing();
        Optional<String> kind = missing.stream()
                .filter(need -> given.stream().noneMatch(piece -> need.kinds().contains(piece.kind())))
                .filter(need -> !votedOn(sep, to, need.kinds()))
                .flatMap(need -> spoken(need.kinds()).stream())
                .findFirst()
                .or(() -> Optional.of(REASON)
                        .filter(usual -> lifecycle.process().evidence().containsKey(usual)));
        List<Evidence> all = new ArrayList<>(given);
        kind.ifPresent(found -> all.add(new Evidence(found, reason.strip())));
        return all;
    }

    /** A remark is not to stand in for a vote that was held; a decision taken otherwise has to be named as evidence. */
    private boolean votedOn(Sep sep, String to, List<String> kinds) {
        Process process = lifecycle.process();
        return !sep.standing().voting().ballots().isEmpty()
                && process.stateNamed(to).flatMap(state -> process.move(sep.state(), state)).stream()
                        .flatMap(move -> move.needs().stream())
                        .map(need -> need.kinds().toList())
                        // A tally cannot be given, so that no requirement names it: what is asked with it is told by
                        // the rest.
                        .filter(asked -> asked.stream()
                                .anyMatch(kind -> process.kind(kind).form() == EvidenceKind.Form.TALLY))
                        .anyMatch(asked -> !kinds.isEmpty() && asked.containsAll(kinds));
    }

    /** Of several kinds that would do, the one that is said with the move. */
    private Optional<String> spoken(List<String> kinds) {
        return kinds.contains(REASON)
                ? Optional.of(REASON)
                : kinds.stream()
                        .map(lifecycle.process()::kind)
                        .filter(kind -> kind.form() == EvidenceKind.Form.TEXT
                                && kind.lasts() == EvidenceKind.Lasts.MOVE
                                && !kind.name().equals(TRIGGER))
                        .map(EvidenceKind::name)
                        .findFirst();
    }
}
