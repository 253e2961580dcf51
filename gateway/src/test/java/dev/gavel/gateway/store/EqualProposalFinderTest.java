package dev.gavel.gateway.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.gateway.proposal.CallerStatusNote;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which proposals are not stored, because their proposer waits for an equal one. */
class EqualProposalFinderTest {
    @TempDir
    Path directory;

    private ProposalStoreFixture room;

    @BeforeEach
    void open() {
        room = new ProposalStoreFixture(directory);
        room.joinsEqualProposal = true;
        propose("w-1", "write", "{'path':'x','text':'1'}");
    }

    @AfterEach
    void close() {
        room.close();
    }

    private ProposalStoreResult propose(String id, String tool, String arguments) {
        return propose(id, tool, arguments, "");
    }

    private ProposalStoreResult propose(String id, String tool, String arguments, String meta) {
        return room.submit(
                id,
                "agent",
                "mcp.proposal.tools/call:" + tool,
                "{'method':'tools/call','params':{'name':'" + tool + "','arguments':" + arguments + meta + "}}",
                List.of("files"),
                List.of());
    }

    private ProposalStoreResult repeat() {
        return propose("w-2", "write", "{'text':'1','path':'x'}", ",'_meta':{'progressToken':'w-2'}");
    }

    /** Approves the first proposal as proposed. */
    private void approve() {
        assertStored(room.submit(
                "f-1",
                "bob",
                "mcp.request.tools/call:write",
                "{'method':'tools/call','params':{'name':'write','arguments':{'path':'x','text':'1'}}}",
                List.of("files"),
                List.of("w-1")));
    }

    private static void assertJoins(ProposalStoreResult result) {
        assertThat(result)
                .isInstanceOfSatisfying(
                        ProposalStoreResult.EqualProposal.class,
                        equal -> assertThat(equal.proposal()).isEqualTo("w-1"));
    }

    private static void assertStored(ProposalStoreResult result) {
        assertThat(result).isInstanceOf(ProposalStoreResult.Committed.class);
    }

    @Test
    void anEqualProposalIsNotStored() {
        int sent = room.sent.size();
        assertJoins(repeat());
        assertThat(room.sent).hasSize(sent);
    }

    @Test
    void aRunningCallIsJoined() {
        approve();
        assertJoins(repeat());
    }

    @Test
    void aResultThatNoClientReceivedIsJoined() {
        approve();
        room.answer("f-1");
        assertJoins(repeat());
        room.proposalStore.markForwarded("w-1", "one", _ -> {});
        assertStored(repeat());
    }

    @Test
    void theResultOfATaskIsNotJoined() {
        room.remark(
                "agent",
                "status",
                "{'status':'queued','note':'" + CallerStatusNote.HELD_AS_TASK.text() + "'}",
                List.of("w-1"));
        approve();
        assertJoins(repeat());
        room.answer("f-1");
        assertStored(repeat());
    }

    @Test
    void aWithdrawnProposalIsNotJoined() {
        room.remark("agent", "withdraw", "{}", List.of("w-1"));
        assertStored(repeat());
    }

    @Test
    void anOldProposalIsNotJoined() {
        room.advanceTime(Duration.ofMinutes(1));
        assertStored(repeat());
    }

    @Test
    void aProposalOfAProposerThatDoesNotJoinIsStored() {
        room.joinsEqualProposal = false;
        assertStored(repeat());
    }

    @ParameterizedTest
    @ValueSource(strings = {"{'path':'y','text':'1'}", "{'path':'x'}", "{'path':'x','text':1}"})
    void otherArgumentsMakeAnotherCall(String arguments) {
        assertStored(propose("w-2", "write", arguments));
    }

    @Test
    void anotherToolOrCallIdMakesAnotherCall() {
        assertStored(propose("w-2", "read", "{'path':'x','text':'1'}"));
        assertStored(propose("w-3", "write", "{'path':'x','text':'1'}", ",'_meta':{'dev.gavel/callId':'b'}"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{'path':'x'}", "{'path':'y'}"})
    void largeResultsOfRecentCallsDoNotPreventAProposal(String arguments) {
        for (int i = 2; i <= 4; i++) {
            assertStored(propose("w-" + i, "write", "{'path':'x'}"));
            assertStored(room.submit(
                    "f-" + i,
                    "bob",
                    "mcp.request.tools/call:write",
                    "{'method':'tools/call','params':{'name':'write','arguments':{'path':'x'}}}",
                    List.of("files"),
                    List.of("w-" + i)));
            assertStored(room.answer("f-" + i, "{'result':{'content':'" + "x".repeat(12_000_000) + "'}}"));
            room.proposalStore.markForwarded("w-" + i, "one", _ -> {});
        }
        assertStored(propose("w-5", "write", arguments));
    }

    @Test
    void aProposalThatNoClientWaitsForIsNotJoined() {
        assertStored(propose("t-2", "write", "{'path':'x','text':'1'}"));
    }
}
