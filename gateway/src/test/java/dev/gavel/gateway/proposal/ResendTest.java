package dev.gavel.gateway.proposal;

import static dev.gavel.gateway.proposal.Room.declined;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcpx.ErrorCode;
import dev.gavel.mcpx.Spelling;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The same id again. */
class ResendTest {
    private final Room room = new Room();
    private final Sent kept = Sent.of(room.arrival("x", "bob", "mcpx.reject.proposal", "{'reason':'busy'}", "", "'p'"));

    private Optional<Proposal> find(String id) {
        return Optional.ofNullable(room.proposals.get(id));
    }

    @Test
    void theSameAgainIsEchoedAndNotDoneAgain() {
        Arrival arrival = room.arrival("x", "bob", "mcpx.reject.proposal", "{'reason':'busy'}", "", "'p'");
        room.propose("p", Room.WRITE);
        room.done(room.life.remark(arrival, this::find));
        room.pass(Duration.ofHours(1));
        Ruling ruling = room.life.resend(kept, arrival, this::find);
        assertThat(ruling).isEqualTo(new Ruling.Echoed(kept, List.of()));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            alice | mcpx.reject.proposal | {'reason':'busy'}   | ~~        | 'p'
            bob   | mcpx.status.proposal | {'status':'queued'} | ~~        | 'p'
            bob   | mcpx.reject.proposal | {'reason': 'busy'}  | ~~        | 'p'
            bob   | mcpx.reject.proposal | {'reason':'busy'}   | ['alice'] | 'p'
            bob   | mcpx.reject.proposal | {'reason':'busy'}   | ~~        | ['p','q']
            """)
    void theSameIdWithOtherContentIsADuplicate(String from, String kind, String payload, String to, String about) {
        Fault fault = declined(room.life.resend(kept, room.arrival("x", from, kind, payload, to, about), this::find));
        assertThat(fault.refusal().code()).isEqualTo(ErrorCode.DUPLICATE_ID);
        assertThat(fault.failure().proposal()).isNull();
        assertThat(fault.refusal().message()).contains("'x'", "id of its own");
    }

    @Test
    void whoACanEntryStandsForMayHaveChangedMeanwhile() {
        Arrival first =
                room.arrival("y", "agent", "mcp.proposal.tools/list", "{'method':'tools/list'}", "['can:a.b']", "");
        Sent sent = Sent.of(new Arrival(first.envelope(), "agent", List.of("alice"), room.now));
        Arrival again = new Arrival(first.envelope(), "agent", List.of("bob"), room.now);
        assertThat(sent.isSentAgainAs(again)).isTrue();
        assertThat(new String(sent.encode(Spelling.CURRENT), StandardCharsets.UTF_8))
                .contains("\"to\":[\"alice\"]")
                .contains("\"from\":\"agent\"")
                .contains("\"ts\":\"2026-01-05T10:00:00.000Z\"");
    }
}
