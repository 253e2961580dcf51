package dev.gavel.faults.repeatedcalls;

import dev.gavel.faults.cluster.GuaranteeViolation;
import dev.gavel.faults.repeatedcalls.ProposalHistory.Event;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Checks the guarantees about repeated calls after a run. It compares the ledger with the runs that the tool server
 * counted and with the responses that the clients received:
 *
 * <ul>
 *   <li>Every run has its own proposal, which was approved. So a call that was rejected or withdrawn never ran.
 *   <li>A key has another proposal only if an equal call was a new call: each earlier proposal was withdrawn, or it
 *       ended and the ledger says that its result was forwarded. Together with the first statement, a key has at most
 *       one run for each new call.
 *   <li>If the ledger says that a result was forwarded, a client received it, or a client was disconnecting, or was
 *       disconnected by a fault, at that time.
 *   <li>A client that called after another one had received a result does not receive the same result.
 *   <li>A response agrees with the ledger, and a waiting call is not withdrawn because another client gave up.
 * </ul>
 *
 * Used by one thread.
 */
final class RepeatedCallChecker {
    /** How much later than a client a gateway may notice something, on a busy machine. */
    private static final Duration TOLERANCE = Duration.ofSeconds(3);

    private final List<ProposalHistory> proposals;
    private final List<ToolRun> runs;
    private final List<CallAttempt> attempts;
    private final Map<String, ProposalHistory> proposalsById;
    private final Map<ToolRun.Name, ToolRun> runsByName;
    private final List<GuaranteeViolation> violations = new ArrayList<>();
    private int lostResults;

    RepeatedCallChecker(List<ProposalHistory> proposals, List<ToolRun> runs, List<CallAttempt> attempts) {
        this.proposals = List.copyOf(proposals);
        this.runs = List.copyOf(runs);
        this.attempts = List.copyOf(attempts);
        this.proposalsById = proposals.stream().collect(Collectors.toMap(ProposalHistory::id, Function.identity()));
        this.runsByName =
                runs.stream().collect(Collectors.toMap(ToolRun::name, Function.identity(), (first, second) -> first));
    }

    /** Returns the violations. */
    List<GuaranteeViolation> check() {
        checkRuns();
        Map<String, List<ProposalHistory>> byPath =
                proposals.stream().collect(Collectors.groupingBy(ProposalHistory::path));
        byPath.values().forEach(this::checkNewCalls);
        proposals.stream().filter(ProposalHistory::isForwarded).forEach(this::checkForwarded);
        attempts.forEach(this::checkResponse);
        checkNewCallsGetNewResults();
        return List.copyOf(violations);
    }

    /**
     * The number of results that a client missed although the ledger says that they were forwarded, because a fault or
     * the client itself ended the connection at that moment.
     */
    int lostResults() {
        return lostResults;
    }

    private void checkRuns() {
        Set<String> seen = new HashSet<>();
        for (ToolRun run : runs) {
            ProposalHistory proposal = proposalsById.get(run.proposal());
            if (!seen.add(run.proposal())) {
                addViolation(run.name().path(), run.name() + ": the proposal " + run.proposal() + " ran twice");
            } else if (proposal == null || !proposal.path().equals(run.name().path())) {
                addViolation(run.name().path(), run.name() + ": there is no proposal of this call");
            } else if (proposal.find("fulfilled").isEmpty()) {
                addViolation(run.name().path(), run.name() + ": the proposal was not approved");
            }
        }
    }

    private void checkNewCalls(List<ProposalHistory> equalCalls) {
        for (int i = 1; i < equalCalls.size(); i++) {
            ProposalHistory later = equalCalls.get(i);
            for (ProposalHistory earlier : equalCalls.subList(0, i)) {
                earlier.reasonToJoin(later.proposed(), TOLERANCE)
                        .ifPresent(reason -> addViolation(
                                later.path(),
                                later + " was proposed although the equal call " + earlier + " " + reason));
            }
        }
    }

    private void checkForwarded(ProposalHistory proposal) {
        Instant forwardedAt = proposal.events().stream()
                .filter(event -> event.type().equals("forwarded"))
                .reduce((first, second) -> second)
                .map(Event::at)
                .orElseThrow();
        List<CallAttempt> equal = attempts.stream()
                .filter(attempt -> attempt.callKey().path().equals(proposal.path()))
                .toList();
        if (equal.stream().noneMatch(attempt -> receivedResultOf(attempt).equals(Optional.of(proposal.id())))) {
            if (equal.stream().anyMatch(attempt -> attempt.mayHaveMissedAt(forwardedAt, TOLERANCE))) {
                lostResults++;
            } else {
                addViolation(
                        proposal.path(),
                        "the result of " + proposal + " was recorded as forwarded, but no client received it");
            }
        }
    }

    /** The proposal whose result an attempt received; empty if it received none. */
    private Optional<String> receivedResultOf(CallAttempt attempt) {
        return attempt.response()
                .filter(CallResponse::isFinal)
                .map(response -> response.run()
                        .flatMap(name -> Optional.ofNullable(runsByName.get(name)))
                        .map(ToolRun::proposal)
                        .orElse(response.proposal()));
    }

    private void checkResponse(CallAttempt attempt) {
        Optional<CallResponse> response = attempt.response().filter(CallResponse::isFinal);
        Optional<ProposalHistory> proposal =
                receivedResultOf(attempt).flatMap(id -> Optional.ofNullable(proposalsById.get(id)));
        if (response.isEmpty()) {
            return;
        }
        String path = attempt.callKey().path();
        String state = response.get().state();
        if (proposal.isEmpty()) {
            addViolation(path, attempt + " got an answer that belongs to no proposal: " + response.get());
        } else if (!proposal.get().path().equals(path)) {
            addViolation(path, attempt + " got the answer to another call: " + response.get());
        } else if (!state.isEmpty() && proposal.get().find(state).isEmpty()) {
            addViolation(path, attempt + " got an answer that the ledger contradicts: " + response.get());
        } else if (state.equals("withdrawn")
                && !attempt.isCancelled()
                && attempt.startedAt()
                        .isBefore(proposal.get().find(state).orElseThrow().at().minus(TOLERANCE))) {
            addViolation(path, attempt + " waited, and its call was withdrawn: " + response.get());
        }
    }

    private void checkNewCallsGetNewResults() {
        Map<String, CallAttempt> first = new HashMap<>();
        for (CallAttempt attempt : attempts) {
            receivedResultOf(attempt).ifPresent(id -> first.merge(id, attempt, RepeatedCallChecker::earlierResponse));
        }
        for (CallAttempt attempt : attempts) {
            receivedResultOf(attempt)
                    .map(first::get)
                    .filter(earlier -> attempt.startedAt().isAfter(respondedAt(earlier)))
                    .ifPresent(earlier -> addViolation(
                            attempt.callKey().path(), attempt + " got the result that " + earlier + " had received"));
        }
    }

    private static CallAttempt earlierResponse(CallAttempt one, CallAttempt other) {
        return respondedAt(other).isBefore(respondedAt(one)) ? other : one;
    }

    private static Instant respondedAt(CallAttempt attempt) {
        return attempt.response().orElseThrow().at();
    }

    private void addViolation(String path, String description) {
        violations.add(new GuaranteeViolation(
                description, CallTimeline.of(path, proposals, runs, attempts).lines()));
    }
}
