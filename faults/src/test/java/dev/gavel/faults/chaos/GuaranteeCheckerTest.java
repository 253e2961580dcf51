package dev.gavel.faults.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.bench.client.ReceivedEnvelope;
import dev.gavel.faults.chaos.ParticipantJournal.JournalConnection;
import dev.gavel.faults.chaos.ToolRunLog.Run;
import dev.gavel.faults.cluster.GuaranteeViolation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that violations are found: each test records a short valid history, and then the same one with an error. */
class GuaranteeCheckerTest {
    private final ParticipantJournal p0 = new ParticipantJournal("p0", false, System.nanoTime());
    private final ParticipantJournal w0 = new ParticipantJournal("w0", false, System.nanoTime());
    private final JournalConnection senderConnection = begin(p0, JournalConnection.NO_REPLAY, 0);
    private final JournalConnection watcherConnection = begin(w0, JournalConnection.NO_REPLAY, 0);
    private final List<String> ledger = new ArrayList<>();
    private Set<String> echoes = Set.of("p0-0");
    private Map<String, String> refusals = Map.of();
    private final List<Run> runs = new ArrayList<>();
    private final List<GatewayConnectionTrace> traces = new ArrayList<>();
    private boolean byLibrary;

    private static JournalConnection begin(ParticipantJournal journal, long since, long welcomed) {
        JournalConnection journalConnection = journal.openConnection(0, since);
        journal.onWelcome(journalConnection, welcomed);
        return journalConnection;
    }

    private void event(String proposal, String type, String by, String envelope) {
        ledger.add("{\"topic\":\"ops\",\"seq\":%d,\"proposal\":\"%s\",\"type\":\"%s\",\"by\":\"%s\"%s,\"body\":{}}"
                .formatted(
                        ledger.size() + 1,
                        proposal,
                        type,
                        by,
                        envelope.isEmpty() ? "" : ",\"envelope\":\"" + envelope + "\""));
    }

    private void receive(
            ParticipantJournal journal,
            JournalConnection journalConnection,
            String from,
            String id,
            String kind,
            String about) {
        ReceivedEnvelope envelope = new ReceivedEnvelope(
                "{\"from\":\"%s\",\"id\":\"%s\",\"correlationId\":\"%s\",\"kind\":\"%s\",\"payload\":{}}"
                        .formatted(from, id, about, kind));
        journal.received(journalConnection, envelope);
        // Each message has its own gateway process, whose sequence is trivially right; ChatSequenceCheckerTest has
        // more.
        GatewayConnectionTrace trace =
                new GatewayConnectionTrace("gateway-0", traces.size(), 1, journal.name(), journal.isDirected());
        trace.record(envelope);
        traces.add(trace);
    }

    private void everybodyHears(String from, String id, String kind, String about) {
        receive(p0, senderConnection, from, id, kind, about);
        receive(w0, watcherConnection, from, id, kind, about);
    }

    private void recordProposal() {
        p0.sent(senderConnection, "p0-0", false);
        event("p0-0", "proposed", "p0", "p0-0");
        everybodyHears("p0", "p0-0", "mcp.proposal.x", "");
    }

    private void expired() {
        event("p0-0", "expired", "system:gateway", "");
        everybodyHears("system:gateway", "system:event-2", "system.proposal.expired", "p0-0");
    }

    private void run(String request) {
        runs.add(new Run("p0-0", request, "files-a", "/tmp/p0-0"));
    }

    private void fulfilledAndAnswered() {
        event("p0-0", "fulfilled", "r0", "f-1");
        everybodyHears("r0", "f-1", "mcp.request.x", "p0-0");
        event("p0-0", "answered", "files-a", "a-1");
        everybodyHears("files-a", "a-1", "mcp.response.x", "f-1");
    }

    private List<String> verdict() {
        return GuaranteeChecker.check(
                        new ChaosLedgerHistory(ledger),
                        List.of(
                                new ParticipantRunRecord(p0, echoes, refusals, false, List.of()),
                                new ParticipantRunRecord(w0, Set.of(), Map.of(), byLibrary, List.of())),
                        Map.of(),
                        runs,
                        traces)
                .stream()
                .map(GuaranteeViolation::description)
                .toList();
    }

    @Test
    void whereAllIsWellThereIsNothingToSay() {
        recordProposal();
        expired();
        p0.sent(senderConnection, "p0-1", true);
        receive(w0, watcherConnection, "p0", "p0-1", "chat.message", "");
        assertThat(verdict()).isEmpty();
    }

    @Test
    void aProposalHasExactlyOneEnd() {
        recordProposal();
        assertThat(verdict()).containsExactly("proposal p0-0 has 0 ends");
        expired();
        event("p0-0", "withdrawn", "p0", "w-p0-0");
        everybodyHears("p0", "w-p0-0", "mcpx.withdraw.proposal", "p0-0");
        assertThat(verdict()).containsExactly("proposal p0-0 has 2 ends");
    }

    @Test
    void whatWasEchoedIsInTheLedgerAndWhatWasRefusedIsNot() {
        recordProposal();
        expired();
        echoes = Set.of("p0-0", "p0-3");
        refusals = Map.of("p0-0", "proposal_closed");
        assertThat(verdict())
                .containsExactly(
                        "p0-3 was echoed to p0 but is not in the ledger",
                        "p0-0 was refused with proposal_closed but is in the ledger");
    }

    @Test
    void aFulfilmentIsSeenUnderOneIdAndHasAnOutcome() {
        recordProposal();
        event("p0-0", "fulfilled", "r0", "f-1");
        everybodyHears("r0", "f-1", "mcp.request.x", "p0-0");
        run("f-1");
        assertThat(verdict()).containsExactly("proposal p0-0 was approved but has no outcome");
        receive(w0, watcherConnection, "r1", "f-2", "mcp.request.x", "p0-0");
        assertThat(verdict()).anyMatch(line -> line.startsWith("proposal p0-0 has several approvals: ["));
    }

    @Test
    void whatWasFulfilledIsRunOnce() {
        recordProposal();
        fulfilledAndAnswered();
        assertThat(verdict()).containsExactly("proposal p0-0 was approved but did not run");
        run("f-1");
        assertThat(verdict()).isEmpty();
        run("f-1");
        assertThat(verdict()).singleElement().asString().startsWith("proposal p0-0 ran 2 times: ");
    }

    @Test
    void nothingIsRunThatTheLedgerDoesNotHaveAsFulfilledOrWithSomethingElse() {
        recordProposal();
        expired();
        runs.add(new Run("p0-0", "f-1", "files-a", "/tmp/else"));
        assertThat(verdict())
                .containsExactly(
                        "Run[proposal=p0-0, request=f-1, server=files-a, path=/tmp/else] ran, but the ledger has no"
                                + " such approval",
                        "Run[proposal=p0-0, request=f-1, server=files-a, path=/tmp/else] differs from its proposal");
    }

    @ParameterizedTest
    @CsvSource({
        "p9-1, mcp.proposal.x, ''",
        "f-9, mcp.request.x, p0-0",
        "a-9, mcp.response.x, f-9",
        "n-9, mcpx.reject.proposal, p0-0",
        "w-9, mcpx.withdraw.proposal, p0-0",
        "s-9, mcpx.status.proposal, p0-0",
        "system:event-99, system.proposal.expired, p0-0"
    })
    void nothingIsToldOfProposalsThatTheLedgerNeverHad(String id, String kind, String about) {
        recordProposal();
        expired();
        receive(w0, watcherConnection, "r0", id, kind, about);
        receive(w0, watcherConnection, "r0", id, kind, about);
        String never = "w0, connection 0 to gateway-0, received " + id + " (" + kind + "), which is not in the ledger";
        assertThat(verdict()).containsExactly(never, never);
        byLibrary = true;
        assertThat(verdict()).containsExactly(never, never);
    }

    @Test
    void whatIsAboutNoProposalTheLedgerNeedNotHave() {
        recordProposal();
        expired();
        receive(w0, watcherConnection, "r0", "q-1", "mcp.request.tools/list", "");
        receive(w0, watcherConnection, "system:gateway", "q-2", "mcp.request.tools/list", "q-0");
        receive(w0, watcherConnection, "system:gateway", "e-1", "system.error", "p0-0");
        w0.received(
                watcherConnection,
                new ReceivedEnvelope(
                        "{\"from\":\"files-a\",\"id\":\"a-2\",\"to\":[\"system:gateway\"],\"correlationId\":\"q-2\","
                                + "\"kind\":\"mcp.response.tools/list\",\"payload\":{}}"));
        assertThat(verdict()).isEmpty();
        receive(w0, watcherConnection, "p0", "p0-5", "chat.message", "");
        assertThat(verdict()).containsExactly("w0 received p0-5, which no participant sent");
    }

    @Test
    void aClosingReachesItsProposer() {
        recordProposal();
        event("p0-0", "expired", "system:gateway", "");
        receive(w0, watcherConnection, "system:gateway", "system:event-2", "system.proposal.expired", "p0-0");
        assertThat(verdict())
                .containsExactly(
                        "proposal p0-0: the event expired did not reach p0",
                        "p0 did not receive the last event of the ledger, system:event-2");
    }

    @Test
    void nothingIsLeftOut() {
        recordProposal();
        expired();
        JournalConnection later = begin(w0, 0, 2);
        receive(w0, later, "system:gateway", "system:event-2", "system.proposal.expired", "p0-0");
        assertThat(verdict())
                .containsExactly(
                        "w0, connection 1 to gateway-0, received system:event-2, but the next event of the ledger is p0-0");
    }

    @Test
    void onResumingNothingIsToldThatWasNotAskedFor() {
        recordProposal();
        expired();
        JournalConnection later = begin(w0, 1, 2);
        receive(w0, later, "system:gateway", "system:event-2", "system.proposal.expired", "p0-0");
        assertThat(verdict()).isEmpty();
        receive(w0, later, "system:gateway", "system:event-2", "system.proposal.expired", "p0-0");
        assertThat(verdict()).containsExactly("w0, connection 1 to gateway-0, received system:event-2 twice");
    }

    @Test
    void whoSendsAgainIsToldOnceMore() {
        recordProposal();
        expired();
        p0.sent(senderConnection, "p0-0", false);
        receive(p0, senderConnection, "p0", "p0-0", "mcp.proposal.x", "");
        assertThat(verdict()).isEmpty();
    }

    @Test
    void nothingOvertakesWhatTheSameConnectionSentBefore() {
        p0.sent(senderConnection, "p0-7", true);
        recordProposal();
        expired();
        receive(w0, watcherConnection, "p0", "p0-7", "chat.message", "");
        assertThat(verdict())
                .containsExactly(
                        "w0, connection 0 to gateway-0, received p0-7 after p0-0, but p0 sent p0-7 first, on its connection"
                                + " 0 to gateway-0");
    }

    @Test
    void whatHappenedBeforeAWelcomeMayOvertake() {
        p0.sent(senderConnection, "p0-7", true);
        recordProposal();
        expired();
        JournalConnection later = begin(w0, 0, 2);
        receive(w0, later, "p0", "p0-0", "mcp.proposal.x", "");
        receive(w0, later, "system:gateway", "system:event-2", "system.proposal.expired", "p0-0");
        receive(w0, later, "p0", "p0-7", "chat.message", "");
        assertThat(verdict()).isEmpty();
    }

    @Test
    void anythingElseComesOnceAndNotAtAllWhereItWasRefused() {
        recordProposal();
        expired();
        p0.sent(senderConnection, "p0-8", true);
        receive(w0, watcherConnection, "p0", "p0-8", "chat.message", "");
        refusals = Map.of("p0-8", "unavailable");
        assertThat(verdict()).containsExactly("w0 received p0-8, which was refused");
        refusals = Map.of();
        receive(w0, watcherConnection, "p0", "p0-8", "chat.message", "");
        assertThat(verdict()).containsExactly("w0, connection 0 to gateway-0, received p0-8 twice");
    }

    @Test
    void whoMovesMayHearSomethingElseOnceMore() {
        recordProposal();
        expired();
        p0.sent(senderConnection, "p0-8", true);
        receive(w0, watcherConnection, "p0", "p0-8", "chat.message", "");
        receive(w0, begin(w0, JournalConnection.NO_REPLAY, 2), "p0", "p0-8", "chat.message", "");
        assertThat(verdict()).isEmpty();
    }

    @Test
    void aConnectionGivesWayToANewerOneOnly() {
        recordProposal();
        expired();
        w0.onClose(watcherConnection, 4001);
        assertThat(verdict()).singleElement().asString().startsWith("w0, connection 0 to gateway-0, was replaced at");
    }

    @Test
    void theLibraryAgreesWithTheLedger() {
        recordProposal();
        expired();
        List<ParticipantRunRecord> participantRunRecords = List.of(
                new ParticipantRunRecord(p0, echoes, refusals, false, List.of()),
                new ParticipantRunRecord(w0, Set.of(), Map.of(), true, List.of("ended the participation: replaced")));
        assertThat(GuaranteeChecker.check(
                        new ChaosLedgerHistory(ledger),
                        participantRunRecords,
                        Map.of("p0-0", "Withdrawn", "p0-9", "Refused: unavailable"),
                        List.of(),
                        List.of()))
                .extracting(GuaranteeViolation::description)
                .containsExactly(
                        "the library of w0 ended the participation: replaced",
                        "the library reported Withdrawn for p0-0, but the ledger has Expired");
        assertThat(GuaranteeChecker.check(
                        new ChaosLedgerHistory(ledger),
                        participantRunRecords,
                        Map.of("p0-0", "Refused: unavailable"),
                        List.of(),
                        List.of()))
                .extracting(GuaranteeViolation::description)
                .contains("the library reported that p0-0 was refused, but the ledger has Expired");
        assertThat(GuaranteeChecker.check(
                        new ChaosLedgerHistory(ledger),
                        participantRunRecords,
                        Map.of("p0-9", "Refused: own_proposal"),
                        List.of(),
                        List.of()))
                .extracting(GuaranteeViolation::description)
                .contains("the library reported that p0-9 was refused with own_proposal");
    }

    @Test
    void theEvidenceIsWhatTheLedgerAndEverybodyHasOfIt() {
        recordProposal();
        List<ParticipantRunRecord> participantRunRecords =
                List.of(new ParticipantRunRecord(p0, echoes, refusals, false, List.of()));
        assertThat(GuaranteeChecker.check(
                                new ChaosLedgerHistory(ledger), participantRunRecords, Map.of(), List.of(), List.of())
                        .getFirst()
                        .evidence())
                .hasSize(3)
                .first()
                .asString()
                .startsWith("ledger {\"topic\":\"ops\",\"seq\":1,");
    }
}
