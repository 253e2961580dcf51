package dev.gavel.lifecycle.parser;

import dev.gavel.lifecycle.process.ClockRule;
import dev.gavel.lifecycle.process.EvidenceDefinition;
import dev.gavel.lifecycle.process.MoveDefinition;
import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.lifecycle.process.Role;
import dev.gavel.lifecycle.process.StateDefinition;
import dev.gavel.yaml.ProblemCollector;
import dev.gavel.yaml.SourcePosition;
import java.util.Optional;

/**
 * Validates a timed rule of a process file: its moves, roles and evidence fit the process, and each notified role has
 * guidance.
 */
record ClockRuleValidator(
        ProcessDefinition processDefinition, SourcePosition position, ProblemCollector problemCollector) {
    void validate(ClockRule clockRule) {
        switch (clockRule.start()) {
            case ClockRule.Start.EvidenceDate(String kind) ->
                ProcessValidator.requireDate(position, kind, processDefinition, problemCollector);
            case ClockRule.Start.RoleVacancy(String role) ->
                ProcessValidator.requireProposalRole(position, role, processDefinition, problemCollector);
            case ClockRule.Start.PresentHolderActivity(String role) ->
                ProcessValidator.requireProposalRole(position, role, processDefinition, problemCollector);
            case ClockRule.Start.HolderActivity _,
                    ClockRule.Start.Submission _,
                    ClockRule.Start.StateEntry _,
                    ClockRule.Start.ActorActivity _ -> {
                // these starts refer to nothing that could be invalid
            }
        }
        clockRule
                .stopsOnActivityOf()
                .filter(role -> processDefinition.findProposalRole(role).isPresent())
                .ifPresent(role -> problemCollector.add(
                        position,
                        "'unanswered-by' cannot be '" + role
                                + "', which is held in a single proposal; use a role without 'held'"));
        clockRule
                .stopsOnEvidence()
                .filter(kind -> processDefinition.evidenceKind(kind).format() == EvidenceDefinition.Format.TALLY)
                .ifPresent(kind ->
                        problemCollector.add(position, "'unless' cannot be '" + kind + "', which people cannot give"));
        clockRule.steps().forEach(this::validateChoice);
        for (String name : processDefinition.states().keySet()) {
            if (clockRule.states().contains(name)) {
                if (processDefinition.state(name).isEnd()) {
                    problemCollector.add(position, "'" + name + "' is an end state, in which no clock can run");
                } else {
                    clockRule.steps().forEach(step -> validateStep(processDefinition.state(name), clockRule, step));
                }
            }
        }
    }

    private void validateChoice(ClockRule.Step step) {
        if (step instanceof ClockRule.Step.Ping ping && ping.choose().isPresent()) {
            ping.role()
                    .flatMap(processDefinition::findProposalRole)
                    .filter(role -> role.eligibleRole().isEmpty())
                    .ifPresent(role -> problemCollector.add(
                            position,
                            "'choose' is not possible for '" + role.name()
                                    + "', which is never vacant; all of its holders are reminded"));
        }
    }

    private void validateStep(StateDefinition state, ClockRule clockRule, ClockRule.Step step) {
        switch (step) {
            case ClockRule.Step.Ping ping ->
                ping.role().ifPresent(role -> requireGuidance(state, role, "which this clock reminds"));
            case ClockRule.Step.Escalate escalate ->
                requireGuidance(state, escalate.role(), "to which this clock escalates");
            case ClockRule.Step.AutoMove autoMove -> validateAutoMove(state, autoMove);
        }
        boolean usesTurn = clockRule.start() instanceof ClockRule.Start.ActorActivity
                || (step instanceof ClockRule.Step.Ping ping && ping.role().isEmpty());
        if (usesTurn && !state.isOpen()) {
            problemCollector.add(position, "no role must act in '" + state.name() + "'");
        }
    }

    private void requireGuidance(StateDefinition state, String role, String reason) {
        if (!state.guidanceByRole().containsKey(role)) {
            problemCollector.add(position, "'" + state.name() + "' needs guidance for '" + role + "', " + reason);
        }
    }

    private void validateAutoMove(StateDefinition state, ClockRule.Step.AutoMove autoMove) {
        Optional<MoveDefinition> moveDefinition = processDefinition.findMove(state.name(), autoMove.to());
        if (moveDefinition.isEmpty()) {
            problemCollector.add(
                    position,
                    "this clock moves to '" + autoMove.to() + "', but no move leads there from '" + state.name() + "'");
        } else if (!moveDefinition.get().allowedRoles().contains(Role.SYSTEM)) {
            problemCollector.add(
                    position,
                    "this clock moves from '" + state.name() + "' to '" + autoMove.to()
                            + "', but 'system' is not in the 'who' of that move");
        }
    }
}
