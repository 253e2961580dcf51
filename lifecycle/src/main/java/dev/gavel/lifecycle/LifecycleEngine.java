package dev.gavel.lifecycle;

import dev.gavel.lifecycle.actor.Actor;
import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.history.LifecycleEvent;
import dev.gavel.lifecycle.history.LifecycleHistory;
import dev.gavel.lifecycle.history.LifecycleSnapshot;
import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.lifecycle.result.LifecycleCommandResult;
import dev.gavel.lifecycle.result.LifecycleGuidance;
import dev.gavel.lifecycle.result.MoveEligibility;
import dev.gavel.lifecycle.result.PendingConfirmation;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToIntFunction;

/**
 * Applies a process definition to specification proposals: decides commands, and tells which moves are possible, who
 * must act and what is due. Immutable.
 *
 * <pre>{@code
 * switch (engine.decide(history, command, externalFacts, now)) {
 *     case LifecycleCommandResult.Accepted<LifecycleEvent> accepted -> store(accepted.events());
 *     case LifecycleCommandResult.Refused<LifecycleEvent> refused -> show(refused.refusal().message());
 * }
 * }</pre>
 */
public record LifecycleEngine(ProcessDefinition processDefinition) {
    /**
     * Decides a command: returns its events, or a refusal that names who may do it, what is missing and what is
     * accepted.
     */
    public LifecycleCommandResult<LifecycleEvent> decide(
            LifecycleHistory history, LifecycleCommand command, ExternalFacts externalFacts, Instant now) {
        Actor by = withKnownRoles(command.actor());
        Optional<LifecycleSnapshot> lifecycleSnapshot = history.snapshot();
        if (command instanceof LifecycleCommand.Submit submit) {
            return lifecycleSnapshot.isEmpty()
                    ? new SubmissionHandler(processDefinition, by, externalFacts, now).submit(submit)
                    : RefusalCode.WRONG_TIME.refuse("This proposal is already submitted.");
        }
        return lifecycleSnapshot
                .map(found -> decide(new LifecycleContext(processDefinition, found, externalFacts, now), command, by))
                .orElseGet(() -> RefusalCode.WRONG_TIME.refuse("Submit the proposal first."));
    }

    /** Explains what a move to a state requires, without making the move. */
    public MoveEligibility explain(
            LifecycleHistory history, Actor viewer, String to, ExternalFacts externalFacts, Instant now) {
        Actor actor = withKnownRoles(viewer);
        LifecycleContext lifecycleContext = context(history, externalFacts, now);
        MoveEvaluator moveEvaluator = new MoveEvaluator(lifecycleContext);
        Optional<String> state = processDefinition.findState(to);
        if (state.isEmpty()) {
            return MoveEligibility.blocked(to, moveEvaluator.unknownStateMessage(to));
        }
        return processDefinition
                .findMove(lifecycleContext.snapshot().state(), state.get())
                .map(moveDefinition -> moveEvaluator.evaluate(moveDefinition, actor, List.of()))
                .orElseGet(() -> MoveEligibility.blocked(state.get(), moveEvaluator.noMoveMessage(state.get())));
    }

    /** Explains what each move from the current state requires. */
    public List<MoveEligibility> explain(
            LifecycleHistory history, Actor viewer, ExternalFacts externalFacts, Instant now) {
        return new MoveEvaluator(context(history, externalFacts, now)).evaluateAll(withKnownRoles(viewer));
    }

    /** Explains what the submission of a proposal with these attributes requires. */
    public MoveEligibility explainSubmission(
            Actor viewer, Map<String, String> attributes, ExternalFacts externalFacts, Instant now) {
        return new SubmissionHandler(processDefinition, withKnownRoles(viewer), externalFacts, now).explain(attributes);
    }

    /** Returns the status of the proposal, who must act, and the reader's next step. */
    public LifecycleGuidance guidance(
            LifecycleHistory history, Actor viewer, ExternalFacts externalFacts, Instant now) {
        return new GuidanceBuilder(context(history, externalFacts, now)).build(withKnownRoles(viewer));
    }

    /** Returns who must act, and since when: the part of the guidance that does not depend on the reader. */
    public List<LifecycleGuidance.Assignment> requiredActors(
            LifecycleHistory history, ExternalFacts externalFacts, Instant now) {
        return new TurnResolver(context(history, externalFacts, now)).requiredActors();
    }

    /** Returns the actions that clocks make due; deciding {@link LifecycleCommand.PerformClockAction} performs each. */
    public List<ClockAction> dueActions(LifecycleHistory history, ExternalFacts externalFacts, Instant now) {
        return dueActions(history, externalFacts, now, _ -> 0);
    }

    /**
     * Returns the actions that clocks make due.
     *
     * @param load how busy a person is; a reminder to only some people of a group goes to the least busy ones
     */
    public List<ClockAction> dueActions(
            LifecycleHistory history, ExternalFacts externalFacts, Instant now, ToIntFunction<? super Person> load) {
        LifecycleContext lifecycleContext = context(history, externalFacts, now);
        return new ClockActionHandler(lifecycleContext, new ReminderRecipientChooser(lifecycleContext, Set.of(), load))
                .dueActions();
    }

    /** Returns the evidence that a move from the current state needs and that a second person must confirm. */
    public List<PendingConfirmation> pendingConfirmations(
            LifecycleHistory history, ExternalFacts externalFacts, Instant now) {
        return ConfirmationHandler.pending(context(history, externalFacts, now));
    }

    /** Whether no one can act in a role of the proposal: it has no holder, or its holders lost the role it requires. */
    public boolean isVacant(LifecycleHistory history, String role, ExternalFacts externalFacts, Instant now) {
        return context(history, externalFacts, now).isVacant(role);
    }

    /** Returns the tally of the vote, if the proposal's current state has a vote. */
    public Optional<VoteTally> voteTally(LifecycleHistory history, ExternalFacts externalFacts, Instant now) {
        return context(history, externalFacts, now).voteTally();
    }

    private static LifecycleCommandResult<LifecycleEvent> decide(
            LifecycleContext lifecycleContext, LifecycleCommand command, Actor by) {
        if (lifecycleContext.state().isEnd()
                && !(command instanceof LifecycleCommand.Comment || command instanceof LifecycleCommand.MoveTo)) {
            return RefusalCode.ENDED.refuse("This proposal is `"
                    + lifecycleContext.snapshot().state() + "`, which is an end state. You can only comment on it.");
        }
        return switch (command) {
            case LifecycleCommand.Submit _ -> throw new IllegalStateException("decided before");
            case LifecycleCommand.Edit edit -> new CommentAndEditHandler(lifecycleContext, by).edit(edit);
            case LifecycleCommand.Comment comment ->
                new CommentAndEditHandler(lifecycleContext, by).comment(comment.text());
            case LifecycleCommand.Ask ask ->
                new CommentAndEditHandler(lifecycleContext, by).ask(ask.addressee(), ask.question());
            case LifecycleCommand.MoveTo move ->
                new MoveHandler(lifecycleContext, by).moveTo(move.to(), move.evidence());
            case LifecycleCommand.Attach attach ->
                new OfferedEvidenceValidator(lifecycleContext, by).attach(attach.evidence());
            case LifecycleCommand.Confirm confirm ->
                new ConfirmationHandler(lifecycleContext, by).confirm(confirm.kind(), confirm.value());
            case LifecycleCommand.TakeRole takeRole ->
                new RoleHandler(lifecycleContext, by).take(takeRole.role(), takeRole.evidence());
            case LifecycleCommand.StepDown down -> new RoleHandler(lifecycleContext, by).stepDown(down.role());
            case LifecycleCommand.TransferRole transferRole ->
                new RoleHandler(lifecycleContext, by)
                        .transfer(transferRole.role(), transferRole.to(), transferRole.keepsRole());
            case LifecycleCommand.Vote vote ->
                new VoteHandler(lifecycleContext, by).vote(vote.ballotChoice(), vote.reason());
            case LifecycleCommand.Hold hold -> new VoteHandler(lifecycleContext, by).hold(hold.reason());
            case LifecycleCommand.Release release -> new VoteHandler(lifecycleContext, by).release(release.reason());
            case LifecycleCommand.PerformClockAction performClockAction ->
                ClockActionHandler.performIfDue(lifecycleContext, performClockAction.action());
        };
    }

    private LifecycleContext context(LifecycleHistory history, ExternalFacts externalFacts, Instant now) {
        return new LifecycleContext(
                processDefinition,
                history.snapshot().orElseThrow(() -> new IllegalArgumentException("nothing was submitted yet")),
                externalFacts,
                now);
    }

    /** Returns the actor with only the roles that this process defines, and all roles that those imply. */
    private Actor withKnownRoles(Actor actor) {
        return new Actor(actor.person(), processDefinition.expandActorRoles(actor.roles()));
    }
}
