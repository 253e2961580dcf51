package dev.gavel.faults.chaos;

import dev.gavel.bench.client.ReceivedEnvelope;
import dev.gavel.faults.chaos.ParticipantJournal.JournalConnection;
import dev.gavel.faults.chaos.ParticipantJournal.ReceivedEntry;
import dev.gavel.faults.chaos.ParticipantJournal.SentEntry;
import dev.gavel.faults.cluster.GuaranteeViolation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Checks that every participant of a chaos run received everything meant for it, once and in order. Used by one thread,
 * after the run has settled.
 *
 * <ul>
 *   <li>On one connection, envelopes about proposals arrive in the order of the ledger, without a gap and each once,
 *       from {@code since} on, or from the welcome on if there is no {@code since}. The exception: a sender that
 *       resends an envelope receives another confirmation, at any time.
 *   <li>No envelope arrives about a proposal that the ledger does not contain.
 *   <li>Envelopes that one connection of a sender sent once do not overtake each other on any connection of a receiver.
 *       The exception is a replay: a receiver gets events from before its welcome ahead of everything else.
 *   <li>Any other envelope arrives at most once on a connection, and never if its sender received a refusal or no
 *       participant sent it. A receiver that moves to another gateway may receive there once more what was still in
 *       transit to it; {@link ChatSequenceChecker} checks that it was.
 * </ul>
 */
final class DeliveryChecker {
    private static final int REPLACED = 4001;
    private static final String GATEWAY = "system:gateway";
    private static final String NOTICE = "system:event-";
    private static final List<String> PROPOSAL_KIND_PREFIXES =
            List.of("mcp.proposal.", "mcpx.reject.", "mcpx.withdraw.", "mcpx.status.");

    private final ChaosLedgerHistory chaosLedgerHistory;
    private final List<ParticipantRunRecord> runRecords;
    private final ViolationEvidenceFinder violationEvidenceFinder;
    private final Map<String, SentPosition> sentPositions = new HashMap<>();
    private final Map<String, Integer> sendCounts = new HashMap<>();
    private final Set<String> refusedIds = new HashSet<>();
    private final Set<String> plainIds = new HashSet<>();
    private final List<GuaranteeViolation> violations = new ArrayList<>();

    /** The position of an envelope that was sent once, among those of its sender's connection. */
    private record SentPosition(String sender, JournalConnection journalConnection, int position) {}

    DeliveryChecker(
            ChaosLedgerHistory chaosLedgerHistory,
            List<ParticipantRunRecord> participantRunRecords,
            ViolationEvidenceFinder violationEvidenceFinder) {
        this.chaosLedgerHistory = chaosLedgerHistory;
        this.runRecords = participantRunRecords;
        this.violationEvidenceFinder = violationEvidenceFinder;
        for (ParticipantRunRecord each : participantRunRecords) {
            List<SentEntry> sent = each.journal().sent();
            for (int i = 0; i < sent.size(); i++) {
                SentEntry sentEntry = sent.get(i);
                if (sendCounts.merge(sentEntry.id(), 1, Integer::sum) == 1) {
                    sentPositions.put(sentEntry.id(), new SentPosition(each.name(), sentEntry.connection(), i));
                } else {
                    sentPositions.remove(sentEntry.id());
                }
                if (sentEntry.plain()) {
                    plainIds.add(sentEntry.id());
                }
            }
            each.refusals().keySet().stream().filter(plainIds::contains).forEach(refusedIds::add);
        }
    }

    List<GuaranteeViolation> check() {
        for (ParticipantRunRecord each : runRecords) {
            ParticipantJournal journal = each.journal();
            if (each.usesLibrary()) {
                checkLibrary(journal);
            } else {
                checkSockets(journal);
            }
            checkSenderOrder(journal);
            checkKnown(journal);
            checkPlainOnce(journal);
        }
        return violations;
    }

    private void checkSockets(ParticipantJournal journal) {
        Map<JournalConnection, List<ReceivedEntry>> byVisit = byConnection(journal);
        for (JournalConnection journalConnection : journal.connections()) {
            checkLedgerOrder(journal, journalConnection, byVisit.getOrDefault(journalConnection, List.of()));
        }
        checkLastDelivery(journal);
        checkReplaced(journal);
    }

    private static Map<JournalConnection, List<ReceivedEntry>> byConnection(ParticipantJournal journal) {
        Map<JournalConnection, List<ReceivedEntry>> byVisit = new HashMap<>();
        journal.received()
                .forEach(receivedEntry -> byVisit.computeIfAbsent(
                                receivedEntry.connection(), journalConnection -> new ArrayList<>())
                        .add(receivedEntry));
        return byVisit;
    }

    private void addViolation(String what, String... ids) {
        violations.add(new GuaranteeViolation(what, violationEvidenceFinder.find(ids)));
    }

    private void checkLedgerOrder(
            ParticipantJournal journal, JournalConnection journalConnection, List<ReceivedEntry> receivedEntries) {
        int next = chaosLedgerHistory.firstIndexAfter(journalConnection.replayStart());
        Set<String> seen = new HashSet<>();
        for (ReceivedEntry receivedEntry : receivedEntries) {
            String id = receivedEntry.envelope().id();
            int index = chaosLedgerHistory.indexOf(id);
            boolean isReply = receivedEntry.envelope().kind().equals("system.error");
            if (index < 0 || isReply) {
                continue;
            }
            boolean resent = receivedEntry.envelope().textField("from").equals(journal.name())
                    && sendCounts.getOrDefault(id, 0) > 1;
            if (!seen.add(id) && !resent) {
                addViolation(journal.name() + ", " + journalConnection + ", received " + id + " twice", id);
                return;
            }
            if (index == next || (journal.isDirected() && index > next)) {
                next = index + 1;
            } else if (!resent) {
                String expected = next < chaosLedgerHistory.expectedDeliveries().size()
                        ? chaosLedgerHistory.expectedDeliveries().get(next).id()
                        : "nothing";
                addViolation(
                        journal.name() + ", " + journalConnection + ", received " + id
                                + ", but the next event of the ledger is " + expected,
                        id,
                        expected);
                return;
            }
        }
    }

    private void checkSenderOrder(ParticipantJournal journal) {
        Map<JournalConnection, List<ReceivedEntry>> byVisit = byConnection(journal);
        for (JournalConnection journalConnection : journal.connections()) {
            checkSenderOrderOn(
                    journal.name() + ", " + journalConnection,
                    byVisit.getOrDefault(journalConnection, List.of()).stream()
                            .filter(receivedEntry -> !isReplayed(receivedEntry, journalConnection))
                            .toList());
        }
    }

    private boolean isReplayed(ReceivedEntry receivedEntry, JournalConnection journalConnection) {
        int index = chaosLedgerHistory.indexOf(receivedEntry.envelope().id());
        return index >= 0 && chaosLedgerHistory.expectedDeliveries().get(index).seq() <= journalConnection.welcomeSeq;
    }

    private void checkSenderOrderOn(String where, List<ReceivedEntry> receivedEntries) {
        Map<JournalConnection, ReceivedEntry> last = new HashMap<>();
        for (ReceivedEntry receivedEntry : receivedEntries) {
            String id = receivedEntry.envelope().id();
            SentPosition sentPosition = sentPositions.get(id);
            if (sentPosition == null || receivedEntry.envelope().kind().startsWith("system.")) {
                continue;
            }
            ReceivedEntry before = last.put(sentPosition.journalConnection(), receivedEntry);
            SentPosition earlier =
                    before == null ? null : sentPositions.get(before.envelope().id());
            if (before != null && earlier != null && earlier.position() > sentPosition.position()) {
                addViolation(
                        where + ", received " + id + " after "
                                + before.envelope().id() + ", but "
                                + sentPosition.sender() + " sent " + id + " first, on its "
                                + sentPosition.journalConnection(),
                        id,
                        before.envelope().id());
                return;
            }
        }
    }

    private void checkLastDelivery(ParticipantJournal journal) {
        if (!journal.isDirected()
                && !chaosLedgerHistory.expectedDeliveries().isEmpty()
                && !journal.hasReceived(
                        chaosLedgerHistory.expectedDeliveries().getLast().id())) {
            String last = chaosLedgerHistory.expectedDeliveries().getLast().id();
            addViolation(journal.name() + " did not receive the last event of the ledger, " + last, last);
        }
    }

    /** Checks that a connection was replaced only by a newer one. */
    private void checkReplaced(ParticipantJournal journal) {
        List<JournalConnection> journalConnections = journal.connections();
        for (int i = 0; i < journalConnections.size(); i++) {
            JournalConnection journalConnection = journalConnections.get(i);
            boolean newer = i + 1 < journalConnections.size()
                    && journalConnections.get(i + 1).openedAt < journalConnection.closedAt;
            if (journalConnection.closeCode == REPLACED && !newer) {
                addViolation(journal.name() + ", " + journalConnection + ", was replaced at"
                        + ParticipantJournal.seconds(journalConnection.closedAt)
                        + ", but there was no newer connection");
            }
        }
    }

    /** Checks that the library delivers each envelope once and in order, except its own resent ones. */
    private void checkLibrary(ParticipantJournal journal) {
        int first = Integer.MAX_VALUE;
        int last = -1;
        Set<String> seen = new HashSet<>();
        for (ReceivedEntry receivedEntry : journal.received()) {
            String id = receivedEntry.envelope().id();
            int index = chaosLedgerHistory.indexOf(id);
            if (index < 0) {
                continue;
            }
            if (!seen.add(id)) {
                addViolation("the library delivered " + id + " twice to " + journal.name(), id);
                return;
            }
            first = Math.min(first, index);
            if (receivedEntry.envelope().textField("from").equals(journal.name())) {
                continue;
            }
            if (index < last) {
                String before =
                        chaosLedgerHistory.expectedDeliveries().get(last).id();
                addViolation("the library delivered " + id + " to " + journal.name() + " after " + before, id, before);
                return;
            }
            last = index;
        }
        for (int index = first; index < chaosLedgerHistory.expectedDeliveries().size(); index++) {
            String id = chaosLedgerHistory.expectedDeliveries().get(index).id();
            if (!seen.contains(id)) {
                addViolation("the library did not deliver " + id + " to " + journal.name(), id);
                return;
            }
        }
    }

    /** Checks that every received envelope about a proposal is in the ledger, and that every other one was sent. */
    private void checkKnown(ParticipantJournal journal) {
        for (ReceivedEntry receivedEntry : journal.received()) {
            ReceivedEnvelope receivedEnvelope = receivedEntry.envelope();
            if (isAboutProposals(receivedEnvelope) && chaosLedgerHistory.indexOf(receivedEnvelope.id()) < 0) {
                addViolation(
                        journal.name() + ", " + receivedEntry.connection() + ", received " + receivedEnvelope.id()
                                + " (" + receivedEnvelope.kind() + "), which is not in the ledger",
                        receivedEnvelope.id());
            } else if (receivedEnvelope.kind().startsWith("chat.") && !plainIds.contains(receivedEnvelope.id())) {
                addViolation(
                        journal.name() + " received " + receivedEnvelope.id() + ", which no participant sent",
                        receivedEnvelope.id());
            }
        }
    }

    private static boolean isAboutProposals(ReceivedEnvelope receivedEnvelope) {
        String kind = receivedEnvelope.kind();
        if (receivedEnvelope.id().startsWith(NOTICE)) {
            return true;
        }
        if (PROPOSAL_KIND_PREFIXES.stream().anyMatch(kind::startsWith)) {
            return true;
        }
        // The gateway's requests to servers, and their responses, are about no proposal.
        boolean gatewaysOwn = receivedEnvelope.textField("from").equals(GATEWAY)
                || receivedEnvelope.text().contains("\"to\":[\"" + GATEWAY + "\"]");
        return !gatewaysOwn
                && !receivedEnvelope.correlationId().isEmpty()
                && (kind.startsWith("mcp.request.") || kind.startsWith("mcp.response."));
    }

    private void checkPlainOnce(ParticipantJournal journal) {
        Map<JournalConnection, Set<String>> heardOn = new HashMap<>();
        for (ReceivedEntry receivedEntry : journal.received()) {
            String id = receivedEntry.envelope().id();
            if (!plainIds.contains(id)) {
                continue;
            }
            if (!heardOn.computeIfAbsent(receivedEntry.connection(), journalConnection -> new HashSet<>())
                    .add(id)) {
                addViolation(journal.name() + ", " + receivedEntry.connection() + ", received " + id + " twice", id);
            }
            if (refusedIds.contains(id)) {
                addViolation(journal.name() + " received " + id + ", which was refused", id);
            }
        }
    }
}
