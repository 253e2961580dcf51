package dev.gavel.gateway.proposal;

import static dev.gavel.gateway.proposal.Room.route;
import static dev.gavel.gateway.proposal.Room.taken;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.EnvelopeReader;
import dev.gavel.mcpx.ErrorCode;
import dev.gavel.mcpx.Limits;
import dev.gavel.mcpx.Spelling;
import dev.gavel.mcpx.SystemMessage;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** One envelope about several proposals. */
class BatchTest {
    private final Room room = new Room();
    private final String first = room.proposed().id();
    private final String second = room.proposed().id();
    private final String closed = room.proposed().id();

    @Test
    void itIsDoneToEachAndRoutedWithThoseThatSucceededAndEachOtherGetsAnError() {
        room.withdraw("agent", closed);
        Ruling.Taken taken = taken(room.reject("alice", "policy", second, "nowhere", closed, first));
        assertThat(taken.entries()).extracting(Entry::subject).containsExactly(second, second, first, first);
        assertThat(route(taken).about()).containsExactly(second, first);
        assertThat(taken.faults())
                .extracting(fault -> fault.refusal().code())
                .containsExactly(ErrorCode.UNKNOWN_PROPOSAL, ErrorCode.PROPOSAL_CLOSED);
        assertThat(taken.faults())
                .extracting(fault -> fault.proposal().orElse("none"))
                .containsExactly("nowhere", closed);
        assertThat(taken.notices())
                .extracting(told -> ((SystemMessage.Rejected) told.notice()).proposal())
                .containsExactly(second, first);
    }

    @Test
    void anIdNamedTwiceIsTakenOnce() {
        Ruling.Taken taken = taken(room.withdraw("agent", first, first, second, first));
        assertThat(taken.entries()).hasSize(2);
        assertThat(taken.faults()).isEmpty();
        assertThat(route(taken).about()).containsExactly(first, second);
    }

    @Test
    void whereNoneSucceedsNothingIsRoutedAndEachGetsItsError() {
        Ruling ruling = room.withdraw("bob", first, "nowhere", second);
        assertThat(ruling)
                .isInstanceOfSatisfying(
                        Ruling.Declined.class,
                        declined -> assertThat(declined.faults())
                                .extracting(fault -> fault.refusal().code())
                                .containsExactly(
                                        ErrorCode.NOT_PROPOSER, ErrorCode.UNKNOWN_PROPOSAL, ErrorCode.NOT_PROPOSER));
        assertThat(room.proposal(first).open()).isTrue();
    }

    @Test
    void everyProposerConcernedIsReached() {
        room.done(room.life.propose(
                room.arrival("r", "rival", "mcp.proposal.tools/call", Room.WRITE, "", ""), room.presence()));
        assertThat(route(room.reject("carol", "busy", first, "r")).also()).containsExactlyInAnyOrder("agent", "rival");
    }

    @Test
    void whatIsRoutedNamesThoseThatSucceededAndIsOtherwiseAsItWasSent() {
        String text =
                "{'protocol':'mcpx/v0.1', 'x':[1.50, {'correlationId':'no'}],'correlation_id':['nowhere','" + first
                        + "'],'z':1.5e3,'t' : true , 'o':0,'id':'w','kind':'mcpx.withdraw.proposal','payload':{ 'reason' : 'gr\\u00fcn ☂', 'n':-0.0 },'y':12}";
        Envelope envelope = (Envelope) new EnvelopeReader(Limits.DEFAULT).read(Room.bytes(text));
        Ruling ruling = room.life.remark(
                new Arrival(envelope, "agent", List.of("bob"), room.now),
                id -> Optional.ofNullable(room.proposals.get(id)));
        assertThat(new String(route(ruling).encode(Spelling.CURRENT), StandardCharsets.UTF_8).replace('"', '\''))
                .isEqualTo("{'to':['bob'],'from':'agent','ts':'2026-01-05T10:00:00.000Z','protocol':'mcpx/v0.1',"
                        + "'x':[1.50, {'correlationId':'no'}],'correlationId':['" + first
                        + "'],'z':1.5e3,'t':true,'o':0,'id':'w','kind':'mcpx.withdraw.proposal',"
                        + "'payload':{ 'reason' : 'gr\\u00fcn ☂', 'n':-0.0 },'y':12}");
        assertThat(taken(ruling).entries().getFirst().event().sent())
                .as("what a resend is compared with")
                .matches(sent -> sent.envelope().correlationIds().size() == 2);
    }

    @Test
    void theEnvelopeIsKeptOnceHoweverManyItIsAbout() {
        List<Entry> entries =
                taken(room.reject("carol", "busy", first, second, closed)).entries();
        assertThat(entries).hasSize(3);
        assertThat(entries.getFirst().event().sent()).isNotNull();
        assertThat(entries.subList(1, 3)).allMatch(entry -> entry.event().sent() == null);
        assertThat(entries)
                .extracting(Entry::reference)
                .containsOnly(entries.getFirst().reference());
    }
}
