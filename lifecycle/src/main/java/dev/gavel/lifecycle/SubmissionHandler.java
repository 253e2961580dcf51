package dev.gavel.lifecycle;

import dev.gavel.lifecycle.actor.Actor;
import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.history.Evidence;
import dev.gavel.lifecycle.history.LifecycleEvent;
import dev.gavel.lifecycle.history.LifecycleHistory;
import dev.gavel.lifecycle.history.LifecycleSnapshot;
import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.lifecycle.result.LifecycleCommandResult;
import dev.gavel.lifecycle.result.LifecycleRefusal;
import dev.gavel.lifecycle.result.MoveEligibility;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Handles the submission of a new specification proposal and explains what a submission requires. */
record SubmissionHandler(ProcessDefinition processDefinition, Actor by, ExternalFacts externalFacts, Instant now) {
    LifecycleCommandResult<LifecycleEvent> submit(LifecycleCommand.Submit submit) {
        LifecycleContext contextWithoutAttributes = context(submit.otherProposers(), Map.of());
        CommentAndEditHandler commentAndEditHandler = new CommentAndEditHandler(contextWithoutAttributes, by);
        Optional<LifecycleRefusal> refusal = commentAndEditHandler
                .findInvalidAttribute(submit.attributes())
                .or(() -> new OfferedEvidenceValidator(contextWithoutAttributes, by)
                        .findRefusal(submit.evidence(), true));
        if (refusal.isPresent()) {
            return LifecycleCommandResult.refused(refusal.get());
        }
        Map<String, String> attributes = commentAndEditHandler.canonicalAttributes(submit.attributes());
        LifecycleContext lifecycleContext = context(submit.otherProposers(), attributes);
        MoveEligibility moveEligibility =
                new MoveEvaluator(lifecycleContext).evaluate(processDefinition.startMove(), by, submit.evidence());
        if (!moveEligibility.isPossible()) {
            return LifecycleCommandResult.refused(
                    MoveHandler.refusal(moveEligibility, moveEligibility.submissionRefusal()));
        }
        return new LifecycleCommandResult.Accepted<>(
                events(submit.otherProposers(), attributes, submit.evidence()),
                new MoveHandler(lifecycleContext, by).advice(processDefinition.startMove(), submit.evidence()));
    }

    MoveEligibility explain(Map<String, String> attributes) {
        return new MoveEvaluator(context(List.of(), attributes)).evaluate(processDefinition.startMove(), by, List.of());
    }

    private LifecycleContext context(List<Person> others, Map<String, String> attributes) {
        LifecycleSnapshot lifecycleSnapshot = LifecycleHistory.of(events(others, attributes, List.of()))
                .snapshot()
                .orElseThrow();
        return new LifecycleContext(processDefinition, lifecycleSnapshot, externalFacts, now);
    }

    private List<LifecycleEvent> events(List<Person> others, Map<String, String> attributes, List<Evidence> evidence) {
        List<LifecycleEvent> events = new ArrayList<>();
        events.add(new LifecycleEvent.Submitted(
                now,
                by,
                processDefinition.startMove().to(),
                processDefinition.proposerRole().name(),
                Stream.concat(Stream.of(by.person()), others.stream())
                        .distinct()
                        .toList(),
                attributes));
        if (!evidence.isEmpty()) {
            events.add(new LifecycleEvent.EvidenceAttached(now, by, evidence));
        }
        return events;
    }
}
