package dev.gavel.gateway.proposal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.lifecycle.answer.Guidance;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ProposalGuideTest {
    private final Room room = new Room();
    private final String id = room.proposed().id();

    private Guidance to(String reader) {
        return room.guide(id, reader).guidance();
    }

    @Test
    void theProposerKnowsWhoIsWaitedForAndUntilWhen() {
        Guidance guidance = to("agent");
        assertThat(guidance.status()).isEqualTo("waiting for alice or bob, who are here; expires 10:15");
        assertThat(guidance.mustAct())
                .extracting(holding -> holding.who().toString())
                .containsExactly("alice", "bob");
        assertThat(guidance.since()).isEqualTo(Room.START);
        assertThat(guidance.expected().orElseThrow().by())
                .isEqualTo(room.proposal(id).expiresAt());
        assertThat(guidance.nextStep()).contains("wait", "withdraw");
    }

    @Test
    void theProposerKnowsWhenNobodyIsHere() {
        room.leave("alice", "bob");
        Guidance guidance = to("agent");
        assertThat(guidance.status()).isEqualTo("waiting for alice or bob, who are not here now; expires 10:15");
        assertThat(guidance.mustAct()).isEmpty();
        assertThat(guidance.waitingOn()).extracting(Object::toString).containsExactly("alice", "bob");
        assertThat(guidance.nextStep()).contains("Ask alice or bob to decide it");
    }

    @Test
    void aReviewerIsToldHowToApproveAndHowToReject() {
        assertThat(to("bob").nextStep())
                .isEqualTo("Approve it: send mcp.request.tools/call:write_file with correlationId '" + id
                        + "' to whoever is to run it; or reject it with mcpx.reject.proposal and a reason.");
        assertThat(to("carol").nextStep()).contains("If you object").contains("up to alice or bob");
        assertThat(to("files").nextStep()).contains("Nothing for you").contains("up to alice or bob");
    }

    @Test
    void whoSaidNoIsNoLongerWaitedForAndWhatWasSaidIsThere() {
        room.reject("alice", "busy", id);
        room.remark("bob", "status", "{'status':'considering','note':'reading\\nit'}", id);
        assertThat(to("agent").status())
                .isEqualTo("waiting for bob, who is here; rejected so far: alice (busy);"
                        + " bob says considering (reading it); expires 10:15");
    }

    @Test
    void aTargetWhoIsAwayIsNamedAndSoIsWhoElseCould() {
        String targeted = room.proposed("bob", "files").id();
        room.leave("bob");
        assertThat(room.guide(targeted, "agent").guidance().status())
                .isEqualTo("waiting for bob, who is not here now; alice, who is here, could do it too; expires 10:15");
    }

    @Test
    void aFulfilmentIsWaitedFor() {
        room.request("alice", id, "mcp.request.tools/call", Room.WRITE_TMP, "files");
        Guidance guidance = to("agent");
        assertThat(guidance.status())
                .isEqualTo("approved by alice, with other arguments, at 10:00; waiting for files to answer by 10:10");
        assertThat(guidance.mustAct())
                .extracting(holding -> holding.who().toString())
                .containsExactly("files");
        assertThat(to("files").nextStep()).contains("mcp.response.tools/call:write_file");
        room.pass(Duration.ofMinutes(10));
        room.carryOut(id);
        assertThat(to("agent").status()).contains("unknown, because files did not answer in time");
        assertThat(to("agent").nextStep()).contains("Find out with files");
        room.answer("files", id, "{'error':{}}");
        assertThat(to("agent").status()).endsWith("it failed");
    }

    @Test
    void endsAreSaidWithTheirReasons() {
        room.remark("alice", "reject", "{'reason':'policy','note':'not on Fridays'}", id);
        assertThat(to("agent").status()).isEqualTo("rejected at 10:00: alice (policy: not on Fridays)");
        String withdrawn = room.proposed().id();
        room.remark("agent", "withdraw", "{'reason':'No longer needed'}", withdrawn);
        assertThat(room.guide(withdrawn, "bob").guidance().status())
                .isEqualTo("withdrawn by agent at 10:00: No longer needed");
        String expired = room.proposed().id();
        room.pass(Duration.ofDays(1));
        assertThat(room.guide(expired, "agent").guidance().status())
                .isEqualTo("expired at 2026-01-05 10:15: nobody decided it in time");
        assertThat(room.guide(expired, "agent").guidance().state()).isEqualTo("expired");
    }

    @Test
    void aLongNoteDoesNotMakeALongSentence() {
        room.reject("carol", "x".repeat(4000), id);
        assertThat(to("agent").status()).hasSizeLessThan(400);
    }

    @Test
    void whoeverIsHereAndMayAnswerCouldRunIt() {
        assertThat(room.guide(id, "alice").couldRun()).containsExactly("files");
        room.leave("files");
        assertThat(room.guide(id, "alice").couldRun()).isEmpty();
        room.come("files");
        room.fulfil("alice", id, "files");
        assertThat(room.guide(id, "alice").couldRun()).isEmpty();
    }
}
