package dev.gavel.lifecycle.parser;

import dev.gavel.lifecycle.process.ClockRule;
import dev.gavel.lifecycle.process.EvidenceDefinition;
import dev.gavel.lifecycle.process.MoveDefinition;
import dev.gavel.lifecycle.process.MoveRequirement;
import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.lifecycle.process.Role;
import dev.gavel.lifecycle.process.StateDefinition;
import dev.gavel.lifecycle.process.VoteRule;
import dev.gavel.yaml.ProblemCollector;
import dev.gavel.yaml.SourcePosition;
import dev.gavel.yaml.YamlMappingReader;
import dev.gavel.yaml.YamlNode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Checks that in a parsed process definition every state is reachable, every move is possible, and everyone who must
 * act has guidance.
 */
record ProcessValidator(
        ProcessDefinition processDefinition,
        DeclaredNameResolver declaredNameResolver,
        ProblemCollector problemCollector) {
    void validate(
            MoveSectionParser.PositionedMove start,
            List<MoveSectionParser.PositionedMove> moves,
            List<ClockSectionParser.PositionedClock> clocks,
            YamlMappingReader top) {
        validateStates();
        validateProposalRoles();
        processDefinition.evidence().values().forEach(this::validateEvidence);
        validateMove(start);
        moves.forEach(this::validateMove);
        for (YamlNode.Entry vote : top.entries("votes")) {
            VoteRule rule = processDefinition.votes().get(vote.key().text());
            if (rule != null) {
                validateVote(vote.key(), rule);
            }
        }
        clocks.forEach(positionedClock -> new ClockRuleValidator(
                        processDefinition, positionedClock.position(), problemCollector)
                .validate(positionedClock.clockRule()));
    }

    private void validateStates() {
        Set<String> reachable = reachableStates();
        for (StateDefinition state : processDefinition.states().values()) {
            SourcePosition position = declaredNameResolver.position(DeclaredNameResolver.NameType.STATE, state.name());
            if (!reachable.contains(state.name())) {
                problemCollector.add(position, "no move leads to '" + state.name() + "'");
            }
            if (state.isOpen() && processDefinition.movesFrom(state.name()).isEmpty()) {
                problemCollector.add(
                        position,
                        "no move leads from '" + state.name()
                                + "'; add one, or make the state 'is: settled' or 'is: end'");
            }
            for (String role : state.requiredRoles()) {
                if (processDefinition
                        .findProposalRole(role)
                        .flatMap(Role.ProposalRole::eligibleRole)
                        .isEmpty()) {
                    problemCollector.add(position, "'" + role + "' is not a role that can be vacant");
                }
            }
            for (StateDefinition.Turn turn : state.turns()) {
                requireGuidance(position, state, turn.role(), "which must act");
            }
        }
    }

    private Set<String> reachableStates() {
        Set<String> reached = new HashSet<>();
        Deque<String> pending =
                new ArrayDeque<>(List.of(processDefinition.startMove().to()));
        while (!pending.isEmpty()) {
            String state = pending.pop();
            if (reached.add(state)) {
                processDefinition.movesFrom(state).forEach(moveDefinition -> pending.push(moveDefinition.to()));
            }
        }
        return reached;
    }

    /** Requires guidance for a role that must act, also for one that must act because another role is vacant. */
    private void requireGuidance(SourcePosition position, StateDefinition state, String role, String reason) {
        if (!state.guidanceByRole().containsKey(role)) {
            problemCollector.add(position, "'" + state.name() + "' needs guidance for '" + role + "', " + reason);
        }
    }

    private void validateProposalRoles() {
        for (Role role : processDefinition.roles().values()) {
            if (!(role instanceof Role.ProposalRole proposalRole) || proposalRole.proposer()) {
                continue;
            }
            SourcePosition position =
                    declaredNameResolver.position(DeclaredNameResolver.NameType.ROLE, proposalRole.name());
            validateExcludedRoles(position, proposalRole.excludedRoles());
            String from = proposalRole.eligibleRole().orElseThrow();
            if (processDefinition.findProposalRole(from).isPresent()) {
                problemCollector.add(
                        position,
                        "'from' of '" + proposalRole.name() + "' cannot be '" + from
                                + "', which is itself held in a proposal and can be vacant");
            }
            if (isExpectedToAct(proposalRole.name())
                    && !proposalRole.vacancyGuidance().containsKey(from)) {
                problemCollector.add(
                        position,
                        "'" + proposalRole.name() + "' needs 'vacant' with guidance for '" + from
                                + "', which must act while the role is vacant");
            }
        }
    }

    private void validateEvidence(EvidenceDefinition kind) {
        SourcePosition position = declaredNameResolver.position(DeclaredNameResolver.NameType.EVIDENCE, kind.name());
        validateExcludedRoles(position, kind.excludedRoles());
        if (kind.confirmingRole().isPresent()
                && (kind.validity() == EvidenceDefinition.Validity.MOVE
                        || kind.format().isResultOfVote())) {
            problemCollector.add(
                    position,
                    "'" + kind.name() + "' cannot be confirmed"
                            + (kind.format().isResultOfVote()
                                    ? ", because people do not give it"
                                    : " before the move with which it comes; use 'lasts: state'"));
        }
    }

    /** Only a role that people hold in the proposal can exclude its holders. */
    private void validateExcludedRoles(SourcePosition position, Optional<List<String>> excludedRoles) {
        for (String role : excludedRoles.orElse(List.of())) {
            if (processDefinition.findProposalRole(role).isEmpty()) {
                problemCollector.add(
                        position, "'" + role + "' is not held in a proposal, so 'not' cannot exclude its holders");
            }
        }
    }

    /** Whether a state or a clock requires the holder of a role to act. */
    private boolean isExpectedToAct(String role) {
        return processDefinition.states().values().stream()
                        .anyMatch(state -> state.requiredRoles().contains(role)
                                || state.turns().stream()
                                        .anyMatch(turn -> turn.role().equals(role)))
                || processDefinition.clockRules().stream()
                        .flatMap(clockRule -> clockRule.steps().stream())
                        .anyMatch(step -> step instanceof ClockRule.Step.Ping ping
                                && ping.role().filter(role::equals).isPresent());
    }

    private void validateMove(MoveSectionParser.PositionedMove positionedMove) {
        MoveDefinition moveDefinition = positionedMove.moveDefinition();
        validateExcludedRoles(positionedMove.position(), moveDefinition.excludedRoles());
        if (moveDefinition.excludedRoles().orElse(List.of()).containsAll(moveDefinition.allowedRoles())) {
            problemCollector.add(positionedMove.position(), "'not' excludes every role that can make this move");
        }
        moveDefinition
                .takenRole()
                .ifPresent(role -> validateTakenRole(positionedMove.position(), moveDefinition, role));
        for (String role : moveDefinition.droppedRoles()) {
            if (processDefinition.findProposalRole(role).isEmpty()) {
                problemCollector.add(
                        positionedMove.position(), "'" + role + "' is not held in a proposal, so it cannot be dropped");
            } else if (processDefinition.proposerRole().name().equals(role)) {
                problemCollector.add(
                        positionedMove.position(),
                        "'" + role + "' cannot be dropped: a proposal always has a proposer");
            }
        }
        moveDefinition
                .requirements()
                .forEach(moveRequirement ->
                        validateRequirement(positionedMove.position(), moveDefinition, moveRequirement));
        moveDefinition
                .recommendations()
                .forEach(moveRequirement ->
                        validateRequirement(positionedMove.position(), moveDefinition, moveRequirement));
    }

    private void validateTakenRole(SourcePosition position, MoveDefinition moveDefinition, String role) {
        Optional<Role.ProposalRole> proposalRole = processDefinition.findProposalRole(role);
        if (proposalRole.isEmpty() || proposalRole.get().eligibleRole().isEmpty()) {
            problemCollector.add(position, "'" + role + "' is not a role that can be taken");
            return;
        }
        String from = proposalRole.get().eligibleRole().get();
        for (String who : moveDefinition.allowedRoles()) {
            if (!processDefinition.expandActorRoles(List.of(who)).contains(from)) {
                problemCollector.add(
                        position,
                        "'" + who + "' can make this move but cannot take '" + role + "', which requires '" + from
                                + "'");
            }
        }
    }

    private void validateRequirement(
            SourcePosition position, MoveDefinition moveDefinition, MoveRequirement moveRequirement) {
        switch (moveRequirement) {
            case MoveRequirement.EvidenceGiven given -> {
                if (processDefinition.evidenceKind(given.kind()).format().isResultOfVote()) {
                    for (String from : moveDefinition.from()) {
                        if (!processDefinition.votes().containsKey(from)) {
                            problemCollector.add(
                                    position,
                                    "'" + given.kind() + "' is a tally, but there is no vote in '" + from + "'");
                        }
                    }
                }
            }
            case MoveRequirement.DateReached reached ->
                requireDate(position, reached.kind(), processDefinition, problemCollector);
            case MoveRequirement.RoleVacant vacant ->
                requireProposalRole(position, vacant.role(), processDefinition, problemCollector);
            case MoveRequirement.RoleIdle idle ->
                requireProposalRole(position, idle.role(), processDefinition, problemCollector);
            case MoveRequirement.AnyOf anyOf ->
                anyOf.choices().forEach(choice -> validateRequirement(position, moveDefinition, choice));
            case MoveRequirement.ForAttribute forAttribute ->
                validateRequirement(position, moveDefinition, forAttribute.requirement());
            case MoveRequirement.WithDescription withDescription ->
                validateRequirement(position, moveDefinition, withDescription.requirement());
            case MoveRequirement.EvidenceInState evidenceInState -> {
                if (processDefinition
                        .evidenceKind(evidenceInState.kind())
                        .format()
                        .isResultOfVote()) {
                    problemCollector.add(
                            position,
                            "'" + evidenceInState.kind()
                                    + "' is a tally, which always belongs to the current state; remove '"
                                    + (evidenceInState.withMove() ? "with" : "here") + "'");
                }
            }
            case MoveRequirement.FactHolds _ -> {
                // the caller supplies facts
            }
        }
    }

    private void validateVote(YamlNode.Scalar state, VoteRule rule) {
        validateExcludedRoles(state.position(), rule.excludedRoles());
        if (processDefinition.findProposalRole(rule.voterRole()).isPresent()) {
            problemCollector.add(
                    state.position(),
                    "'who' of a vote cannot be '" + rule.voterRole()
                            + "', which is held in a single proposal; use a role without 'held'");
        }
        for (String to : rule.decidedStates()) {
            if (processDefinition.findMove(state.text(), to).isEmpty()) {
                problemCollector.add(
                        state.position(),
                        "the vote decides '" + to + "', but no move leads there from '" + state.text() + "'");
            }
        }
    }

    static void requireDate(
            SourcePosition position,
            String kind,
            ProcessDefinition processDefinition,
            ProblemCollector problemCollector) {
        if (processDefinition.evidenceKind(kind).format() != EvidenceDefinition.Format.DATE) {
            problemCollector.add(position, "'" + kind + "' must be evidence with 'is: date'");
        }
    }

    static void requireProposalRole(
            SourcePosition position,
            String role,
            ProcessDefinition processDefinition,
            ProblemCollector problemCollector) {
        if (processDefinition.findProposalRole(role).isEmpty()) {
            problemCollector.add(position, "'" + role + "' is not held in a proposal, so it cannot be vacant or idle");
        }
    }
}
