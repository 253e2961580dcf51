package dev.gavel.sep.service;

import dev.gavel.lifecycle.ExternalFacts;
import dev.gavel.lifecycle.LifecycleCommand;
import dev.gavel.lifecycle.LifecycleEngine;
import dev.gavel.lifecycle.actor.Actor;
import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.history.BallotChoice;
import dev.gavel.lifecycle.history.Evidence;
import dev.gavel.lifecycle.history.LifecycleEvent;
import dev.gavel.lifecycle.process.EvidenceDefinition;
import dev.gavel.lifecycle.process.MoveDefinition;
import dev.gavel.lifecycle.process.MoveRequirement;
import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.lifecycle.result.RequirementStatus;
import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.Sep;
import dev.gavel.sep.store.SepSummary;
import dev.gavel.yaml.WordSuggester;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Translates the arguments of an operation on a SEP into a lifecycle command. It knows the arguments of the SEP service
 * (a reason, a date to revisit, a successor), but no particular process.
 */
record SepCommandParser(LifecycleEngine lifecycleEngine, PeopleResolver peopleResolver) {
    static final int MAX_TEXT_LENGTH = 20_000;
    static final int MAX_VALUE_LENGTH = 4_000;
    private static final int MAX_EVIDENCE = 20;

    private static final String REASON = "reason";
    private static final String REVISIT = "revisit";
    private static final String TRIGGER = "trigger";

    /** Thrown when arguments are invalid; the message says why. */
    static final class InvalidArgumentsException extends Exception {
        private static final long serialVersionUID = 1L;

        InvalidArgumentsException(String message) {
            super(message);
        }
    }

    /** Returns the evidence in the arguments. The reason is not included: {@link #toCommand} adds it. */
    List<Evidence> evidence(SepOperation sepOperation, Json arguments) throws InvalidArgumentsException {
        List<Evidence> offeredEvidence = new ArrayList<>();
        for (var entry : arguments.at("evidence").members().entrySet()) {
            List<String> values = entry.getValue().type() == Json.Type.ARRAY
                    ? entry.getValue().texts()
                    : List.of(entry.getValue().text());
            for (String value : values) {
                if (offeredEvidence.size() == MAX_EVIDENCE) {
                    throw new InvalidArgumentsException(
                            "at most " + MAX_EVIDENCE + " pieces of evidence are allowed at once");
                }
                offeredEvidence.add(evidence(entry.getKey().strip().toLowerCase(Locale.ROOT), value));
            }
        }
        if (sepOperation == SepOperation.MOVE) {
            for (String kind : List.of(REVISIT, TRIGGER)) {
                Optional<String> givenValue = arguments.at(kind).asText();
                if (givenValue.isPresent()) {
                    offeredEvidence.add(evidence(kind, givenValue.get()));
                }
            }
        }
        if (sepOperation == SepOperation.SUPERSEDE) {
            offeredEvidence.add(
                    evidence(SepFactEvaluator.SUCCESSOR, arguments.at("by").raw()));
        }
        return offeredEvidence;
    }

    private static Evidence evidence(String kind, String value) throws InvalidArgumentsException {
        if (kind.isBlank() || value.isBlank()) {
            throw new InvalidArgumentsException(
                    "evidence needs a kind and a value, as in prototype=https://example.org/code");
        }
        checkLength(kind, value, MAX_VALUE_LENGTH);
        return new Evidence(kind, value.strip());
    }

    private static void checkLength(String what, String text, int maxLength) throws InvalidArgumentsException {
        if (text.length() > maxLength) {
            throw new InvalidArgumentsException("'" + what + "' is longer than " + maxLength + " characters");
        }
    }

    /** Returns the command for an operation. */
    LifecycleCommand toCommand(
            SepOperation sepOperation,
            Json arguments,
            Sep sep,
            Actor actor,
            List<Evidence> offeredEvidence,
            ExternalFacts externalFacts,
            Instant now)
            throws InvalidArgumentsException {
        String reason = arguments.at(REASON).text();
        checkLength(REASON, reason, MAX_VALUE_LENGTH);
        ProcessDefinition processDefinition = lifecycleEngine.processDefinition();
        return switch (sepOperation) {
            case ASK -> {
                Person addressee = person(arguments.at("whom").text());
                checkNotAskedBefore(sep, actor, addressee);
                yield new LifecycleCommand.Ask(actor, addressee, text(arguments, "question"));
            }
            case SPONSOR -> new LifecycleCommand.TakeRole(actor, sponsorRole(), List.of());
            case STEP_DOWN -> new LifecycleCommand.StepDown(actor, role(arguments, sponsorRole()));
            case MOVE -> {
                String to = arguments.at("to").text().strip();
                yield new LifecycleCommand.MoveTo(
                        actor, to, withReason(sep, actor, to, offeredEvidence, reason, externalFacts, now));
            }
            case COMMENT -> new LifecycleCommand.Comment(actor, text(arguments, "text"));
            case ATTACH -> new LifecycleCommand.Attach(actor, offeredEvidence);
            case CONFIRM ->
                new LifecycleCommand.Confirm(
                        actor,
                        arguments.at("kind").text().strip().toLowerCase(Locale.ROOT),
                        arguments.at("value").asText());
            case VOTE ->
                new LifecycleCommand.Vote(actor, ballot(arguments.at("ballot").text()), reason);
            case HOLD -> new LifecycleCommand.Hold(actor, reason);
            case RELEASE -> new LifecycleCommand.Release(actor, reason);
            case WITHDRAW -> {
                String to = requireState(withdrawnState(processDefinition), "withdrawn", processDefinition);
                yield new LifecycleCommand.MoveTo(
                        actor, to, withReason(sep, actor, to, offeredEvidence, reason, externalFacts, now));
            }
            case SUPERSEDE -> {
                String to = requireState(supersededState(processDefinition), "superseded", processDefinition);
                yield new LifecycleCommand.MoveTo(
                        actor, to, withReason(sep, actor, to, offeredEvidence, reason, externalFacts, now));
            }
            case TRANSFER ->
                new LifecycleCommand.TransferRole(
                        actor,
                        role(arguments, processDefinition.proposerRole().name()),
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
                    DIFF,
                    STATS,
                    SWEEP,
                    IMPORT,
                    EXPORT,
                    LINT -> throw new IllegalArgumentException(sepOperation + " does not act on one proposal");
        };
    }

    private static String text(Json arguments, String name) throws InvalidArgumentsException {
        String text = arguments.at(name).text().strip();
        checkLength(name, text, MAX_TEXT_LENGTH);
        return text;
    }

    private static String role(Json arguments, String defaultRole) {
        return arguments.at("role").asText().orElse(defaultRole);
    }

    private String sponsorRole() throws InvalidArgumentsException {
        return SepSummary.sponsorRole(lifecycleEngine.processDefinition())
                .map(role -> role.name())
                .orElseThrow(() -> new InvalidArgumentsException(
                        lifecycleEngine.processDefinition().terms().plural() + " have no sponsor in the process "
                                + lifecycleEngine.processDefinition().name()));
    }

    private Person person(String handle) throws InvalidArgumentsException {
        Optional<PeopleDirectory.KnownPerson> knownPerson = peopleResolver.find(handle.strip());
        if (knownPerson.isEmpty()) {
            throw new InvalidArgumentsException("there is no person '" + handle.strip() + "'"
                    + WordSuggester.suggest(handle.strip(), peopleResolver.ids())
                            .map(near -> ". Did you mean '" + near + "'?")
                            .orElse(". 'gavel sep maintainers' lists the maintainers"));
        }
        return new Person(knownPerson.get().id());
    }

    /**
     * Refuses a second question to the same person by the same person while the first is unanswered, because sweeps
     * send the reminders.
     */
    private void checkNotAskedBefore(Sep sep, Actor actor, Person addressee) throws InvalidArgumentsException {
        for (LifecycleEvent.QuestionAsked kinds :
                sep.snapshot().lastActivityByPerson().openQuestions()) {
            if (kinds.addressee().equals(addressee) && kinds.by().person().equals(actor.person())) {
                throw new InvalidArgumentsException("you have already asked " + peopleResolver.name(addressee) + " on "
                        + SepJsonWriter.isoDate(kinds.at()) + "; wait for the answer");
            }
        }
    }

    private static BallotChoice ballot(String word) throws InvalidArgumentsException {
        for (BallotChoice ballotChoice : BallotChoice.values()) {
            if (ballotChoice.name().equalsIgnoreCase(word.strip())) {
                return ballotChoice;
            }
        }
        throw new InvalidArgumentsException(
                "'" + word + "' is not a valid vote; use yes, no, abstain, concern or recuse");
    }

    /** Returns the end state to which the proposers can move a SEP. */
    static Optional<String> withdrawnState(ProcessDefinition processDefinition) {
        String role = processDefinition.proposerRole().name();
        return processDefinition.moveDefinitions().stream()
                .filter(moveDefinition -> moveDefinition.allowedRoles().contains(role)
                        && processDefinition.state(moveDefinition.to()).isEnd())
                .map(MoveDefinition::to)
                .findFirst();
    }

    /** Returns the state of a SEP that was replaced by a successor. */
    static Optional<String> supersededState(ProcessDefinition processDefinition) {
        return processDefinition.moveDefinitions().stream()
                .filter(moveDefinition -> moveDefinition.requirements().stream()
                        .flatMap(MoveRequirement::evidenceKinds)
                        .anyMatch(SepFactEvaluator.SUCCESSOR::equals))
                .map(MoveDefinition::to)
                .findFirst();
    }

    private static String requireState(Optional<String> state, String outcome, ProcessDefinition processDefinition)
            throws InvalidArgumentsException {
        return state.orElseThrow(
                () -> new InvalidArgumentsException(processDefinition.terms().plural() + " cannot be " + outcome
                        + " in the process " + processDefinition.name()));
    }

    /**
     * Adds the reason as evidence of the text kind that the move requires, such as feedback, a review or a rationale.
     * If the move requires none, the reason is added as evidence of the kind {@code reason}, if the process has it.
     */
    private List<Evidence> withReason(
            Sep sep,
            Actor actor,
            String to,
            List<Evidence> offeredEvidence,
            String reason,
            ExternalFacts externalFacts,
            Instant now) {
        if (reason.isBlank()) {
            return offeredEvidence;
        }
        List<RequirementStatus> missing = lifecycleEngine
                .explain(sep.history(), actor, to, externalFacts, now)
                .unmetRequirements();
        Optional<String> kind = missing.stream()
                .filter(need -> offeredEvidence.stream()
                        .noneMatch(piece -> need.evidenceKinds().contains(piece.kind())))
                .filter(need -> !isAboutHeldVote(sep, to, need.evidenceKinds()))
                .flatMap(need -> textKind(need.evidenceKinds()).stream())
                .findFirst()
                .or(() -> Optional.of(REASON)
                        .filter(defaultRole ->
                                lifecycleEngine.processDefinition().evidence().containsKey(defaultRole)));
        List<Evidence> all = new ArrayList<>(offeredEvidence);
        kind.ifPresent(found -> all.add(new Evidence(found, reason.strip())));
        return all;
    }

    /**
     * Whether a requirement is about the result of a vote that was held. A reason must not replace it: a decision made
     * in another way must be given as evidence explicitly.
     */
    private boolean isAboutHeldVote(Sep sep, String to, List<String> kinds) {
        ProcessDefinition processDefinition = lifecycleEngine.processDefinition();
        return !sep.snapshot().voteRound().ballots().isEmpty()
                && processDefinition
                        .findState(to)
                        .flatMap(state -> processDefinition.findMove(sep.state(), state))
                        .stream()
                        .flatMap(moveDefinition -> moveDefinition.requirements().stream())
                        .map(moveRequirement -> moveRequirement.evidenceKinds().toList())
                        // A tally cannot be given as evidence, so no requirement status names it. The other kinds
                        // identify the requirement.
                        .filter(asked -> asked.stream()
                                .anyMatch(kind ->
                                        processDefinition.evidenceKind(kind).format()
                                                == EvidenceDefinition.Format.TALLY))
                        .anyMatch(asked -> !kinds.isEmpty() && asked.containsAll(kinds));
    }

    /** Returns the kind that fits a reason, of several alternatives. */
    private Optional<String> textKind(List<String> kinds) {
        return kinds.contains(REASON)
                ? Optional.of(REASON)
                : kinds.stream()
                        .map(lifecycleEngine.processDefinition()::evidenceKind)
                        .filter(kind -> kind.format() == EvidenceDefinition.Format.TEXT
                                && kind.validity() == EvidenceDefinition.Validity.MOVE
                                && !kind.name().equals(TRIGGER))
                        .map(EvidenceDefinition::name)
                        .findFirst();
    }
}
