package dev.gavel.faults.chaos;

import dev.gavel.bench.client.ReceivedEnvelope;
import dev.gavel.client.End;
import dev.gavel.faults.chaos.ChaosLedgerHistory.LedgerEvent;
import dev.gavel.faults.chaos.ParticipantJournal.ReceivedEntry;
import dev.gavel.faults.chaos.ToolRunLog.Run;
import dev.gavel.faults.cluster.GuaranteeViolation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Checks after a chaos run, from the ledger, the participants' journals and the tool runs, that all guarantees held.
 * Used by one thread, after the run has settled.
 */
final class GuaranteeChecker {
    static final Set<String> END_TYPES = Set.of("fulfilled", "closed_by_rejections", "withdrawn", "expired");

    /** The only errors that a participant may receive when it loses a race. */
    static final Set<String> LOST_RACE_CODES = Set.of("proposal_closed", "already_fulfilled");

    /** The prefix of the library's outcome of a refused proposal; the reason follows. */
    static final String REFUSED_PREFIX = "Refused: ";

    private final ChaosLedgerHistory chaosLedgerHistory;
    private final List<ParticipantRunRecord> runRecords;
    private final Map<String, String> reportedOutcomes;
    private final List<Run> toolRuns;
    private final ViolationEvidenceFinder violationEvidenceFinder;
    private final List<GuaranteeViolation> violations = new ArrayList<>();

    private GuaranteeChecker(
            ChaosLedgerHistory chaosLedgerHistory,
            List<ParticipantRunRecord> participantRunRecords,
            Map<String, String> outcomes,
            List<Run> runs) {
        this.chaosLedgerHistory = chaosLedgerHistory;
        this.runRecords = participantRunRecords;
        this.reportedOutcomes = outcomes;
        this.toolRuns = runs;
        this.violationEvidenceFinder = new ViolationEvidenceFinder(
                chaosLedgerHistory,
                participantRunRecords.stream()
                        .map(ParticipantRunRecord::journal)
                        .toList());
    }

    /**
     * Returns all violations.
     *
     * @param outcomes the outcome of each proposal as the library reported it to its proposer: the name of a part of
     *     {@link End}, or {@link #REFUSED_PREFIX} with the reason
     * @param runs the tool runs that took place
     * @param traces what each gateway sent on each connection
     */
    static List<GuaranteeViolation> check(
            ChaosLedgerHistory chaosLedgerHistory,
            List<ParticipantRunRecord> participantRunRecords,
            Map<String, String> outcomes,
            List<Run> runs,
            List<GatewayConnectionTrace> traces) {
        GuaranteeChecker guaranteeChecker =
                new GuaranteeChecker(chaosLedgerHistory, participantRunRecords, outcomes, runs);
        guaranteeChecker.checkSequence();
        guaranteeChecker.checkEnvelopes();
        guaranteeChecker.checkEnds();
        guaranteeChecker.checkRequests();
        guaranteeChecker.checkToolRuns();
        guaranteeChecker.checkProposerNotices();
        guaranteeChecker.checkLibrary();
        guaranteeChecker.violations.addAll(
                new DeliveryChecker(chaosLedgerHistory, participantRunRecords, guaranteeChecker.violationEvidenceFinder)
                        .check());
        guaranteeChecker.violations.addAll(
                new ChatSequenceChecker(traces, participantRunRecords, guaranteeChecker.violationEvidenceFinder)
                        .check());
        return guaranteeChecker.violations;
    }

    private void addViolation(String what, String... ids) {
        violations.add(new GuaranteeViolation(what, violationEvidenceFinder.find(ids)));
    }

    private void checkSequence() {
        for (int i = 0; i < chaosLedgerHistory.events().size(); i++) {
            if (chaosLedgerHistory.events().get(i).seq() != i + 1) {
                addViolation("the ledger's sequence numbers have a gap before "
                        + chaosLedgerHistory.events().get(i).seq());
                return;
            }
        }
    }

    private void checkEnvelopes() {
        Map<String, Integer> counts = new HashMap<>();
        for (LedgerEvent event : chaosLedgerHistory.events()) {
            if (!event.envelope().isEmpty() && counts.merge(event.envelope(), 1, Integer::sum) == 2) {
                addViolation("envelope " + event.envelope() + " is in the ledger twice", event.envelope());
            }
        }
        for (ParticipantRunRecord each : runRecords) {
            for (String id : each.echoes()) {
                if (!counts.containsKey(id)) {
                    addViolation(id + " was echoed to " + each.name() + " but is not in the ledger", id);
                }
            }
            each.refusals().forEach((id, code) -> {
                if (counts.containsKey(id)) {
                    addViolation(id + " was refused with " + code + " but is in the ledger", id);
                } else if (isAboutProposal(each, id) && !LOST_RACE_CODES.contains(code)) {
                    addViolation(id + " of " + each.name() + " was refused with " + code, id);
                }
            });
        }
    }

    private static boolean isAboutProposal(ParticipantRunRecord sender, String id) {
        return sender.journal().sent().stream()
                .anyMatch(sentEntry -> sentEntry.id().equals(id) && !sentEntry.plain());
    }

    private void checkEnds() {
        chaosLedgerHistory.proposals().forEach((proposal, events) -> {
            if (!events.getFirst().type().equals("proposed")) {
                addViolation("the first event of proposal " + proposal + " is not 'proposed'", proposal);
            }
            long ends =
                    events.stream().filter(e -> END_TYPES.contains(e.type())).count();
            if (ends != 1) {
                addViolation("proposal " + proposal + " has " + ends + " ends", proposal);
            }
            long answers = count(events, "answered");
            long unknown = count(events, "outcome_unknown");
            boolean fulfilled = count(events, "fulfilled") > 0;
            if (fulfilled && answers + unknown == 0) {
                addViolation("proposal " + proposal + " was approved but has no outcome", proposal);
            }
            if (answers > 1 || unknown > 1 || (!fulfilled && answers + unknown > 0)) {
                addViolation(
                        "proposal " + proposal + " has " + answers + " results and " + unknown + " unknown outcomes",
                        proposal);
            }
        });
    }

    private static long count(List<LedgerEvent> events, String type) {
        return events.stream().filter(event -> event.type().equals(type)).count();
    }

    /** Checks that the participants received at most one fulfilment of each proposal. */
    private void checkRequests() {
        Map<String, Set<String>> requests = new LinkedHashMap<>();
        for (ParticipantRunRecord each : runRecords) {
            for (ReceivedEntry receivedEntry : each.journal().received()) {
                ReceivedEnvelope receivedEnvelope = receivedEntry.envelope();
                if (receivedEnvelope.kind().startsWith("mcp.request.")
                        && !receivedEnvelope.correlationId().isEmpty()) {
                    requests.computeIfAbsent(receivedEnvelope.correlationId(), id -> new HashSet<>())
                            .add(receivedEnvelope.id());
                }
            }
        }
        requests.forEach((proposal, ids) -> {
            if (ids.size() > 1) {
                addViolation("proposal " + proposal + " has several approvals: " + ids, proposal);
            }
        });
    }

    /** Checks that each fulfilled proposal ran once, and nothing else ran. */
    private void checkToolRuns() {
        Map<String, List<Run>> byProposal = new LinkedHashMap<>();
        for (Run run : toolRuns) {
            byProposal.computeIfAbsent(run.proposal(), id -> new ArrayList<>()).add(run);
            boolean ledgerOutcome = chaosLedgerHistory.proposals().getOrDefault(run.proposal(), List.of()).stream()
                    .anyMatch(event ->
                            event.type().equals("fulfilled") && event.envelope().equals(run.request()));
            if (!ledgerOutcome) {
                addViolation(run + " ran, but the ledger has no such approval", run.proposal(), run.request());
            }
            if (!run.path().equals("/tmp/" + run.proposal())) {
                addViolation(run + " differs from its proposal", run.proposal(), run.request());
            }
        }
        byProposal.forEach((proposal, all) -> {
            if (all.size() > 1) {
                addViolation("proposal " + proposal + " ran " + all.size() + " times: " + all, proposal);
            }
        });
        chaosLedgerHistory.proposals().forEach((proposal, events) -> {
            if (count(events, "fulfilled") > 0 && !byProposal.containsKey(proposal)) {
                addViolation("proposal " + proposal + " was approved but did not run", proposal);
            }
        });
    }

    private void checkProposerNotices() {
        Map<String, ParticipantJournal> byName = new HashMap<>();
        runRecords.forEach(each -> byName.put(each.name(), each.journal()));
        chaosLedgerHistory.proposals().forEach((proposal, events) -> {
            ParticipantJournal proposer = byName.get(events.getFirst().by());
            if (proposer == null) {
                addViolation("proposal " + proposal + " has an unknown proposer", proposal);
                return;
            }
            for (LedgerEvent event : events) {
                String deliveryId = event.noticeId().isEmpty() ? event.envelope() : event.noticeId();
                if ((END_TYPES.contains(event.type()) || event.type().equals("answered"))
                        && !proposer.hasReceived(deliveryId)) {
                    addViolation(
                            "proposal " + proposal + ": the event " + event.type() + " did not reach "
                                    + proposer.name(),
                            proposal);
                }
            }
        });
    }

    private void checkLibrary() {
        for (ParticipantRunRecord each : runRecords) {
            each.errors().forEach(complaint -> addViolation("the library of " + each.name() + " " + complaint));
        }
        reportedOutcomes.forEach((id, end) -> {
            String ledgerOutcome = ledgerOutcome(chaosLedgerHistory.proposals().getOrDefault(id, List.of()));
            if (end.startsWith(REFUSED_PREFIX)) {
                String code = end.substring(REFUSED_PREFIX.length());
                if (!code.equals("unavailable")) {
                    addViolation("the library reported that " + id + " was refused with " + code, id);
                }
                if (!ledgerOutcome.equals(REFUSED_PREFIX)) {
                    addViolation(
                            "the library reported that " + id + " was refused, but the ledger has " + ledgerOutcome,
                            id);
                }
                return;
            }
            // A late answer changes the ledger after the library reported the end.
            if (!end.equals(ledgerOutcome) && !(end.equals("Unknown") && ledgerOutcome.equals("Succeeded"))) {
                addViolation(
                        "the library reported " + end + " for " + id + ", but the ledger has " + ledgerOutcome, id);
            }
        });
    }

    private static String ledgerOutcome(List<LedgerEvent> events) {
        if (events.isEmpty()) {
            return REFUSED_PREFIX;
        }
        for (LedgerEvent event : events) {
            switch (event.type()) {
                case "closed_by_rejections" -> {
                    return "Rejected";
                }
                case "withdrawn" -> {
                    return "Withdrawn";
                }
                case "expired" -> {
                    return "Expired";
                }
                case "fulfilled" -> {
                    return count(events, "answered") > 0 ? "Succeeded" : "Unknown";
                }
                default -> {}
            }
        }
        return "open";
    }
}
