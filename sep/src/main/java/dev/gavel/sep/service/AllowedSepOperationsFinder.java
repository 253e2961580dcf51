package dev.gavel.sep.service;

import dev.gavel.lifecycle.ExternalFacts;
import dev.gavel.lifecycle.LifecycleCommand;
import dev.gavel.lifecycle.LifecycleEngine;
import dev.gavel.lifecycle.actor.Actor;
import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.history.BallotChoice;
import dev.gavel.lifecycle.history.Evidence;
import dev.gavel.lifecycle.history.LifecycleEvent;
import dev.gavel.lifecycle.process.EditorialRule;
import dev.gavel.lifecycle.process.EvidenceDefinition;
import dev.gavel.lifecycle.process.MoveDefinition;
import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.lifecycle.result.LifecycleCommandResult;
import dev.gavel.lifecycle.result.MoveEligibility;
import dev.gavel.lifecycle.result.PendingConfirmation;
import dev.gavel.sep.Sep;
import dev.gavel.sep.store.SepSummary;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import tools.jackson.core.JsonGenerator;

/**
 * Finds the operations that a user may perform on a SEP now, by trying each one without storing the result. Since the
 * lifecycle engine itself decides each attempt, the offered operations are the allowed ones, and no rule is implemented
 * twice.
 */
record AllowedSepOperationsFinder(
        LifecycleEngine lifecycleEngine, Sep sep, Actor reader, ExternalFacts externalFacts, Instant now) {
    /** Stands for any text that the reader would write. */
    private static final String PLACEHOLDER_TEXT = "…";

    private static final String PLACEHOLDER_LINK = "https://example.org/";

    /** Returns the operations that would be allowed. */
    List<SepOperation> operations() {
        String proposer = process().proposerRole().name();
        Optional<String> sponsor = SepSummary.sponsorRole(process()).map(role -> role.name());
        Person anyPerson = new Person(PLACEHOLDER_TEXT);
        return List.of(
                        ifAllowed(SepOperation.COMMENT, new LifecycleCommand.Comment(reader, PLACEHOLDER_TEXT)),
                        confirmable().isEmpty() ? Optional.<SepOperation>empty() : Optional.of(SepOperation.CONFIRM),
                        ifAllowed(SepOperation.VOTE, new LifecycleCommand.Vote(reader, BallotChoice.ABSTAIN, "")),
                        sponsor.flatMap(role -> ifAllowed(
                                SepOperation.SPONSOR, new LifecycleCommand.TakeRole(reader, role, List.of()))),
                        canEdit() ? Optional.of(SepOperation.EDIT) : Optional.<SepOperation>empty(),
                        attachableKinds().isEmpty() ? Optional.<SepOperation>empty() : Optional.of(SepOperation.ATTACH),
                        ifAllowed(SepOperation.ASK, new LifecycleCommand.Ask(reader, anyPerson, PLACEHOLDER_TEXT)),
                        ifAllowed(SepOperation.HOLD, new LifecycleCommand.Hold(reader, PLACEHOLDER_TEXT)),
                        ifAllowed(SepOperation.RELEASE, new LifecycleCommand.Release(reader, PLACEHOLDER_TEXT)),
                        sponsor.flatMap(
                                role -> ifAllowed(SepOperation.STEP_DOWN, new LifecycleCommand.StepDown(reader, role))),
                        ifAllowed(
                                SepOperation.TRANSFER,
                                new LifecycleCommand.TransferRole(reader, proposer, anyPerson, true)))
                .stream()
                .flatMap(Optional::stream)
                .toList();
    }

    /** Whether the reader could make some edit, if only an editorial one. */
    private boolean canEdit() {
        EditorialRule editorialRule = process().editorialRule();
        return Stream.of(
                        new LifecycleCommand.Edit(reader, Map.of(), Set.of(), Set.of(), false),
                        new LifecycleCommand.Edit(
                                reader, Map.of(), editorialRule.sections(), editorialRule.fields(), false),
                        new LifecycleCommand.Edit(reader, Map.of(), Set.of(), Set.of(), true))
                .anyMatch(this::isAllowed);
    }

    /** Whether the reader could declare an edit editorial that is not editorial by the process. */
    boolean canDeclareEditorial() {
        return isAllowed(new LifecycleCommand.Edit(reader, Map.of(), Set.of(PLACEHOLDER_TEXT), Set.of(), true));
    }

    /** Returns the evidence of other people that the reader could confirm. */
    List<PendingConfirmation> confirmable() {
        return lifecycleEngine.pendingConfirmations(sep.history(), externalFacts, now).stream()
                .filter(pending ->
                        isAllowed(new LifecycleCommand.Confirm(reader, pending.kind(), Optional.of(pending.value()))))
                .toList();
    }

    /** Returns the kinds of evidence that the reader could attach. */
    List<EvidenceDefinition> attachableKinds() {
        return process().evidence().values().stream()
                .filter(kind -> isAllowed(
                        new LifecycleCommand.Attach(reader, List.of(new Evidence(kind.name(), example(kind))))))
                .toList();
    }

    private String example(EvidenceDefinition kind) {
        return switch (kind.format()) {
            case LINK -> PLACEHOLDER_LINK;
            case DATE -> SepJsonWriter.isoDate(now);
            case DECISION ->
                process().decisionTargets(sep.state(), kind.name()).stream()
                        .findFirst()
                        .map(to -> to + ": " + PLACEHOLDER_TEXT)
                        .orElse(PLACEHOLDER_TEXT);
            case TEXT, TALLY, LOST_TALLY -> PLACEHOLDER_TEXT;
        };
    }

    private Optional<SepOperation> ifAllowed(SepOperation sepOperation, LifecycleCommand command) {
        return isAllowed(command) ? Optional.of(sepOperation) : Optional.empty();
    }

    private boolean isAllowed(LifecycleCommand command) {
        return lifecycleEngine.decide(sep.history(), command, externalFacts, now)
                instanceof LifecycleCommandResult.Accepted<LifecycleEvent>;
    }

    private ProcessDefinition process() {
        return lifecycleEngine.processDefinition();
    }

    /** Writes the operations and evidence kinds as properties of the current object. */
    void write(SepJsonWriter writer) {
        JsonGenerator json = writer.json();
        SepJsonWriter.strings(
                json,
                "youMayAlso",
                operations().stream().map(SepOperation::wireName).toList());
        json.writeBooleanProperty("youMayDeclareEditorial", canDeclareEditorial())
                .writeArrayPropertyStart("youMayConfirm");
        confirmable().forEach(writer::confirmation);
        json.writeEndArray().writeArrayPropertyStart("youMayAttach");
        attachableKinds()
                .forEach(kind -> json.writeStartObject()
                        .writeStringProperty("kind", kind.name())
                        .writeStringProperty("is", kind.format().name().toLowerCase(Locale.ROOT))
                        .writeStringProperty("says", kind.description())
                        .writeEndObject());
        json.writeEndArray();
    }

    /** Writes the properties of a move other than its requirements. */
    void write(JsonGenerator json, MoveEligibility moveEligibility) {
        process()
                .findMove(sep.state(), moveEligibility.to())
                .ifPresent(moveDefinition -> json.writeStringProperty(
                                "verb", operationFor(moveDefinition).wireName())
                        .writeBooleanProperty(
                                "end", process().state(moveDefinition.to()).isEnd())
                        .writeBooleanProperty("onward", isForward(moveDefinition)));
    }

    /** Returns the operation that makes a move: a dedicated one if there is one, otherwise MOVE. */
    private SepOperation operationFor(MoveDefinition moveDefinition) {
        ProcessDefinition processDefinition = process();
        if (SepSummary.sponsorRole(processDefinition)
                .filter(role ->
                        moveDefinition.takenRole().filter(role.name()::equals).isPresent())
                .isPresent()) {
            return SepOperation.SPONSOR;
        }
        if (SepCommandParser.withdrawnState(processDefinition)
                .filter(moveDefinition.to()::equals)
                .isPresent()) {
            return SepOperation.WITHDRAW;
        }
        return SepCommandParser.supersededState(processDefinition)
                        .filter(moveDefinition.to()::equals)
                        .isPresent()
                ? SepOperation.SUPERSEDE
                : SepOperation.MOVE;
    }

    /**
     * Whether a move leads to a later state that is not an end, in the order of the process, and no role holder is
     * dropped.
     */
    private boolean isForward(MoveDefinition moveDefinition) {
        List<String> order = List.copyOf(process().states().keySet());
        return order.indexOf(moveDefinition.to()) > order.indexOf(sep.state())
                && !process().state(moveDefinition.to()).isEnd()
                && moveDefinition.droppedRoles().isEmpty();
    }
}
