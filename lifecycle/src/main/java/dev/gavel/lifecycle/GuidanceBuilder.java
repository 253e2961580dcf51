package dev.gavel.lifecycle;

import dev.gavel.lifecycle.actor.Actor;
import dev.gavel.lifecycle.history.LifecycleEvent;
import dev.gavel.lifecycle.process.Role;
import dev.gavel.lifecycle.process.TextTemplate;
import dev.gavel.lifecycle.process.VoteRule;
import dev.gavel.lifecycle.result.LifecycleCommandResult;
import dev.gavel.lifecycle.result.LifecycleGuidance;
import dev.gavel.lifecycle.result.LifecycleGuidance.Assignment;
import dev.gavel.lifecycle.result.LifecycleGuidance.Deadline;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Builds the guidance for a reader of a specification proposal: its status, who must act, the reader's next step and
 * the next deadline.
 */
record GuidanceBuilder(LifecycleContext context) {
    LifecycleGuidance build(Actor reader) {
        TurnResolver turnResolver = new TurnResolver(context);
        Optional<Deadline> deadline = new ClockEvaluator(context).nextDeadline();
        return new LifecycleGuidance(
                context.snapshot().state(),
                status(deadline),
                context.snapshot().since(),
                turnResolver.requiredActors(),
                turnResolver.awaitedParties(),
                nextStep(reader, deadline),
                new MoveEvaluator(context).evaluateAll(reader),
                deadline);
    }

    /**
     * The next step for a role that must act or to which the proposal was escalated; the same for all people of that
     * role.
     */
    String nextStepForRole(String role, TurnResolver.CurrentTurn turn, Optional<Deadline> deadline) {
        return carriedGuidance(role)
                .or(() -> Optional.ofNullable(guidanceTexts(turn).get(role)))
                .map(textTemplate -> new LifecycleMessageFormatter(context).fill(textTemplate, deadline))
                .orElseGet(this::nothingToDoText);
    }

    private String status(Optional<Deadline> deadline) {
        LifecycleMessageFormatter lifecycleMessageFormatter = new LifecycleMessageFormatter(context);
        String hold = context.snapshot()
                .voteRound()
                .hold()
                .map(activeHold -> " The decision has been on hold since "
                        + LifecycleMessageFormatter.formatDate(activeHold.since()) + ": " + activeHold.reason() + ".")
                .orElse("");
        return context.snapshot().state() + " since "
                + LifecycleMessageFormatter.formatDate(context.snapshot().since()) + ": "
                + lifecycleMessageFormatter.fill(context.state().statusText(), deadline) + hold + voidedVotesText()
                + pendingConfirmationsText();
    }

    private String voidedVotesText() {
        return context.snapshot()
                .voteRound()
                .voidedBallots()
                .filter(voided -> !voided.voters().isEmpty())
                .map(voided -> " The text was changed on " + LifecycleMessageFormatter.formatDate(voided.at()) + " by "
                        + context.externalFacts().nameOf(voided.by()) + ", so the votes of "
                        + new LifecycleMessageFormatter(context).formatParties(voided.voters()) + " are void.")
                .orElse("");
    }

    private String pendingConfirmationsText() {
        return context.state().isOpen()
                ? ConfirmationHandler.pending(context).stream()
                        .map(pending -> {
                            String giver = context.externalFacts().nameOf(pending.givenBy());
                            return " '" + pending.kind() + "' by " + giver + " (" + pending.value() + ") waits until "
                                    + context.processDefinition().title(pending.confirmingRole()) + " other than "
                                    + giver + " confirms it.";
                        })
                        .collect(Collectors.joining())
                : "";
    }

    private String nextStep(Actor reader, Optional<Deadline> deadline) {
        return String.join(
                " ",
                Stream.of(confirmationSteps(reader), voteSteps(reader), Stream.of(ownStep(reader, deadline)))
                        .flatMap(steps -> steps)
                        .toList());
    }

    /** One step for each piece of evidence that the reader can confirm. */
    private Stream<String> confirmationSteps(Actor reader) {
        ConfirmationHandler confirmationHandler = new ConfirmationHandler(context, reader);
        return context.state().isOpen()
                ? ConfirmationHandler.pending(context).stream()
                        .filter(pending -> confirmationHandler.confirm(pending.kind(), Optional.empty())
                                instanceof LifecycleCommandResult.Accepted<LifecycleEvent>)
                        .map(pending -> "Confirm '" + pending.kind() + "' by "
                                + context.externalFacts().nameOf(pending.givenBy()) + " (" + pending.value()
                                + "), or comment on what prevents it.")
                : Stream.of();
    }

    /** Tells a voter that the vote is void, or why the reader takes no part in the vote. */
    private Stream<String> voteSteps(Actor reader) {
        Optional<String> excluded = new ExclusionPolicy(context).findReasonInVote(reader);
        if (excluded.isPresent()) {
            return Stream.of(
                    new ExclusionPolicy(context).isRecused(reader.person())
                            ? "You take no part in the vote, as you decided. You can still vote."
                            : "You take no part in the vote: a person who " + excluded.get() + " cannot vote.");
        }
        return context
                .snapshot()
                .voteRound()
                .voidedBallots()
                .filter(voided -> voided.voters().contains(reader.person()))
                .map(voided ->
                        "Your vote is void, because " + context.externalFacts().nameOf(voided.by())
                                + " changed the text on " + LifecycleMessageFormatter.formatDate(voided.at())
                                + ". Read the changes and vote again.")
                .stream();
    }

    private String ownStep(Actor reader, Optional<Deadline> deadline) {
        TurnResolver turnResolver = new TurnResolver(context);
        Map<String, TextTemplate> textTemplates = guidanceTexts(turnResolver.currentTurn());
        Optional<String> ownRole = turnResolver.requiredActors().stream()
                .filter(assignment -> turnResolver.includes(assignment, reader))
                .map(Assignment::role)
                .filter(textTemplates::containsKey)
                .map(role -> mostPrivilegedRole(role, reader, textTemplates))
                .findFirst();
        Optional<String> question = context.snapshot().lastActivityByPerson().openQuestions().stream()
                .filter(asked -> asked.addressee().equals(reader.person()))
                .map(GuidanceBuilder::formatQuestion)
                .findFirst();
        if (ownRole.isEmpty() && question.isPresent()) {
            return question.get();
        }
        String step = ownRole.or(() -> textTemplates.keySet().stream()
                        .filter(role -> context.hasRole(reader, role)
                                && !turnResolver.finishedRoles().contains(role)
                                && !(voteRule(role).isPresent()
                                        && new ExclusionPolicy(context)
                                                .findReasonInVote(reader)
                                                .isPresent()))
                        .findFirst())
                .map(role -> carriedGuidance(role)
                        .or(() -> votedGuidance(reader, role))
                        .map(textTemplate -> new LifecycleMessageFormatter(context).fill(textTemplate, deadline))
                        .orElseGet(() -> nextStepForRole(role, turnResolver.currentTurn(), deadline)))
                .orElseGet(this::nothingToDoText);
        return question.map(asked -> asked + " " + step).orElse(step);
    }

    /**
     * Of a role and the roles that imply it, the most privileged one that the reader has: its guidance covers more
     * actions.
     */
    private String mostPrivilegedRole(String role, Actor reader, Map<String, TextTemplate> textTemplates) {
        return textTemplates.keySet().stream()
                .filter(other -> context.hasRole(reader, other)
                        && context.processDefinition().roles().get(other) instanceof Role.ActorRole actorRole
                        && actorRole.implies().contains(role))
                .findFirst()
                .orElse(role);
    }

    /** The next step of the voters once the vote carries; empty while the decision is on hold. */
    private Optional<TextTemplate> carriedGuidance(String role) {
        return context.snapshot().voteRound().hold().isEmpty()
                        && context.voteTally().filter(VoteTally::carried).isPresent()
                ? voteRule(role).flatMap(VoteRule::carriedGuidance)
                : Optional.empty();
    }

    /** The next step of a reader who has voted on the current text. */
    private Optional<TextTemplate> votedGuidance(Actor reader, String role) {
        return Optional.ofNullable(context.snapshot().voteRound().ballots().get(reader.person()))
                .flatMap(castBallot -> voteRule(role))
                .flatMap(VoteRule::votedGuidance);
    }

    private Optional<VoteRule> voteRule(String role) {
        return Optional.ofNullable(context.processDefinition()
                        .votes()
                        .get(context.snapshot().state()))
                .filter(rule -> rule.voterRole().equals(role));
    }

    /**
     * The guidance of the state by role. If the turn passed on because a role is vacant, the guidance for that vacancy
     * takes precedence.
     */
    private Map<String, TextTemplate> guidanceTexts(TurnResolver.CurrentTurn turn) {
        Map<String, TextTemplate> textTemplates = new LinkedHashMap<>();
        turn.vacantRole().ifPresent(proposalRole -> textTemplates.putAll(proposalRole.vacancyGuidance()));
        context.state().guidanceByRole().forEach(textTemplates::putIfAbsent);
        return textTemplates;
    }

    private static String formatQuestion(LifecycleEvent.QuestionAsked asked) {
        return asked.question().isBlank()
                ? asked.by().person() + " asks you to look at this proposal."
                : asked.by().person() + " asks you: " + asked.question();
    }

    private String nothingToDoText() {
        List<Assignment> mustAct = new TurnResolver(context).requiredActors();
        if (mustAct.isEmpty()) {
            return "Nothing to do: this proposal is " + context.snapshot().state() + ".";
        }
        return "Nothing to do now: waiting for "
                + new LifecycleMessageFormatter(context)
                        .formatParties(mustAct.stream().map(Assignment::party).toList()) + ".";
    }
}
